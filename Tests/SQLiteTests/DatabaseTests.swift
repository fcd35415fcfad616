import Glibc
import MailTestSupport
import Platform
import SQLite
import Testing

private struct Stop: Error {}

private func withDatabase(_ body: (Database) throws -> Void) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let database = try Database(scratch.path + "/file.sqlite")
    try database.run("CREATE TABLE items(id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)")
    try body(database)
}

@Test func `a transaction that throws keeps nothing`() throws {
    try withDatabase { database in
        #expect(throws: Stop.self) {
            try database.transaction {
                try database.run("INSERT INTO items(text) VALUES ('a')")
                throw Stop()
            }
        }
        #expect(try database.scalar("SELECT count(*) FROM items") == 0)
        #expect(throws: SQLiteError.self) {
            try database.transaction {
                try database.run("INSERT INTO items(id) VALUES (1)")
                try database.run("INSERT INTO items(id) VALUES (1)")
            }
        }
        try database.transaction { try database.run("INSERT INTO items(id) VALUES (1)") }
        #expect(try database.scalar("SELECT count(*) FROM items") == 1)
    }
}

@Test(arguments: ["", "a\u{0}b", "\u{0}", "caf\u{E9} \u{1F600}", "'; DROP TABLE items"])
func `text comes back as it was bound`(_ text: String) throws {
    try withDatabase { database in
        let insert = try database.statement("INSERT INTO items(text, bytes) VALUES (?1, ?2)")
        insert.bind(1, text)
        insert.bind(2, Array(text.utf8))
        try insert.run()
        let row = try database.statement("SELECT text, bytes, NULL FROM items")
        defer { row.reset() }
        #expect(try row.step())
        #expect(row.text(0) == text && row.optionalText(0) == text && row.bytes(1) == Array(text.utf8))
        #expect(row.optionalText(2) == nil && row.optionalInt(2) == nil && row.isNull(2))
        #expect(try !row.step())
    }
}

@Test func `a second writer is told that the file is busy`() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = scratch.path + "/file.sqlite"
    let first = try Database(path)
    let second = try Database(path, busyMilliseconds: 0)
    try first.transaction {
        do {
            try second.transaction {}
            Issue.record("Both wrote.")
        } catch let error as SQLiteError {
            #expect(error.isBusy && !error.isCorrupt && !error.isFull)
        }
    }
    try second.transaction {}
}

@Test func `a reader writes nothing and makes no file`() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = scratch.path + "/file.sqlite"
    #expect(throws: SQLiteError.self) { _ = try Database(path, mode: .readOnly) }
    #expect(!Files.exists(path))
    try Database(path).run("CREATE TABLE items(id INTEGER)")
    let reader = try Database(path, mode: .readOnly)
    #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO items VALUES (1)") }
}
