/// A piece of a parsed document; comments are dropped.
package enum HTMLNode: Sendable, Hashable {
    case element(HTMLElement)
    case text(String)

    /// The element, when the node is one.
    package var element: HTMLElement? {
        guard case .element(let element) = self else { return nil }
        return element
    }
}

/// An attribute with its decoded value; an attribute without a value has the empty one.
package struct HTMLAttribute: Sendable, Hashable {
    /// The name in lower case.
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// An element with its attributes in document order.
package struct HTMLElement: Sendable, Hashable {
    /// The name in lower case; the outermost element of a document is `#document`.
    package var name: String
    package var attributes: [HTMLAttribute]
    package var children: [HTMLNode]

    package init(name: String, attributes: [HTMLAttribute] = [], children: [HTMLNode] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// The value of the first attribute called `name` (lower case).
    package func attribute(_ name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// All text below the element, in document order.
    package var textContent: String {
        var text = ""
        for child in children {
            switch child {
            case .text(let piece): text += piece
            case .element(let element): text += element.textContent
            }
        }
        return text
    }

    /// The first element called `name` at or below this one.
    package func firstElement(named name: String) -> HTMLElement? {
        if self.name == name { return self }
        for child in children {
            if let found = child.element?.firstElement(named: name) { return found }
        }
        return nil
    }
}

/// How much of a document is kept; what goes beyond is dropped or flattened.
package struct HTMLLimits: Sendable, Hashable {
    /// Bytes of source that are read.
    package var sourceBytes: Int
    /// Levels of the tree; deeper elements give their content to the last level.
    package var depth: Int
    /// Elements and texts together.
    package var nodes: Int
    /// Attributes of one element.
    package var attributes: Int

    package init(sourceBytes: Int = 4 << 20, depth: Int = 256, nodes: Int = 200_000, attributes: Int = 128) {
        self.sourceBytes = sourceBytes
        self.depth = depth
        self.nodes = nodes
        self.attributes = attributes
    }
}
