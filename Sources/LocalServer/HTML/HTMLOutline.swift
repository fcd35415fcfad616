internal import HTML

/// The elements and texts of a source with their places in it.
struct HTMLOutline: Sendable {
    struct Node: Sendable {
        /// Empty for a text.
        let name: String
        let attributes: [HTMLAttribute]
        let text: String
        let parent: Int?
        let start: Int
        var end: Int
        var children: [Int] = []

        /// The value of an attribute; `nil` when it is absent.
        func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

        /// The class names.
        var classes: [Substring] { (attribute("class") ?? "").split { $0.isWhitespace } }
    }

    /// In document order.
    private(set) var nodes: [Node] = []
    /// The nodes outside all elements.
    private(set) var roots: [Int] = []

    init(_ bytes: [UInt8]) {
        var open: [Int] = []
        for event in HTMLFlow.events(bytes, 0..<bytes.count) {
            switch event.kind {
            case .text(let text): add(Node("", [], text, open.last, event.range))
            case .open(let name, let attributes):
                open.append(nodes.count)
                add(Node(name, attributes, "", open.dropLast().last, event.range))
            case .close: if let last = open.popLast() { nodes[last].end = event.range.upperBound }
            }
        }
    }

    private mutating func add(_ node: Node) {
        if let parent = node.parent { nodes[parent].children.append(nodes.count) } else { roots.append(nodes.count) }
        nodes.append(node)
    }

    /// The nodes beside one, itself included, in order.
    func siblings(of index: Int) -> [Int] { nodes[index].parent.map { nodes[$0].children } ?? roots }

    /// Neighbours, or the element around them when it holds nothing else.
    func widened(_ block: [Int]) -> [Int] {
        var block = Set(block)
        while let first = block.min(), let parent = nodes[first].parent,
            nodes[parent].children.allSatisfy({ block.contains($0) || isBlank($0) })
        {
            block = [parent]
        }
        return block.sorted()
    }

    /// The place of neighbours, without the white space at its ends.
    func range(of block: [Int]) -> Range<Int> {
        let kept = block.drop(while: isBlank)
        let last = kept.last { !isBlank($0) } ?? kept.last
        guard let first = kept.first, let last else { return 0..<0 }
        return nodes[first].start..<nodes[last].end
    }

    private func isBlank(_ index: Int) -> Bool {
        nodes[index].name.isEmpty && nodes[index].text.utf8.allSatisfy { $0 <= 0x20 }
    }

    /// The text that a node and those below it begin with.
    ///
    /// A short walk in document order: a hostile source could drive recursion too deep, or nest what is looked at.
    func text(of index: Int, limit: Int = 400) -> String {
        var text = ""
        for node in nodes[index...].prefix(40) {
            guard node.start < nodes[index].end || node.start == nodes[index].start, text.utf8.count < limit else {
                break
            }
            text += node.text
        }
        return text
    }
}

extension HTMLOutline.Node {
    fileprivate init(
        _ name: String, _ attributes: [HTMLAttribute], _ text: String, _ parent: Int?, _ range: Range<Int>
    ) {
        self.name = name
        self.attributes = attributes
        self.text = text
        self.parent = parent
        start = range.lowerBound
        end = range.upperBound
    }
}
