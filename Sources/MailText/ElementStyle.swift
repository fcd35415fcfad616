internal import HTML

/// What an element's attributes and style say of its text, as far as text can show it.
struct ElementStyle {
    /// How an element takes part in the flow, when it says so.
    enum Display {
        case none, inline, inlineBlock, block
    }

    /// What becomes of white space.
    enum WhiteSpace {
        case collapses
        /// Lines stay, blanks collapse.
        case keepsLines
        case keepsAll
    }

    /// A length: absolute in pixels, or relative to the size of the text around.
    enum Length {
        case pixels(Double)
        case relative(Double)

        func pixels(around size: Double) -> Double {
            switch self {
            case .pixels(let value): value
            case .relative(let factor): size * factor
            }
        }
    }

    var display: Display?
    /// Whether the element takes no room or cannot be seen.
    var isInvisible = false
    var fontSize: Length?
    var isStrong: Bool?
    var isEmphasized: Bool?
    var isUnderlined = false
    var isDeleted = false
    var whiteSpace: WhiteSpace?
    var color: AuthorColor?
    var background: AuthorColor?
    var marginTop: Length?
    var marginBottom: Length?
    var paddingTop: Length?
    var paddingBottom: Length?
    var height: Length?
    var hasLeftBorder = false
    var hasTopBorder = false
    var hasBorder = false
    var listStyle: String?
    var isAlignedRight = false
    var isRightToLeft: Bool?

    init(_ element: HTMLElement) {
        for attribute in element.attributes {
            switch attribute.name {
            case "style":
                for declaration in StyleDeclarations(attribute.value) { take(declaration.name, declaration.value) }
            case "hidden": isInvisible = true
            case "dir": isRightToLeft = attribute.value.lowercased() == "rtl"
            case "align" where attribute.value.lowercased() == "right": isAlignedRight = true
            case "bgcolor": background = background ?? AuthorColor(attribute.value)
            case "color" where element.name == "font": color = color ?? AuthorColor(attribute.value)
            case "height": height = height ?? ElementStyle.length(attribute.value)
            default: break
            }
        }
    }

    private mutating func take(_ name: String, _ value: String) {
        switch name {
        case "display": takeDisplay(value)
        case "visibility": if value == "hidden" || value == "collapse" { isInvisible = true }
        case "mso-hide": if value == "all" { isInvisible = true }
        case "opacity", "max-height": if ElementStyle.isZero(value) { isInvisible = true }
        case "font-size": fontSize = ElementStyle.fontSize(value)
        case "font-weight": isStrong = value.hasPrefix("bold") || ["600", "700", "800", "900"].contains(value)
        case "font-style": isEmphasized = value == "italic" || value.hasPrefix("oblique")
        case "text-decoration", "text-decoration-line": takeDecoration(value)
        case "white-space": takeWhiteSpace(value)
        case "color": color = AuthorColor(value)
        case "background-color", "background": background = AuthorColor(value) ?? background
        case "height": height = ElementStyle.length(value)
        case "list-style", "list-style-type": listStyle = value
        case "text-align": isAlignedRight = value == "right" || value == "end"
        case "direction": isRightToLeft = value == "rtl"
        case "border": hasBorder = ElementStyle.isBorder(value)
        case "border-left": hasLeftBorder = ElementStyle.isBorder(value)
        case "border-right": hasBorder = hasBorder || ElementStyle.isBorder(value)
        case "border-top": hasTopBorder = ElementStyle.isBorder(value)
        default: takeSpacing(name, value)
        }
    }

    private mutating func takeSpacing(_ name: String, _ value: String) {
        switch name {
        case "margin": (marginTop, marginBottom) = ElementStyle.sides(value)
        case "margin-top": marginTop = ElementStyle.length(value)
        case "margin-bottom": marginBottom = ElementStyle.length(value)
        case "padding": (paddingTop, paddingBottom) = ElementStyle.sides(value)
        case "padding-top": paddingTop = ElementStyle.length(value)
        case "padding-bottom": paddingBottom = ElementStyle.length(value)
        default: break
        }
    }

    private mutating func takeDisplay(_ value: String) {
        switch value {
        case "none": display = Display.none
        case "inline": display = .inline
        case "inline-block", "inline-table", "inline-flex": display = .inlineBlock
        case "block", "list-item", "table", "table-row", "flex", "grid": display = .block
        default: break
        }
    }

    private mutating func takeDecoration(_ value: String) {
        isUnderlined = value.contains("underline")
        isDeleted = value.contains("line-through")
    }

    private mutating func takeWhiteSpace(_ value: String) {
        switch value {
        case "pre", "pre-wrap", "break-spaces", "-moz-pre-wrap": whiteSpace = .keepsAll
        case "pre-line": whiteSpace = .keepsLines
        case "normal", "nowrap": whiteSpace = .collapses
        default: break
        }
    }
}

extension ElementStyle {
    /// The length of a value such as `12px`, `1.5em` or `12`; `nil` for what is none.
    static func length(_ value: String) -> Length? {
        let bytes = Array(value.utf8)
        let digits = bytes.prefix { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }
        guard let number = Double(String(decoding: digits, as: UTF8.self)), abs(number) < 10_000 else { return nil }
        switch String(decoding: bytes[digits.count...].prefix { $0 > 0x20 }, as: UTF8.self) {
        case "", "px": return .pixels(number)
        case "pt": return .pixels(number * 4 / 3)
        case "cm": return .pixels(number * 37.8)
        case "mm": return .pixels(number * 3.78)
        case "in": return .pixels(number * 96)
        case "em": return .relative(number)
        case "rem": return .pixels(number * 16)
        case "ex", "ch": return .relative(number / 2)
        default: return nil
        }
    }

    /// Upper and lower side of a value of one to four lengths.
    fileprivate static func sides(_ value: String) -> (Length?, Length?) {
        let parts = value.split(separator: " ").map(String.init)
        guard let first = parts.first else { return (nil, nil) }
        return (length(first), length(parts.count > 2 ? parts[2] : first))
    }

    fileprivate static func fontSize(_ value: String) -> Length? {
        switch value {
        case "xx-small", "x-small": .pixels(10)
        case "small", "smaller": .pixels(13)
        case "medium", "initial": .pixels(16)
        case "large", "larger": .pixels(18)
        case "x-large", "xx-large": .pixels(24)
        default:
            if value.hasSuffix("%") {
                Double(value.dropLast()).map { .relative($0 / 100) }
            } else {
                length(value)
            }
        }
    }

    fileprivate static func isZero(_ value: String) -> Bool {
        let digits = value.utf8.prefix { (0x30...0x39).contains($0) || $0 == 0x2E }
        return Double(String(decoding: Array(digits), as: UTF8.self)) == 0
    }

    fileprivate static func isBorder(_ value: String) -> Bool {
        if value.contains("none") || value.contains("hidden") { return false }
        guard let width = value.split(separator: " ").compactMap({ length(String($0)) }).first else { return false }
        return width.pixels(around: 16) >= 1
    }
}
