/// The letters and digits of a code, five cells wide and high, to be read from across a desk.
package enum LargeLetters {
    /// The rows of a code, all of one width; empty when it has a letter that is not known.
    package static func rows(_ code: String) -> [String] {
        var rows = Array(repeating: "", count: 5)
        for letter in code {
            guard let pattern = patterns[letter] else { return [] }
            for row in rows.indices {
                for column in 0..<5 { rows[row] += pattern[row] & (16 >> UInt8(column)) == 0 ? " " : "█" }
                rows[row] += " "
            }
        }
        return rows
    }

    /// Each letter by its rows; the leftmost cell of five is 16.
    private static let patterns: [Character: [UInt8]] = [
        "A": [14, 17, 31, 17, 17], "B": [30, 17, 30, 17, 30], "C": [15, 16, 16, 16, 15], "D": [30, 17, 17, 17, 30],
        "E": [31, 16, 30, 16, 31], "F": [31, 16, 30, 16, 16], "G": [15, 16, 19, 17, 15], "H": [17, 17, 31, 17, 17],
        "J": [7, 2, 2, 18, 12], "K": [17, 18, 28, 18, 17], "L": [16, 16, 16, 16, 31], "M": [17, 27, 21, 17, 17],
        "N": [17, 25, 21, 19, 17], "P": [30, 17, 30, 16, 16], "Q": [14, 17, 21, 18, 13], "R": [30, 17, 30, 18, 17],
        "S": [15, 16, 14, 1, 30], "T": [31, 4, 4, 4, 4], "U": [17, 17, 17, 17, 14], "V": [17, 17, 17, 10, 4],
        "W": [17, 17, 21, 27, 17], "X": [17, 10, 4, 10, 17], "Y": [17, 10, 4, 4, 4], "Z": [31, 2, 4, 8, 31],
        "2": [14, 17, 6, 8, 31], "3": [30, 1, 14, 1, 30], "4": [6, 10, 18, 31, 2], "5": [31, 16, 30, 1, 30],
        "6": [14, 16, 30, 17, 14], "7": [31, 1, 2, 4, 4], "8": [14, 17, 14, 17, 14], "9": [14, 17, 15, 1, 14],
        "-": [0, 0, 14, 0, 0],
    ]
}
