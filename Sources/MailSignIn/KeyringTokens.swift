internal import Glibc
internal import HTTP
internal import Platform

/// A sign-in whose secrets are in the desktop's keyring (the Secret Service), by `secret-tool`.
///
/// The record names the account and its server. Whether the keyring is open is asked first, so that nothing ever
/// asks the person; and what was kept is read again before it counts as kept. The secret travels by pipes only.
package struct KeyringTokens: TokenStore {
    private let record: TokenFile
    private let label: String
    private let helper: HelperProgram

    init(record: TokenFile, label: String, limit: Duration) {
        helper = HelperProgram(.keyring, limit: limit)
        self.record = record
        self.label = label
    }

    /// What the secret is found by; none of it is secret.
    private var attributes: [String] { ["application", "herald", "account", label, "record", record.path] }

    package func load() async throws(TokenStoreError) -> StoredSignIn? {
        guard let known = try record.load() else { return nil }
        let bus = try KeyringTokens.bus()
        guard let secret = try await find(bus, until: helper.end),
            var found = StoredSignIn(Array(secret.utf8)), found.origin.hasSameOrigin(as: known.origin),
            found.identity == known.identity, found.clientID == known.clientID
        else { throw .noSecret }
        found.place = .keyring
        return found
    }

    package func save(_ signIn: StoredSignIn) async throws(TokenStoreError) {
        let bus = try KeyringTokens.bus()
        let end = helper.end
        try await checkOpen(bus, until: end)
        let secret = signIn.secret
        let stored = try await helper.run(
            ["secret-tool", "store", "--label=Herald: \(label)"] + attributes, input: .bytes(Array(secret.utf8)),
            settings: bus, until: end)
        guard stored.isSuccess, try await find(bus, until: end) == secret else { throw .failed(.keyring) }
        // Written only when it says something new, since it does not change with each renewal.
        if (try? record.load())?.bytes != signIn.bytes { try record.save(signIn) }
    }

    package func remove() async throws(TokenStoreError) {
        try await removeSecret()
        try record.remove()
    }

    /// Removes the secret but leaves the record.
    func removeSecret() async throws(TokenStoreError) {
        let bus = try KeyringTokens.bus()
        let end = helper.end
        guard try await find(bus, until: end) != nil else { return }
        let cleared = try await helper.run(["secret-tool", "clear"] + attributes, settings: bus, until: end)
        guard cleared.isSuccess else { throw .failed(.keyring) }
    }

    /// The secret; `nil` when there is none.
    ///
    /// A search, unlike a lookup, never asks for the keyring to be opened.
    private func find(
        _ bus: [String: String], until end: ContinuousClock.Instant
    ) async throws(TokenStoreError) -> String? {
        let answer = try await helper.run(["secret-tool", "search"] + attributes, settings: bus, until: end)
        let lines = String(decoding: answer.output, as: UTF8.self).split(separator: "\n")
        if let line = lines.first(where: { $0.hasPrefix("secret = ") }) { return String(line.dropFirst(9)) }
        // It names what it found but cannot open.
        if !lines.isEmpty { throw .locked }
        guard answer.isSuccess else { throw .failed(.keyring) }
        // A keyring that is not open, or not there, holds nothing that can be found.
        try await checkOpen(bus, until: end)
        return nil
    }

    /// Asks whether the keyring for new secrets is open.
    private func checkOpen(
        _ bus: [String: String], until end: ContinuousClock.Instant
    ) async throws(TokenStoreError) {
        let answer = try await helper.run(
            [
                "dbus-send", "--session", "--print-reply=literal", "--reply-timeout=60000",
                "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets/aliases/default",
                "org.freedesktop.DBus.Properties.Get", "string:org.freedesktop.Secret.Collection", "string:Locked",
            ], settings: bus, until: end)
        guard answer.isSuccess, String(decoding: answer.output, as: UTF8.self).contains("boolean false") else {
            throw .locked
        }
    }

    /// The session bus as a variable for programs; cron has none, but finds that of a login by its usual place.
    ///
    /// - Throws: `TokenStoreError.noBus`.
    private static func bus() throws(TokenStoreError) -> [String: String] {
        let name = "DBUS_SESSION_BUS_ADDRESS"
        if let address = Environment.value(name) { return [name: address] }
        let runtime = Environment.value("XDG_RUNTIME_DIR") ?? "/run/user/\(geteuid())"
        var status = stat()
        guard stat(runtime + "/bus", &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid()
        else { throw .noBus }
        return [name: "unix:path=\(runtime)/bus"]
    }

    /// Whether the keyring could be used now, for who looks after it.
    ///
    /// - Throws: `TokenStoreError`.
    package func checkReady() async throws(TokenStoreError) {
        try await checkOpen(KeyringTokens.bus(), until: helper.end)
    }
}
