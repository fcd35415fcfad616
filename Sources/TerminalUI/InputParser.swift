/// Turns the bytes of a terminal into input events, whatever pieces they come in.
package struct InputParser: Sendable {
    /// The longest paste kept; the rest of a longer one is dropped.
    package static let pasteLimit = 1 << 20

    private enum Mode {
        case ground
        case paste
        /// Drops a control sequence too long to be a key.
        case overlongControl
        /// Drops an answer of the terminal until its end.
        case string
    }

    private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
    private static let controlLimit = 64
    /// The pauses an answer may have before its rest is taken for keys; a slow line cuts it anywhere.
    private static let pausesMax = 40

    private var mode = Mode.ground
    private var pending: [UInt8] = []
    private var head = 0
    private var pasted: [UInt8] = []
    private var pasteEndMatched = 0
    /// The beginning of an answer of the terminal; `nil` for one of a kind that is not looked at.
    private var answer: [UInt8]?
    /// How many pauses an answer has had.
    private var pauses = 0

    package init() {}

    /// Whether bytes wait for more; after a short pause call `timeout`.
    package var hasPending: Bool {
        !pending.isEmpty || mode == .overlongControl || mode == .string
    }

    /// Takes bytes and answers the events they complete.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        pending.append(contentsOf: bytes)
        var events: [InputEvent] = []
        while head < pending.count, step(into: &events) {}
        pending.removeFirst(head)
        head = 0
        return events
    }

    /// No more bytes came: what waits is taken as it is, a lone ESC as the escape key.
    package mutating func timeout() -> [InputEvent] {
        if mode == .string, answer != nil, pauses < InputParser.pausesMax {
            pauses += 1
            return []
        }
        let waiting = pending
        pending = []
        if mode == .overlongControl || mode == .string { mode = .ground }
        guard let first = waiting.first else { return [] }
        guard first == 0x1B else { return [.character("\u{FFFD}")] }
        guard waiting.count > 1 else { return [.plain(.escape)] }
        if waiting.count == 2, waiting[1] < 0x80 {
            return [Self.withAlt(KeyTable.single(waiting[1]))]
        }
        return waiting[1] < 0x80 ? [] : [.key(.character("\u{FFFD}"), .alt)]
    }

    /// Handles the next piece; `false` when it is not complete.
    private mutating func step(into events: inout [InputEvent]) -> Bool {
        switch mode {
        case .paste: stepPaste(into: &events)
        case .overlongControl: skipControl()
        case .string: return skipString(into: &events)
        case .ground:
            if pending[head] == 0x1B { return stepEscape(into: &events) }
            guard let (event, length) = keyAt(head) else { return false }
            head += length
            if let event { events.append(event) }
        }
        return true
    }
}

// Sequences.
extension InputParser {
    private mutating func stepEscape(into events: inout [InputEvent]) -> Bool {
        guard head + 1 < pending.count else { return false }
        switch pending[head + 1] {
        case 0x1B:
            head += 1
            events.append(.plain(.escape))
        case 0x5B: return stepControl(into: &events)
        case 0x4F:
            guard head + 2 < pending.count else { return false }
            if let event = KeyTable.applicationKey(pending[head + 2]) { events.append(event) }
            head += pending[head + 2] < 0x20 ? 2 : 3
        case 0x50, 0x58, 0x5D, 0x5E, 0x5F:
            // Alt with one of these keys when nothing follows, an answer of the terminal otherwise.
            guard head + 2 < pending.count else { return false }
            // What begins with G is about pictures.
            let isLookedAt = pending[head + 1] == 0x5D || (pending[head + 1] == 0x5F && pending[head + 2] == 0x47)
            answer = isLookedAt ? [] : nil
            pauses = 0
            head += 2
            mode = .string
        default:
            guard let (event, length) = keyAt(head + 1) else { return false }
            head += 1 + length
            if let event { events.append(Self.withAlt(event)) }
        }
        return true
    }

    private mutating func stepControl(into events: inout [InputEvent]) -> Bool {
        var end = head + 2
        while end < pending.count, (0x20...0x3F).contains(pending[end]) { end += 1 }
        if end - head > Self.controlLimit {
            head = end
            mode = .overlongControl
            return true
        }
        guard end < pending.count else { return false }
        let final = pending[end]
        guard (0x40...0x7E).contains(final) else {
            head = end
            return true
        }
        if final == 0x5B, end == head + 2 {
            // The Linux console sends its first function keys with a second bracket.
            guard end + 1 < pending.count else { return false }
            if (0x41...0x45).contains(pending[end + 1]) {
                events.append(.plain(.function(Int(pending[end + 1]) - 0x40)))
            }
            head = end + 2
            return true
        }
        let parameters = pending[(head + 2)..<end]
        if final == 0x4D, parameters.isEmpty {
            // The old form of the mouse: three bytes follow, which must not be taken for keys.
            guard end + 3 < pending.count else { return false }
            let values = pending[(end + 1)...(end + 3)].map { Int($0) - 32 }
            if let mouse = MouseEvent(code: values[0], column: values[1], row: values[2]) {
                events.append(.mouse(mouse))
            }
            head = end + 4
            return true
        }
        head = end + 1
        if final == 0x7E, parameters.elementsEqual("200".utf8) {
            mode = .paste
        } else if let event = KeyTable.controlKey(parameters: parameters, final: final) {
            events.append(event)
        }
        return true
    }

    private mutating func stepPaste(into events: inout [InputEvent]) {
        while head < pending.count {
            let byte = pending[head]
            head += 1
            if byte == Self.pasteEnd[pasteEndMatched] {
                pasteEndMatched += 1
                guard pasteEndMatched == Self.pasteEnd.count else { continue }
                events.append(.paste(String(decoding: pasted, as: UTF8.self)))
                pasted = []
                pasteEndMatched = 0
                mode = .ground
                return
            }
            keepPasted(Self.pasteEnd.prefix(pasteEndMatched))
            pasteEndMatched = byte == 0x1B ? 1 : 0
            if byte != 0x1B { keepPasted([byte]) }
        }
    }

    private mutating func keepPasted(_ bytes: some Collection<UInt8>) {
        pasted.append(contentsOf: bytes.prefix(Self.pasteLimit - pasted.count))
    }

    private mutating func skipControl() {
        while head < pending.count, (0x20...0x3F).contains(pending[head]) { head += 1 }
        guard head < pending.count else { return }
        if (0x40...0x7E).contains(pending[head]) { head += 1 }
        mode = .ground
    }

    /// Skips to the end of a string; `false` when its last byte may be the first half of the end.
    private mutating func skipString(into events: inout [InputEvent]) -> Bool {
        while head < pending.count, pending[head] != 0x07, pending[head] != 0x1B {
            if let known = answer?.count, known < BackgroundAnswer.longest { answer?.append(pending[head]) }
            head += 1
        }
        guard head < pending.count else { return true }
        if pending[head] == 0x07 {
            head += 1
        } else {
            guard head + 1 < pending.count else { return false }
            // Any other ESC ends the string too and begins what follows.
            if pending[head + 1] == 0x5C { head += 2 }
        }
        if let isDark = answer.flatMap(BackgroundAnswer.isDark) { events.append(.background(isDark: isDark)) }
        if let isKnown = answer.flatMap(GraphicsAnswer.isKnown) { events.append(.graphics(isKnown: isKnown)) }
        answer = nil
        mode = .ground
        return true
    }
}

// Single keys.
extension InputParser {
    /// The key at an index and its length in bytes; `nil` when it is not complete, no event for an ignored one.
    private func keyAt(_ index: Int) -> (event: InputEvent?, length: Int)? {
        let first = pending[index]
        if first < 0x80 { return (KeyTable.single(first), 1) }
        let expected = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard (0xC2...0xF4).contains(first) else { return (.character("\u{FFFD}"), 1) }
        var length = 1
        while length < expected, index + length < pending.count, pending[index + length] & 0xC0 == 0x80 {
            length += 1
        }
        if length < expected, index + length == pending.count { return nil }
        let text = String(decoding: pending[index..<(index + length)], as: UTF8.self)
        guard let scalar = text.unicodeScalars.first, length == expected else {
            return (.character("\u{FFFD}"), length)
        }
        return ((0x80...0x9F).contains(scalar.value) ? nil : .character(Character(scalar)), length)
    }

    private static func withAlt(_ event: InputEvent) -> InputEvent {
        guard case .key(let key, let modifiers) = event else { return event }
        return .key(key, modifiers.union(.alt))
    }
}
