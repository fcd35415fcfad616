internal import HTML
package import MailModel

/// A picture that a body shows, by the number its words have in the lines.
package struct ImageTarget: Sendable, Hashable {
    /// Where the picture is to be had.
    package enum Source: Sendable, Hashable {
        /// A file of the message itself.
        case inline(AttachmentID)
        /// An address somewhere else, which the server gives out only when it was asked for.
        case remote(String)
    }

    package var number: Int
    package var source: Source
    /// The size in pixels that the sender asks for.
    package var width: Int?
    package var height: Int?
}

/// Numbers the pictures of a body.
struct ImageCollector {
    private static let most = 100
    /// Smaller pictures are marks and spacers; drawn in cells they would be one blot.
    private static let smallest = 24

    private(set) var images: [ImageTarget] = []

    init(continuing images: [ImageTarget] = []) {
        self.images = images
    }

    /// The number for an element; `nil` when it shows no picture worth drawing.
    mutating func number(for element: HTMLElement) -> Int? {
        guard images.count < ImageCollector.most, let source = ImageCollector.source(element) else { return nil }
        let (width, height) = (ImageCollector.pixels(element, "width"), ImageCollector.pixels(element, "height"))
        if let width, width < ImageCollector.smallest { return nil }
        if let height, height < ImageCollector.smallest { return nil }
        if let known = images.first(where: { $0.source == source }) { return known.number }
        let number = images.count + 1
        images.append(ImageTarget(number: number, source: source, width: width, height: height))
        return number
    }

    /// The server rewrites the address of a message's own picture to `…/messages/ID/inline/ID` (contract §3.5).
    private static func source(_ element: HTMLElement) -> ImageTarget.Source? {
        guard let address = element.attribute("src"), !address.isEmpty else { return nil }
        let path = address.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count >= 7, parts[parts.count - 2] == "inline", parts[parts.count - 4] == "messages",
            parts[parts.count - 5] == "v1", parts[parts.count - 6] == "api", let id = parts.last, !id.isEmpty
        {
            return PercentText.decoded(id).map { .inline(AttachmentID($0)) }
        }
        guard let target = LinkAddress(address), target.isWeb, target.refusal == nil else { return nil }
        return .remote(target.text)
    }

    private static func pixels(_ element: HTMLElement, _ name: String) -> Int? {
        guard let value = element.attribute(name) else { return nil }
        let digits = value.prefix { $0.isASCII && $0.isNumber }
        let unit = value.dropFirst(digits.count)
        guard unit.isEmpty || unit == "px", let number = Int(digits), (1...20_000).contains(number) else { return nil }
        return number
    }
}

extension MessageHTML {
    /// How many pictures of other servers were left out: those whose address the server took away.
    ///
    /// Zero when it says that there are some but none of them could be shown, such as backgrounds.
    package var blockedImages: Int {
        guard hasRemoteImages else { return 0 }
        return [html, quotedHTML ?? "", afterQuotedHTML ?? ""].reduce(0) { $0 + ImageTags.withoutSource(in: $1) }
    }
}

/// A quick look at the image tags of a text that the server has made.
enum ImageTags {
    /// How many image tags have no address.
    static func withoutSource(in html: String) -> Int {
        var html = html
        return html.withUTF8 { bytes in
            var count = 0
            var index = 0
            while index + 4 < bytes.count {
                guard bytes[index] == 0x3C, isImage(bytes, at: index + 1) else {
                    index += 1
                    continue
                }
                let (hasSource, end) = scan(bytes, from: index + 4)
                if !hasSource { count += 1 }
                index = end
            }
            return count
        }
    }

    private static func isImage(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        index + 3 < bytes.count && bytes[index] | 0x20 == 0x69 && bytes[index + 1] | 0x20 == 0x6D
            && bytes[index + 2] | 0x20 == 0x67 && isEnd(bytes[index + 3])
    }

    /// Whether a byte ends the name of a tag or of an attribute.
    private static func isEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x2F || byte == 0x3E || byte == 0x3D }

    /// Whether the attributes that begin at `start` name an address, and where the tag ends.
    private static func scan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (Bool, end: Int) {
        var index = start
        var hasSource = false
        while index < bytes.count, bytes[index] != 0x3E {
            let name = index
            while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
            let isSource =
                index - name == 3 && bytes[name] | 0x20 == 0x73 && bytes[name + 1] | 0x20 == 0x72
                && bytes[name + 2] | 0x20 == 0x63
            if index == name {
                index += 1
                guard bytes[index - 1] == 0x3D else { continue }
                index = endOfValue(bytes, from: index)
                continue
            }
            guard index < bytes.count, bytes[index] == 0x3D else { continue }
            let value = index + 1
            index = endOfValue(bytes, from: value)
            let isQuoted = value < bytes.count && (bytes[value] == 0x22 || bytes[value] == 0x27)
            if isSource, index > value + (isQuoted ? 2 : 0) { hasSource = true }
        }
        return (hasSource, index)
    }

    private static func endOfValue(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard start < bytes.count else { return start }
        var index = start
        let quote = bytes[start]
        guard quote == 0x22 || quote == 0x27 else {
            while index < bytes.count, bytes[index] > 0x20, bytes[index] != 0x3E { index += 1 }
            return index
        }
        index += 1
        while index < bytes.count, bytes[index] != quote { index += 1 }
        return min(bytes.count, index + 1)
    }
}
