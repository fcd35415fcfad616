internal import Platform
internal import SQLite

extension Store {
    private struct DemoMailbox {
        let name: String
        let displayName: String
        let domain: String
        let host: String
        var alias: (name: String, address: String, displayName: String)?
    }

    private static let demoMailboxes: [DemoMailbox] = [
        DemoMailbox(name: "billing", displayName: "Billing", domain: "dom_local_demo", host: "example.test"),
        DemoMailbox(name: "info", displayName: "Info", domain: "dom_local_demo", host: "example.test"),
        DemoMailbox(name: "noreply", displayName: "No Reply", domain: "dom_local_demo", host: "example.test"),
        DemoMailbox(
            name: "ops", displayName: "Ops", domain: "dom_local_ops", host: "ops.example.test",
            alias: ("catchall", "catchall@ops.example.test", "Ops Catch-all")),
        DemoMailbox(name: "sales", displayName: "Sales", domain: "dom_local_demo", host: "example.test"),
        DemoMailbox(
            name: "support", displayName: "Support", domain: "dom_local_demo", host: "example.test",
            alias: ("alias", "help@example.test", "Support Alias")),
    ]

    /// The users with their bearers.
    ///
    /// - Throws: `SQLiteError`.
    func seedUsers() throws(SQLiteError) {
        let users = [
            ("owner", "owner"), ("admin", "admin"), ("member", "member"), ("viewer", "member"), ("nogrant", "member"),
        ]
        for (name, role) in users {
            try run("INSERT OR IGNORE INTO users VALUES(?, ?)", "usr_local_" + name, role)
            try seedToken("hqb_access_" + name, user: "usr_local_" + name, .all)
            try seedLogin(
                "usr_local_" + name, email: name + "@hqbase.test",
                name: "Local " + name.prefix(1).uppercased()
                    + name.dropFirst(), password: Store.demoPassword)
        }
        try seedToken("hqb_access_owner_read", user: "usr_local_owner", .read)
        try seedToken("hqb_access_owner_write", user: "usr_local_owner", .write)
        try seedToken("hqb_access_owner_send", user: "usr_local_owner", .send)
    }

    /// The owner alone.
    ///
    /// - Throws: `SQLiteError`.
    func seedOwner(token: String) throws(SQLiteError) {
        try run("INSERT OR IGNORE INTO users VALUES('usr_local_owner', 'owner')")
        try seedToken(token, user: "usr_local_owner", .all)
        // Only who can read the file with the bearer knows it, and so the password as well.
        try seedLogin("usr_local_owner", email: "owner@hqbase.test", name: "Local Owner", password: token)
    }

    private func seedToken(_ token: String, user: String, _ scopes: Scopes) throws(SQLiteError) {
        let statement = try database.statement("INSERT OR IGNORE INTO tokens VALUES(?, ?, ?)")
        statement.bind(1, token)
        statement.bind(2, user)
        statement.bind(3, scopes.rawValue)
        try statement.run()
    }

    /// The demo's mailboxes and grants.
    ///
    /// - Throws: `SQLiteError`.
    func seedMailboxes() throws(SQLiteError) {
        for mailbox in Store.demoMailboxes {
            let id = "mbx_local_" + mailbox.name
            let address = mailbox.name + "@" + mailbox.host
            try run(
                """
                INSERT OR IGNORE INTO mailboxes(id, address, displayName, createdAt, updatedAt)
                VALUES(?, ?, ?, '2026-07-03T12:00:00.000Z', '2026-10-31T12:00:00.000Z')
                """, id, address, mailbox.displayName)
            try seedAddress("addr_local_" + mailbox.name, id, mailbox.domain, address, mailbox.displayName, "1")
            if let alias = mailbox.alias {
                let aliasID = "addr_local_" + mailbox.name + "_" + alias.name
                try seedAddress(aliasID, id, mailbox.domain, alias.address, alias.displayName, "0")
            }
        }
        let grants = [
            ("ops", "admin", "agent"), ("support", "admin", "manager"), ("support", "member", "agent"),
            ("info", "viewer", "read"),
        ]
        for (mailbox, user, level) in grants {
            try run(
                "INSERT OR IGNORE INTO grants VALUES(?, ?, ?)", "mbx_local_" + mailbox, "usr_local_" + user, level)
        }
    }

    private func seedAddress(
        _ id: String, _ mailbox: String, _ domain: String, _ address: String, _ name: String, _ isPrimary: String
    ) throws(SQLiteError) {
        try run(
            """
            INSERT OR IGNORE INTO addresses(id, mailboxId, domainId, address, displayName, isPrimary)
            VALUES(?, ?, ?, ?, ?, CAST(? AS INTEGER))
            """, id, mailbox, domain, address, name, isPrimary)
    }

    /// The mailbox of an address, made when there is none.
    ///
    /// - Throws: `SQLiteError`.
    func makeMailbox(_ address: String, displayName: String? = nil) throws(SQLiteError) -> String {
        if let id = try mailbox(havingAddress: address) { return id }
        let address = address.lowercased()
        let id = Store.id("mbx")
        let name = displayName ?? String(address.prefix { $0 != "@" })
        let stamp = now()
        try run(
            "INSERT INTO mailboxes(id, address, displayName, createdAt, updatedAt) VALUES(?, ?, ?, ?, ?)",
            id, address, name, stamp, stamp)
        try seedAddress(Store.id("addr"), id, "dom_local_import", address, name, "1")
        return id
    }
}
