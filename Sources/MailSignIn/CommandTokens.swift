internal import Platform

/// A bearer that a program of the person's prints, such as a password manager.
///
/// The program is started with its arguments and never through a shell. It is asked at the start, and again when the
/// server refuses what it printed. Nothing it prints is kept.
package struct CommandTokens: TokenStore {
    private let record: TokenFile
    private let label: String
    private let command: [String]
    private let helper: HelperProgram

    init(record: TokenFile, label: String, command: [String], limit: Duration) {
        helper = HelperProgram(.command, limit: limit)
        self.record = record
        self.label = label
        self.command = command
    }

    package func load() async throws(TokenStoreError) -> StoredSignIn? {
        guard var signIn = try record.load() else { return nil }
        signIn.access = try await bearer()
        signIn.refresh = nil
        signIn.isEnded = false
        // When it ends is the program's business.
        signIn.accessEnds = .max / 2
        return signIn
    }

    /// Runs the program and answers what it printed.
    ///
    /// - Throws: `TokenStoreError`.
    package func bearer() async throws(TokenStoreError) -> String {
        guard !command.isEmpty else { throw .noCommand }
        let answer = try await helper.run(
            command, settings: ["HERALD_ACCOUNT": label], until: helper.end)
        guard answer.isSuccess else { throw .failed(.command) }
        let text = String(decoding: answer.output, as: UTF8.self)
        let token = text.hasSuffix("\n") ? String(text.dropLast()) : text
        guard SignInClient.isToken(token) else { throw .noToken }
        return token
    }

    /// Keeps the record; the program keeps the bearer.
    package func save(_ signIn: StoredSignIn) throws(TokenStoreError) {
        if (try? record.load())?.bytes != signIn.bytes { try record.save(signIn) }
    }

    package func remove() throws(TokenStoreError) { try record.remove() }
}
