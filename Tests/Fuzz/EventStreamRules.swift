import EventStream

/// What a stream says, by one reading.
private struct Reading: Hashable {
    var events: [StreamEvent] = []
    var lastEventID = ""
    var retry: Int64?
    var failure: EventStreamError?
}

/// The first two bytes say where the rest is cut and how long it may be; cut or whole, it means what the standard says.
func readEvents(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return }
    let input = Array(bytes.dropFirst(2))
    let most = 1 + Int(bytes[1])
    let limits =
        bytes[1] % 2 == 0
        ? EventStreamParser.Limits() : EventStreamParser.Limits(lineBytesMax: most, eventBytesMax: most * 2)
    let whole = reading(of: input, pieces: max(input.count, 1), limits: limits)
    require(reading(of: input, pieces: 1 + Int(bytes[0]), limits: limits) == whole, "events cut apart are the same")
    guard whole.failure == nil else {
        return require(bytes[1] % 2 == 1, "a short stream is within the usual limits")
    }
    require(plainReading(of: input) == whole, "events are what the standard says")
}

private func reading(of bytes: [UInt8], pieces size: Int, limits: EventStreamParser.Limits) -> Reading {
    var parser = EventStreamParser(limits: limits)
    var reading = Reading()
    var rest = bytes[...]
    do throws(EventStreamError) {
        while !rest.isEmpty {
            try parser.read(Array(rest.prefix(size)), into: &reading.events)
            rest = rest.dropFirst(size)
        }
    } catch {
        reading.failure = error
    }
    reading.lastEventID = parser.lastEventID
    reading.retry = parser.retryMilliseconds
    return reading
}

/// The standard's reading with the whole stream at hand: lines first, then fields, then blocks.
private func plainReading(of bytes: [UInt8]) -> Reading {
    var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    var reading = Reading()
    var (name, data, id) = ("", [String](), "")
    while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        if bytes[end] == 0x0D, rest.first == 0x0A { rest = rest.dropFirst() }
        if line.isEmpty {
            reading.lastEventID = id
            let text = data.joined(separator: "\n")
            if !data.isEmpty {
                reading.events.append(StreamEvent(name: name.isEmpty ? "message" : name, data: text, lastEventID: id))
            }
            (name, data) = ("", [])
            continue
        }
        let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
        var content = parts.count > 1 ? parts[1] : []
        if content.first == 0x20 { content = content.dropFirst() }
        let value = String(decoding: content, as: UTF8.self)
        switch String(decoding: parts[0], as: UTF8.self) {
        case "data": data.append(value)
        case "event": name = value
        case "id": if !content.contains(0) { id = value }
        case "retry":
            if !content.isEmpty, content.allSatisfy({ 0x30...0x39 ~= $0 }) { reading.retry = Int64(value) ?? .max }
        default: break
        }
    }
    return reading
}
