internal import HTML

/// What happens in a source, tag by tag, with the ends that its writer left out.
struct HTMLEvent: Sendable {
    enum Kind: Sendable {
        case text(String)
        case open(String, [HTMLAttribute])
        case close(String)
    }

    let kind: Kind
    /// Where it stands in the source; empty for an end that was left out.
    let range: Range<Int>
}

/// Turns tags into events: void elements end at once, and some elements end when another begins.
struct HTMLFlow {
    static let void: Set<String> = [
        "area", "base", "basefont", "br", "col", "command", "embed", "frame", "hr", "img", "input", "isindex", "keygen",
        "link", "meta", "param", "source", "track", "wbr",
    ]

    /// What an opening tag ends, when that is the innermost element.
    private static let ends: [String: Set<String>] = {
        var ends: [String: Set<String>] = [
            "a": ["a"], "tr": ["tr", "th", "td"], "th": ["th"], "td": ["thead", "th", "td"],
            "body": ["head", "link", "script"],
            "li": ["li"], "option": ["option"], "optgroup": ["optgroup", "option"], "dd": ["dd", "dt"],
            "dt": ["dd", "dt"], "rt": ["rt", "rp"], "rp": ["rt", "rp"], "tbody": ["thead", "tbody"],
            "tfoot": ["thead", "tbody"],
        ]
        for name in ["select", "input", "output", "button", "datalist", "textarea"] {
            ends[name] = ["input", "option", "optgroup", "select", "button", "datalist", "textarea"]
        }
        let blocks = """
            p h1 h2 h3 h4 h5 h6 address article aside blockquote details div dl fieldset figcaption figure footer form \
            header hr main nav ol pre section table ul
            """
        for name in blocks.split(separator: " ") { ends[String(name)] = ["p"] }
        return ends
    }()

    private var stack: [String] = []
    /// How many of each element are open, so that an end without a beginning costs nothing.
    private var counts: [String: Int] = [:]
    private var events: [HTMLEvent] = []

    /// The events of a part of the source.
    static func events(_ bytes: [UInt8], _ range: Range<Int>) -> [HTMLEvent] {
        var flow = HTMLFlow()
        for token in HTMLTokenizer.tokens(bytes, range) { flow.take(token) }
        let end = range.upperBound
        while let name = flow.stack.popLast() { flow.events.append(HTMLEvent(kind: .close(name), range: end..<end)) }
        return flow.events
    }

    private mutating func take(_ token: HTMLToken) {
        switch token.kind {
        case .text(let text): events.append(HTMLEvent(kind: .text(text), range: token.range))
        case .open(let name, let attributes): open(name, attributes, token.range)
        case .close(let name): close(name, token.range)
        }
    }

    private mutating func open(_ name: String, _ attributes: [HTMLAttribute], _ range: Range<Int>) {
        let start = range.lowerBound
        if let ended = HTMLFlow.ends[name] {
            while let last = stack.last, ended.contains(last) { pop(start..<start) }
        }
        events.append(HTMLEvent(kind: .open(name, attributes), range: range))
        if HTMLFlow.void.contains(name) {
            events.append(HTMLEvent(kind: .close(name), range: range.upperBound..<range.upperBound))
        } else {
            stack.append(name)
            counts[name, default: 0] += 1
        }
    }

    /// Ends the innermost element.
    private mutating func pop(_ range: Range<Int>) {
        guard let name = stack.popLast() else { return }
        counts[name, default: 1] -= 1
        events.append(HTMLEvent(kind: .close(name), range: range))
    }

    private mutating func close(_ name: String, _ range: Range<Int>) {
        let start = range.lowerBound
        if counts[name, default: 0] > 0 {
            while let last = stack.last, last != name { pop(start..<start) }
            pop(range)
        } else if name == "p" {
            open("p", [], start..<start)
            pop(range)
        } else if name == "br" {
            open("br", [], range)
        }
    }
}
