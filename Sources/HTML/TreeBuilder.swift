/// Builds the tree from parser events, within the limits.
///
/// A class because the parser's callbacks reach it through a pointer.
final class TreeBuilder {
    private let limits: HTMLLimits
    private var stack: [HTMLElement] = [HTMLElement(name: "#document")]
    private var pendingText: [UInt8] = []
    private var nodeCount = 0
    /// Elements that are open in the parser but were not given a level of their own.
    private var flattened: [Bool] = []

    init(limits: HTMLLimits) {
        self.limits = limits
    }

    /// The number of elements the parser has open.
    var openElements: Int { flattened.count }

    func start(_ name: String, _ attributes: [HTMLAttribute]) {
        flushText()
        guard stack.count < limits.depth, nodeCount < limits.nodes else {
            flattened.append(true)
            if name == "br" { appendLeaf(HTMLElement(name: name)) }
            return
        }
        nodeCount += 1
        flattened.append(false)
        stack.append(HTMLElement(name: name, attributes: attributes))
    }

    func end() {
        flushText()
        guard let wasFlattened = flattened.popLast(), !wasFlattened else { return }
        closeLast()
    }

    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        pendingText.append(contentsOf: bytes)
    }

    func finish() -> HTMLElement {
        flushText()
        while stack.count > 1 { closeLast() }
        return stack[0]
    }

    private func closeLast() {
        guard stack.count > 1, let element = stack.popLast() else { return }
        stack[stack.count - 1].children.append(.element(element))
    }

    private func appendLeaf(_ element: HTMLElement) {
        guard nodeCount < limits.nodes else { return }
        nodeCount += 1
        stack[stack.count - 1].children.append(.element(element))
    }

    private func flushText() {
        guard !pendingText.isEmpty else { return }
        defer { pendingText.removeAll(keepingCapacity: true) }
        guard nodeCount < limits.nodes else { return }
        nodeCount += 1
        stack[stack.count - 1].children.append(.text(TreeBuilder.decoded(pendingText)))
    }

    /// Numeric references to U+0080 to U+009F mean Windows-1252, as browsers read them.
    static func decoded(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(0xC2), text.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }) else {
            return text
        }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if (0x80...0x9F).contains(scalar.value) {
                result.append(windows1252[Int(scalar.value - 0x80)])
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static let windows1252: [Unicode.Scalar] = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
}
