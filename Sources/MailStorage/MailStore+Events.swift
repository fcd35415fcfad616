extension MailStore {
    /// Remembers whether the server offers live events, as read with its other features.
    ///
    /// - Throws: `StoreError`.
    package func recordEvents(offered: Bool) throws {
        try commit { try Meta.set("has_events", offered ? "1" : nil, $0) }
    }

    /// Whether the server offered live events when its features were last read.
    ///
    /// - Throws: `StoreError`.
    package func offersEvents() throws -> Bool {
        try read { try Meta.value("has_events", $0) == "1" }
    }
}
