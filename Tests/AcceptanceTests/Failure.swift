internal import Testing

/// Checks the exit code, and that one sentence and nothing else was printed.
func expectFailure(
    _ ended: Ended, _ code: Int32, _ words: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(ended.code == code, "\(ended.errors)", sourceLocation: sourceLocation)
    #expect(ended.errors.hasPrefix("herald: "), "\(ended.errors)", sourceLocation: sourceLocation)
    #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)", sourceLocation: sourceLocation)
    #expect(ended.errors.hasSuffix("\n"), sourceLocation: sourceLocation)
    #expect(words.isEmpty || ended.errors.contains(words), "\(ended.errors)", sourceLocation: sourceLocation)
    #expect(ended.output.isEmpty, "\(ended.text)", sourceLocation: sourceLocation)
}
