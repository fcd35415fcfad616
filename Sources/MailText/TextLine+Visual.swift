internal import DisplayText

extension TextLine {
    /// The runs in the order in which they are drawn, for a terminal that does not put text in order by itself.
    ///
    /// What runs from right to left ends at the last of `columns`; bars and bullets stay where they are.
    package func visualRuns(columns: Int) -> [TextRun] {
        let prefix = runs.prefix(prefixRuns)
        let body = runs.dropFirst(prefixRuns)
        guard isRightToLeft || body.contains(where: { TextDisplay.hasRightToLeft($0.text) }) else { return runs }
        var scalars: [Unicode.Scalar] = []
        var roles: [TextRole] = []
        for run in body {
            for scalar in run.text.unicodeScalars {
                scalars.append(scalar)
                roles.append(run.role)
            }
        }
        var drawn: [TextRun] = []
        guard let order = TextDisplay.visual(scalars, isRightToLeft: isRightToLeft) else { return runs }
        for item in order {
            if let last = drawn.indices.last, drawn[last].role == roles[item.index] {
                drawn[last].text.unicodeScalars.append(item.scalar)
            } else {
                drawn.append(TextRun(String(item.scalar), roles[item.index]))
            }
        }
        guard isRightToLeft else { return prefix + drawn }
        let used = (prefix + drawn).reduce(0) { $0 + TextDisplay.width(of: $1.text) }
        let free = String(repeating: " ", count: max(0, columns - used))
        return prefix + (free.isEmpty ? [] : [TextRun(free)]) + drawn
    }
}
