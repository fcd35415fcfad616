import EventStream
import Glibc
import JSON
import MailTestSupport
import Testing

/// One case of the shared vectors: bytes, and what they mean.
private struct Vector {
    var name = ""
    var bytes: [UInt8] = []
    var events: [StreamEvent] = []
    var lastEventID = ""
    var retry: Int64?

    init(from reader: inout JSONReader) throws(JSONError) {
        var vector = (name: "", bytes: [UInt8](), events: [StreamEvent](), lastEventID: "", retry: Int64?.none)
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "name": vector.name = try reader.string()
            case "bytes": vector.bytes = Array(try reader.string().utf8)
            case "hex": vector.bytes = Vector.bytes(hexadecimal: try reader.string())
            case "lastEventId": vector.lastEventID = try reader.string()
            case "retry": vector.retry = try reader.takeNull() ? nil : Int64(try reader.int())
            case "events":
                try reader.array { reader throws(JSONError) in vector.events.append(try Vector.event(&reader)) }
            default: try reader.skip()
            }
        }
        (name, bytes, events, lastEventID, retry) = vector
    }

    private static func event(_ reader: inout JSONReader) throws(JSONError) -> StreamEvent {
        var event = StreamEvent(data: "")
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "type": event.name = try reader.string()
            case "data": event.data = try reader.string()
            case "id": event.lastEventID = try reader.string()
            default: try reader.skip()
            }
        }
        return event
    }

    private static func bytes(hexadecimal text: String) -> [UInt8] {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}

struct VectorTests {
    @Test func `the shared vectors are read as they say`() throws {
        guard let bytes = SharedFolder.read("vectors/sse_vectors.json") else { return }
        var reader = JSONReader(bytes)
        var vectors: [Vector] = []
        try reader.array { reader throws(JSONError) in vectors.append(try Vector(from: &reader)) }
        #expect(vectors.count > 20)
        for vector in vectors {
            for size in [1, 2, 3, max(1, vector.bytes.count)] {
                var parser = EventStreamParser()
                var events: [StreamEvent] = []
                var rest = vector.bytes[...]
                while !rest.isEmpty {
                    try parser.read(Array(rest.prefix(size)), into: &events)
                    rest = rest.dropFirst(size)
                }
                #expect(events == vector.events, "\(vector.name) by \(size)")
                #expect(parser.lastEventID == vector.lastEventID, "\(vector.name) by \(size)")
                #expect(parser.retryMilliseconds == vector.retry, "\(vector.name) by \(size)")
            }
        }
    }
}
