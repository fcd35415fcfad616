import MailModel
import Testing

@testable import MailStorage
@testable import SQLite

struct CorrespondentsTests {
    /// Fails when completion would read or sort all mail.
    @Test(arguments: [MailReader.writtenToSQL, MailReader.writersSQL])
    func `addresses are learned through the index of folders`(_ sql: String) throws {
        let path = Bench.newPath()
        defer { Bench.remove(path) }
        let row = try CacheFile.open(path, owner: "test").database.statement("EXPLAIN QUERY PLAN " + sql)
        var steps: [String] = []
        while try row.step() { steps.append(row.text(3)) }

        #expect(steps == ["SEARCH messages USING INDEX messages_folder_idx (folder=?)"], "\(steps)")
    }
}
