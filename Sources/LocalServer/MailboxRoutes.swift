internal import SQLite

extension Store {
    /// GET `/mailboxes`: active first, then by address.
    ///
    /// - Throws: `SQLiteError`.
    func mailboxes(_ caller: Caller) throws -> ServerAnswer {
        let statement = try database.statement(
            """
            SELECT id, address, displayName, isActive, createdAt, updatedAt FROM mailboxes
            ORDER BY isActive DESC, address
            """)
        defer { statement.reset() }
        var text = JSONText()
        text.raw("[")
        var isFirst = true
        while try statement.step() {
            let id = statement.text(0)
            let level = caller.level(id)
            guard level != nil || caller.role != "member" else { continue }
            text.raw(isFirst ? "{\"id\":" : ",{\"id\":")
            isFirst = false
            text.string(id)
            text.member(",\"address\":", statement.text(1))
            text.raw(",\"addresses\":[")
            try writeAddresses(of: id, to: &text)
            text.raw("]")
            text.member(",\"displayName\":", statement.text(2))
            text.member(",\"isActive\":", json: statement.bool(3) ? "true" : "false")
            text.member(",\"createdAt\":", statement.text(4))
            text.member(",\"updatedAt\":", statement.text(5))
            text.member(",\"accessLevel\":", level?.name)
            text.raw("}")
        }
        text.raw("]")
        return .json(text)
    }

    private func writeAddresses(of mailbox: String, to text: inout JSONText) throws(SQLiteError) {
        let statement = try database.statement(
            """
            SELECT id, mailboxId, domainId, address, displayName, receiveEnabled, sendEnabled, isPrimary
            FROM addresses WHERE mailboxId = ? ORDER BY isPrimary DESC, address
            """)
        defer { statement.reset() }
        statement.bind(1, mailbox)
        var lead = "{\"id\":"
        while try statement.step() {
            text.member(lead, statement.text(0))
            text.member(",\"mailboxId\":", statement.text(1))
            text.member(",\"mailDomainId\":", statement.text(2))
            text.member(",\"address\":", statement.text(3))
            text.member(",\"displayName\":", statement.text(4))
            text.member(",\"receiveEnabled\":", json: statement.bool(5) ? "true" : "false")
            text.member(",\"sendEnabled\":", json: statement.bool(6) ? "true" : "false")
            text.member(",\"isPrimary\":", json: statement.bool(7) ? "true}" : "false}")
            lead = ",{\"id\":"
        }
    }

    /// The mailbox that has an address, by any of its addresses; `nil` when none does.
    ///
    /// - Throws: `SQLiteError`.
    func mailbox(havingAddress address: String) throws(SQLiteError) -> String? {
        try text("SELECT mailboxId FROM addresses WHERE address = ? AND receiveEnabled = 1", address.lowercased())
    }
}
