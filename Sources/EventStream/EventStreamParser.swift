/// Reads an event stream piece by piece, wherever the pieces are cut.
///
/// Works on bytes, so that neither a line break nor a character split between two pieces is misread. One parser reads
/// one connection. What is unfinished when the connection ends was never an event: drop the parser and it is gone.
/// Source: WHATWG HTML, "Interpreting an event stream".
package struct EventStreamParser: Sendable {
    /// What a parser keeps at most.
    package struct Limits: Sendable, Hashable {
        /// Bytes in a line.
        package var lineBytesMax: Int
        /// Bytes in the data of one event.
        package var eventBytesMax: Int

        package init(lineBytesMax: Int = 1 << 20, eventBytesMax: Int = 4 << 20) {
            self.lineBytesMax = lineBytesMax
            self.eventBytesMax = eventBytesMax
        }
    }

    /// The id to name when reconnecting; it is that of the last block that was complete.
    package private(set) var lastEventID: String
    /// The wait before a reconnect the sender asked for last, in milliseconds; `nil` when it never did.
    package private(set) var retryMilliseconds: Int64?

    private let limits: Limits
    private var line: [UInt8] = []
    private var isFirstLine = true
    /// Whether a line feed that comes next belongs to a carriage return before it.
    private var endsWithReturn = false
    // Of the block being read.
    private var name: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var id: String

    /// A parser for a fresh connection, which goes on from the id of the one before.
    package init(lastEventID: String = "", limits: Limits = Limits()) {
        self.lastEventID = lastEventID
        self.limits = limits
        id = lastEventID
    }

    /// Reads the next bytes and appends the events they complete.
    ///
    /// - Throws: `EventStreamError`; the events before the fault are appended.
    package mutating func read(_ bytes: [UInt8], into events: inout [StreamEvent]) throws(EventStreamError) {
        var start = bytes.startIndex
        if endsWithReturn, let first = bytes.first {
            endsWithReturn = false
            if first == UInt8(ascii: "\n") { start += 1 }
        }
        while start < bytes.endIndex {
            var end = start
            while end < bytes.endIndex, bytes[end] != UInt8(ascii: "\n"), bytes[end] != UInt8(ascii: "\r") { end += 1 }
            guard line.count + (end - start) <= limits.lineBytesMax else {
                throw .lineTooLong(limit: limits.lineBytesMax)
            }
            line.append(contentsOf: bytes[start..<end])
            guard end < bytes.endIndex else { return }
            start = end + 1
            if bytes[end] == UInt8(ascii: "\r") {
                if start == bytes.endIndex {
                    endsWithReturn = true
                } else if bytes[start] == UInt8(ascii: "\n") {
                    start += 1
                }
            }
            if let event = try endLine() { events.append(event) }
        }
    }

    /// Interprets the line that is complete now; answers the event it dispatches.
    private mutating func endLine() throws(EventStreamError) -> StreamEvent? {
        defer { line.removeAll(keepingCapacity: line.capacity <= 4_096) }
        var content = line[...]
        if isFirstLine {
            isFirstLine = false
            // One byte order mark may lead the stream; no byte of it can be a line break.
            if content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
        }
        guard !content.isEmpty else { return dispatch() }
        let colon = content.firstIndex(of: UInt8(ascii: ":")) ?? content.endIndex
        guard colon > content.startIndex else { return nil }
        var value = content[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        try take(field: content[..<colon], value)
        return nil
    }

    private mutating func take(field: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) throws(EventStreamError) {
        if field.elementsEqual("data".utf8) {
            guard data.count + value.count < limits.eventBytesMax else {
                throw .eventTooLong(limit: limits.eventBytesMax)
            }
            if hasData { data.append(UInt8(ascii: "\n")) }
            hasData = true
            data.append(contentsOf: value)
        } else if field.elementsEqual("event".utf8) {
            name = Array(value)
        } else if field.elementsEqual("id".utf8) {
            if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        } else if field.elementsEqual("retry".utf8) {
            let isNumber = !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }
            // A number no integer holds asks for a wait nobody can keep.
            if isNumber { retryMilliseconds = Int64(String(decoding: value, as: UTF8.self)) ?? .max }
        }
    }

    /// Ends a block: its id becomes current, and it is an event when it had data.
    private mutating func dispatch() -> StreamEvent? {
        lastEventID = id
        defer {
            name.removeAll()
            data.removeAll(keepingCapacity: data.capacity <= 4_096)
            hasData = false
        }
        guard hasData else { return nil }
        return StreamEvent(
            name: name.isEmpty ? "message" : String(decoding: name, as: UTF8.self),
            data: String(decoding: data, as: UTF8.self), lastEventID: id)
    }
}
