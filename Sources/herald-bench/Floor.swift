internal import MailStorage
internal import Platform
internal import SQLite

/// The least that storing costs: SQLite alone copying a finished cache into an empty one of the same schema.
///
/// Same tables, same indexes, same order, in commits as large; nothing is fetched, read, derived or compared.
struct Floor {
    /// Messages in one commit, as in a bootstrap.
    private static let rows = 2_400

    let directory: String

    func run(copying cache: String) async throws -> (time: Samples, processor: Samples) {
        let path = directory + "/floor.sqlite"
        for suffix in ["", "-wal", "-shm"] { Files.remove(path + suffix) }
        let store = try MailStore(path: path, owner: "floor")
        await store.tidy()
        let database = try Database(path)
        try database.run(MailStore.settings)
        try database.run("ATTACH '\(cache)' AS source")
        let count = Int(try database.scalar("SELECT max(pk) FROM source.messages") ?? 0)
        let columns = try Floor.columns(of: "messages", database)
        var samples = (time: Samples(), processor: Samples())
        let started = (ContinuousClock.now, ProcessorTime.now)
        for start in stride(from: 0, through: count, by: Floor.rows) {
            let range = "BETWEEN \(start) AND \(start + Floor.rows - 1)"
            try database.transaction {
                try database.run(
                    """
                    INSERT INTO main.messages(\(columns)) SELECT \(columns) FROM source.messages WHERE pk \(range);
                    INSERT INTO main.threads SELECT * FROM source.threads WHERE pk \(range);
                    """)
            }
        }
        // A list's rows have no number of their own; they are few and small, and go in by the list.
        try database.transaction {
            try database.run("INSERT INTO main.listings SELECT * FROM source.listings ORDER BY list")
        }
        samples.time.add(ContinuousClock.now - started.0)
        samples.processor.add(ProcessorTime.now - started.1)
        return samples
    }

    private static func columns(of table: String, _ database: Database) throws -> String {
        let row = try database.statement("SELECT name FROM pragma_table_info('\(table)')")
        defer { row.reset() }
        var names: [String] = []
        while try row.step() { names.append(row.text(0)) }
        return names.joined(separator: ", ")
    }
}
