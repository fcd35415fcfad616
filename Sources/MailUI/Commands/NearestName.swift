/// Finds the known name that a mistyped one probably meant.
package enum NearestName {
    /// The nearest of the names, the first of equals.
    ///
    /// `nil` when none is near.
    package static func of(_ name: String, among known: [String]) -> String? {
        // No name is longer, and the work grows with the square.
        let typed = Array(name.lowercased().prefix(60))
        var best: (name: String, distance: Int)?
        for candidate in known {
            let distance = steps(typed, Array(candidate.lowercased()))
            // A third of the letters may be wrong; more is another word, and of two letters one is half.
            guard candidate.count > 2, distance <= max(1, candidate.count / 3), distance < (best?.distance ?? .max)
            else { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    /// How many letters must be put in, taken out, replaced or swapped with their neighbour.
    private static func steps(_ left: [Character], _ right: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var next = [row + 1]
            for column in 0..<right.count {
                let isSame = left[row] == right[column]
                var steps = min(last[column + 1] + 1, next[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    steps = min(steps, before[column - 1] + 1)
                }
                next.append(steps)
            }
            (before, last) = (last, next)
        }
        return last[right.count]
    }
}
