internal import JSON
internal import MailSync
internal import Platform

/// The record of passes, in a small file beside the locks.
///
/// Replaced whole and not synced: it is for reading, and a lost one costs nothing. Its writers hold the pass lock,
/// but for the few requests counted outside a pass.
struct PassJournalFile: PassJournal {
    let path: String
    /// Whose passes they are: another origin or sign-in may have had the same label before.
    let owner: String

    /// What the file says; empty when there is none, it is another's or it cannot be read.
    var history: PassHistory {
        guard let bytes = try? Files.read(path) else { return PassHistory() }
        return (try? PassJournalFile.decode(bytes, owner: owner)) ?? PassHistory()
    }

    func record(_ record: PassRecord) {
        var history = history
        history.add(record)
        write(history)
    }

    func count(requests: Int, at milliseconds: Int64) {
        var history = history
        history.add(requests: requests, at: milliseconds)
        write(history)
    }

    private func write(_ history: PassHistory) {
        // A journal that cannot be written is no reason to fail a pass.
        try? Files.replace(path, with: PassJournalFile.encode(history, owner: owner), isSynced: false)
    }

    static func encode(_ history: PassHistory, owner: String) -> [UInt8] {
        var writer = JSONWriter()
        func write(_ name: String, _ milliseconds: Int64?, to writer: inout JSONWriter) {
            writer.name(name)
            if let milliseconds { writer.value(Int(milliseconds)) } else { writer.null() }
        }
        writer.object { writer in
            writer.member("version", 1)
            writer.member("owner", owner)
            write("finishedAtMilliseconds", history.finishedAtMilliseconds, to: &writer)
            write("succeededAtMilliseconds", history.succeededAtMilliseconds, to: &writer)
            writer.member("failure", history.failure)
            writer.member("failureCode", history.failureCode)
            writer.member("failures", history.failures)
            writer.member("needsSignIn", history.needsSignIn)
            writer.member("day", Int(history.day))
            writer.member("requestsToday", history.requestsToday)
            writer.member("requestsYesterday", history.requestsYesterday)
            writer.member("hasDrafts", history.hasDrafts)
        }
        return writer.bytes + [0x0A]
    }

    static func decode(_ bytes: [UInt8], owner: String) throws(JSONError) -> PassHistory {
        var history = PassHistory()
        var isOwn = false
        var reader = JSONReader(bytes)
        func milliseconds(_ reader: inout JSONReader) throws(JSONError) -> Int64? {
            if try reader.takeNull() { return nil }
            return Int64(try reader.int())
        }
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "owner": isOwn = try reader.string() == owner
            case "finishedAtMilliseconds": history.finishedAtMilliseconds = try milliseconds(&reader)
            case "succeededAtMilliseconds": history.succeededAtMilliseconds = try milliseconds(&reader)
            case "failure": history.failure = try reader.optionalString()
            case "failureCode": history.failureCode = try reader.optionalString()
            case "failures": history.failures = max(0, try reader.int())
            case "needsSignIn": history.needsSignIn = try reader.bool()
            case "day": history.day = Int64(try reader.int())
            case "requestsToday": history.requestsToday = try reader.int()
            case "requestsYesterday": history.requestsYesterday = try reader.int()
            case "hasDrafts": history.hasDrafts = try reader.bool()
            default: try reader.skip()
            }
        }
        return isOwn ? history : PassHistory()
    }
}
