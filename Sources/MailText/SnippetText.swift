internal import DisplayText

/// The beginning of a message's own words, for a list: without quotes, signatures, style sheets and standing phrases.
///
/// `snippet` is what the server sends (contract §9: the first 180 units of the text, its white space collapsed).
/// Where nothing but a quote is left, the quoted words are the answer. The result is one sanitised line.
package func cleanSnippet(_ snippet: String, subject: String = "") -> String {
    var text = SnippetText(EntityText.decoded(snippet))
    text.removeStyles()
    text.removeBracketed()
    text.removeRules()
    let whole = text
    text.cutReply()
    text.cutSignature()
    text.dropPhrases()
    text.dropSubject(subject)
    text.trim()
    if text.isEmpty {
        text = whole
        text.dropQuoteHead()
        text.trim()
    }
    // What was taken out may have stood between a letter and a mark.
    return TextDisplay.sanitizedLine(text.text)
}

/// A line that is cut piece by piece; every place to cut is found at ASCII characters.
struct SnippetText {
    /// The line's bytes, and the same with small letters for looking things up.
    private(set) var bytes: [UInt8]
    private var small: [UInt8]
    /// Which bytes the text had at first.
    private var present = [Bool](repeating: false, count: 256)

    init(_ text: String) {
        bytes = []
        var isBlank = true
        // Runs of blanks, also those that invisible fillers left, become one.
        for byte in TextDisplay.sanitizedLine(text).utf8 {
            if byte == 0x20, isBlank { continue }
            isBlank = byte == 0x20
            bytes.append(byte)
        }
        small = bytes.map(SnippetText.lowered)
        for byte in small { present[Int(byte)] = true }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var isEmpty: Bool { bytes.isEmpty }

    static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }

    /// Removes a range; blanks at both of its ends become one.
    mutating func remove(_ range: Range<Int>) {
        var range = range
        if range.lowerBound == 0 || bytes[range.lowerBound - 1] == 0x20 {
            while range.upperBound < bytes.count, bytes[range.upperBound] == 0x20 {
                range = range.lowerBound..<range.upperBound + 1
            }
        }
        bytes.removeSubrange(range)
        small.removeSubrange(range)
    }

    mutating func cut(from place: Int) {
        guard place < bytes.count else { return }
        remove(place..<bytes.count)
    }

    mutating func trim() {
        while bytes.last == 0x20 { cut(from: bytes.count - 1) }
        if let first = bytes.firstIndex(where: { $0 != 0x20 }), first > 0 { remove(0..<first) }
    }

    /// Where a word in small letters is, from a place on.
    func place(of word: StaticString, from start: Int = 0) -> Int? {
        word.withUTF8Buffer { sought -> Int? in
            let count = sought.count
            guard count > 0, small.count - start >= count else { return nil }
            // Most words have a byte that is nowhere in the text.
            for place in 0..<count where !present[Int(sought[place])] { return nil }
            return small.withUnsafeBufferPointer { text in
                var place = start
                let last = text.count - count
                while place <= last {
                    var matched = 0
                    while matched < count, text[place + matched] == sought[matched] { matched += 1 }
                    if matched == count { return place }
                    place += 1
                }
                return nil
            }
        }
    }

    func hasWord(_ word: StaticString, at start: Int) -> Bool {
        word.withUTF8Buffer { sought in
            guard start >= 0, start + sought.count <= small.count else { return false }
            var matched = 0
            while matched < sought.count, small[start + matched] == sought[matched] { matched += 1 }
            return matched == sought.count
        }
    }

    /// Whether a word may begin here: at the start or behind a blank or bracket.
    func isStart(_ place: Int) -> Bool { place == 0 || [0x20, 0x28, 0x5B, 0x7C].contains(bytes[place - 1]) }
}

// Quotes and signatures.
extension SnippetText {
    private static let headings: [StaticString] = [
        "-----original message-----", "-----ursprüngliche nachricht-----", "---------- forwarded message",
        "-------- forwarded message", "-------- original message", "begin forwarded message:", "----- forwarded",
        "----- original message",
    ]
    /// How people's programs say that others' words follow.
    private static let verbs: [StaticString] = [
        " wrote:", " writes:", " schrieb:", " schrieb ", " geschrieben:", " écrit :", " escribió:", " ha scritto:",
        " schreef:", " skrev:",
    ]
    private static let starts: [StaticString] = ["on ", "am ", "le ", "el ", "il ", "op ", "den ", "at "]
    private static let days: [StaticString] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let reach = 140

    /// Cuts where another message begins.
    mutating func cutReply() {
        var place = bytes.count
        for heading in SnippetText.headings { place = min(place, self.place(of: heading) ?? place) }
        if let headers = outlookHeaders { place = min(place, headers) }
        if let attribution { place = min(place, attribution) }
        // Words between a quote mark and the next are others'; a single mark may be a sign of mathematics.
        if let mark = self.place(of: " > "), self.place(of: " > ", from: mark + 2) != nil { place = min(place, mark) }
        if hasWord("> ", at: 0) { place = 0 }
        cut(from: place)
    }

    /// Where the header lines of a quoted message begin.
    private var outlookHeaders: Int? {
        var start = 0
        while let place = place(of: "from: ", from: start) {
            if isStart(place),
                self.place(of: " sent: ", from: place) != nil || self.place(of: " date: ", from: place) != nil
            {
                return place
            }
            start = place + 1
        }
        return nil
    }

    /// Where a line such as `On Monday Ann wrote:` begins, also when the end of the snippet cuts it.
    private var attribution: Int? {
        let verb = SnippetText.verbs.compactMap { self.place(of: $0) }.min()
        let end = verb ?? bytes.count
        var found: Int?
        for start in SnippetText.starts {
            var from = max(0, end - SnippetText.reach)
            while let place = place(of: start, from: from), place < end {
                if isStart(place), beginsDate(place + start.utf8CodeUnitCount), verb != nil || isNearEnd(place) {
                    found = min(found ?? place, place)
                }
                from = place + 1
            }
        }
        return found ?? verb.map(wordsBefore)
    }

    private func isNearEnd(_ place: Int) -> Bool { bytes.count >= 150 && bytes.count - place < 90 }

    /// Whether what follows looks like a date: a digit, or the name of a day.
    private func beginsDate(_ place: Int) -> Bool {
        guard place < bytes.count else { return false }
        if (0x30...0x39).contains(bytes[place]) { return true }
        if SnippetText.days.contains(where: { hasWord($0, at: place) }) { return true }
        // In other languages a date has a digit soon.
        return bytes[place...].prefix(14).contains { (0x30...0x39).contains($0) }
    }

    /// The sentence that ends in a verb of quoting begins behind the last full stop before it.
    private func wordsBefore(_ verb: Int) -> Int {
        var place = verb
        while place > 0, verb - place < SnippetText.reach {
            if place > 1, bytes[place - 1] == 0x20, [0x2E, 0x21, 0x3F].contains(bytes[place - 2]) { return place }
            place -= 1
        }
        return place == 0 ? 0 : verb
    }

    /// Cuts where a signature or a device's advertisement begins.
    mutating func cutSignature() {
        let marks: [StaticString] = [
            " -- ", "sent from my ", "get outlook for ", "von meinem iphone gesendet", "envoyé de mon ",
            "enviado desde mi ", "sent from yahoo mail", "sent from outlook for ",
        ]
        for mark in marks {
            if let place = place(of: mark), place > 0 || mark.utf8CodeUnitCount > 4 { cut(from: place) }
        }
    }

    /// Drops the mark or heading that a text of nothing but quoted words begins with.
    mutating func dropQuoteHead() {
        if let verb = SnippetText.verbs.compactMap({ verb in place(of: verb).map { $0 + verb.utf8CodeUnitCount } })
            .min()
        {
            remove(0..<verb)
        }
        while let first = bytes.first, first == 0x3E || first == 0x20 { remove(0..<1) }
        while let mark = place(of: " > ") { remove(mark..<mark + 2) }
    }
}

// What programs put around words.
extension SnippetText {
    private static let phrases: [StaticString] = [
        "view this email in your browser", "view this e-mail in your browser", "view in your browser",
        "view email in browser", "view in browser", "view online", "view web version", "view as web page",
        "web version", "read online", "open in browser", "having trouble viewing this email?",
        "trouble viewing this email?", "trouble viewing this message?", "can't see this email?", "can't see images?",
        "email not displaying correctly?", "is this email not displaying correctly?", "problem viewing this email?",
        "click here to view", "click here", "view it in your browser", "view it online", "im browser ansehen",
        "im browser öffnen", "online ansehen", "voir en ligne", "ver en el navegador",
    ]

    /// Drops standing phrases the text begins with, one after the other.
    mutating func dropPhrases() {
        var rounds = 0
        while rounds < 6 {
            guard let phrase = SnippetText.phrases.first(where: { hasWord($0, at: 0) }) else { return }
            remove(0..<phrase.utf8CodeUnitCount)
            dropMarks()
            rounds += 1
        }
    }

    /// Drops marks that stood between what was removed and the words.
    private mutating func dropMarks() {
        let marks: [UInt8] = [0x20, 0x2E, 0x2C, 0x3A, 0x3B, 0x7C, 0x3E, 0x2D, 0x29, 0x5D, 0x2F]
        let end = bytes.firstIndex { !marks.contains($0) } ?? bytes.count
        if end > 0 { remove(0..<end) }
    }

    /// Drops the subject where the text repeats it and says more.
    mutating func dropSubject(_ subject: String) {
        let repeated = SnippetText(subject).small
        guard repeated.count > 3, bytes.count > repeated.count + 10, small.starts(with: repeated) else { return }
        remove(0..<repeated.count)
        dropMarks()
    }

    /// Removes addresses and pictures' names in brackets: `<https://…>`, `[image: logo]`, `(http://…)`.
    mutating func removeBracketed() {
        let starts: [(StaticString, UInt8)] = [
            ("<http", 0x3E), ("[http", 0x5D), ("(http", 0x29), ("<mailto:", 0x3E), ("[image", 0x5D), ("[cid:", 0x5D),
            ("( http", 0x29),
        ]
        for (start, end) in starts {
            while let place = place(of: start) {
                let close = bytes[place...].firstIndex(of: end).map { $0 + 1 } ?? bytes.count
                remove(place..<close)
            }
        }
    }

    /// Removes lines drawn with signs: `=====`, `* * * *`.
    mutating func removeRules() {
        let signs: [UInt8] = [0x2A, 0x3D, 0x5F, 0x7E, 0x23, 0x2B]
        var place = 0
        while place < bytes.count {
            guard signs.contains(bytes[place]) else {
                place += 1
                continue
            }
            var end = place
            while end < bytes.count, bytes[end] == bytes[place] || bytes[end] == 0x20 { end += 1 }
            while end > place, bytes[end - 1] == 0x20 { end -= 1 }
            if end - place >= 4 { remove(place..<end) } else { place = end }
        }
    }

    /// Removes style sheets and comments, which the server takes for text.
    mutating func removeStyles() {
        while let start = place(of: "/*") {
            let close = place(of: "*/", from: start + 2).map { $0 + 2 } ?? bytes.count
            remove(start..<close)
        }
        while let start = place(of: "<!--") {
            let close = place(of: "-->", from: start + 4).map { $0 + 3 } ?? bytes.count
            remove(start..<close)
        }
        var rounds = 0
        while let brace = bytes.firstIndex(of: 0x7B), rounds < 20 {
            guard isStyle(brace) else { return }
            remove(selector(before: brace)..<closing(brace))
            rounds += 1
        }
        // What closed a rule for some screens only.
        while bytes.first == 0x7D || bytes.first == 0x20 { remove(0..<1) }
    }

    private func closing(_ start: Int) -> Int {
        var depth = 0
        for place in start..<bytes.count {
            if bytes[place] == 0x7B { depth += 1 }
            if bytes[place] == 0x7D { depth -= 1 }
            if depth == 0 { return place + 1 }
        }
        return bytes.count
    }

    /// Whether a brace opens a style: a property follows, another rule, or the end.
    private func isStyle(_ brace: Int) -> Bool {
        let inside = bytes[(brace + 1)...].prefix { ![0x7D, 0x7B].contains($0) }
        let isRule = brace + 1 + inside.count < bytes.count && bytes[brace + 1 + inside.count] == 0x7B
        return isRule || inside.contains(0x3A) || inside.allSatisfy { $0 == 0x20 } || inside.endIndex == bytes.count
    }

    /// Where the selector before a brace begins.
    private func selector(before brace: Int) -> Int {
        var start = brace
        while start > 0 {
            var word = start
            while word > 0, bytes[word - 1] == 0x20 { word -= 1 }
            let end = word
            while word > 0, bytes[word - 1] != 0x20, bytes[word - 1] != 0x7D { word -= 1 }
            guard end > word, SnippetText.isSelector(small[word..<end]) else { break }
            start = word
            if word > 0, bytes[word - 1] == 0x7D { break }
        }
        return start
    }

    private static let elements = [
        "a", "b", "body", "html", "p", "div", "span", "table", "td", "tr", "th", "img", "ul", "ol", "li", "h1", "h2",
        "h3", "h4", "h5", "h6", "u", "i", "strong", "center", "and", "screen", "only", "all", "not", "print",
        "blockquote", "pre", "v", "o", "w",
    ].map { Array($0.utf8) }

    /// Whether a word stands in selectors rather than in sentences.
    private static func isSelector(_ word: ArraySlice<UInt8>) -> Bool {
        guard let first = word.first, let last = word.last else { return false }
        if [0x2E, 0x23, 0x40, 0x2A, 0x28, 0x3E, 0x3A, 0x5B].contains(first) { return true }
        let bare = last == 0x2C ? word.dropLast() : word
        let name = bare.prefix { ![0x2E, 0x23, 0x3A, 0x5B, 0x2C, 0x3E].contains($0) }
        return elements.contains { $0.elementsEqual(name) } || word.contains(0x29) && word.contains(0x3A)
    }
}
