import DisplayText
import EventStream
import Glibc
import HTML
import HTTP
import JSON
import LocalServer
import MIME
import MailFilter
import MailText
import MailWire
import TOML
import TerminalUI

/// A reader of foreign bytes, and what must hold whatever they are.
enum FuzzTarget: String, CaseIterable {
    case filter, json, link, html, key, mbox, mime, sse, text, toml

    /// The one to run, from the environment.
    static let chosen: FuzzTarget = {
        let name = getenv("HERALD_FUZZ").map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            print("HERALD_FUZZ is one of \(allCases.map(\.rawValue).joined(separator: ", ")).")
            exit(64)
        }
        return target
    }()

    func run(_ bytes: [UInt8]) {
        switch self {
        case .filter: readFilter(bytes)
        case .json: readJSON(bytes)
        case .link: readLink(bytes)
        case .html: readHTML(bytes)
        case .key: readKeys(bytes)
        case .mbox: readMbox(bytes)
        case .mime: _ = MIMEParser.parse(bytes)
        case .sse: readEvents(bytes)
        case .text: readText(bytes)
        case .toml: readTOML(bytes)
        }
    }
}

/// Ends the run; libFuzzer keeps the input.
func require(_ condition: Bool, _ rule: StaticString) {
    guard !condition else { return }
    print("broken: \(rule)")
    abort()
}

/// A filter is read or refused at a column it has, and what was read is printed as the same filter.
private func readFilter(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    do {
        let filter = try FilterParser.parse(text)
        let printed = filter.text
        if printed.utf8.count <= FilterParser.bytesMax {
            require((try? FilterParser.parse(printed)) == filter, "a printed filter is the same filter")
        }
    } catch {
        require(error.column >= 1 && error.column <= text.count + 1, "a refusal names a column of the filter")
    }
}

/// A document is read or refused, and a refusal names a line it has.
private func readTOML(_ bytes: [UInt8]) {
    do {
        _ = try TOMLReader.read(bytes)
    } catch {
        let lines = bytes.count { $0 == 0x0A } + 1
        require(error.line.map { $0 >= 1 && $0 <= lines + 1 } ?? true, "a refusal names a line of the document")
    }
}

/// What is read can be written, and the written reads back alike.
private func readJSON(_ bytes: [UInt8]) {
    var reader = JSONReader(bytes)
    guard let page = try? ChangePageWire(from: &reader) else {
        var message = JSONReader(bytes)
        _ = try? MessageDetailWire(from: &message)
        var any = JSONReader(bytes)
        try? any.skip()
        return
    }
    var writer = JSONWriter()
    page.write(to: &writer)
    var again = JSONReader(writer.bytes)
    guard let copy = try? ChangePageWire(from: &again) else { return require(false, "written JSON is read again") }
    require(copy.nextCursor == page.nextCursor && copy.hasMore == page.hasMore, "written JSON reads back alike")
}

private func readLink(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for link in LinkValue.parse(text) { _ = URLParts(link.target) }
    _ = URLParts(text)
}

private func readHTML(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for columns in [30, 80] { check(renderHTML(text, columns: columns), columns) }
}

private func readText(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    check(renderText(text, columns: 30, showQuotes: true), 30)
    let line = TextDisplay.sanitizedLine(text)
    require(!line.unicodeScalars.contains(where: isControl), "a sanitised line has no control character")
    require(TextDisplay.sanitizedLine(line) == line, "sanitising twice changes nothing")
    for columns in [1, 7] {
        let fitted = TextDisplay.padded(TextDisplay.truncated(line, columns: columns), columns: columns)
        require(TextDisplay.width(of: fitted) == columns, "a padded text has its width")
    }
}

private func check(_ body: RenderedBody, _ columns: Int) {
    for line in body.lines {
        require(TextDisplay.width(of: line.text) <= columns, "no line is wider than the pane")
        require(!line.text.unicodeScalars.contains(where: isControl), "no line has a control character")
    }
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
}

/// The first byte says where the rest is cut; the pieces must give what the whole gives.
private func readKeys(_ bytes: [UInt8]) {
    guard let cut = bytes.first.map(Int.init) else { return }
    let input = bytes.dropFirst()
    var whole = InputParser()
    let expected = whole.feed(input) + whole.timeout()
    var pieces = InputParser()
    var found = pieces.feed(input.prefix(cut))
    found += pieces.feed(input.dropFirst(cut))
    found += pieces.timeout()
    require(found == expected, "keys cut in two are the same keys")
}

/// No byte of a body is lost but marks of quoting and separators.
private func readMbox(_ bytes: [UInt8]) {
    let messages = Mbox.messages(bytes)
    require(messages.reduce(0) { $0 + $1.count } <= bytes.count, "an mbox holds no more than its bytes")
}
