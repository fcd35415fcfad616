internal import HTML

/// What stands before the items of a list, one after the other.
struct ListMarker {
    private enum Kind {
        case none, bullet, decimal, letters, roman
    }

    private static let largestNumber = 99_999

    private let kind: Kind
    private let isUpperCase: Bool
    private let bullet: String
    private let step: Int
    private var number: Int

    init(_ list: HTMLElement, _ style: ElementStyle, depth: Int) {
        let type = style.listStyle ?? list.attribute("type") ?? ""
        isUpperCase = type == "A" || type == "I" || type.hasPrefix("upper")
        bullet = ["• ", "◦ ", "▪ "][min(max(depth, 1), 3) - 1]
        step = list.attribute("reversed") == nil ? 1 : -1
        let items = list.children.count { $0.element?.name == "li" }
        let start = list.attribute("start").flatMap { Int($0) } ?? (step > 0 ? 1 : items)
        number = abs(start) > ListMarker.largestNumber ? 1 : start
        kind = ListMarker.kind(type, isOrdered: list.name == "ol")
    }

    private static func kind(_ type: String, isOrdered: Bool) -> Kind {
        if type.contains("none") { return .none }
        guard isOrdered else { return .bullet }
        switch type {
        case "a", "A": return .letters
        case "i", "I": return .roman
        default:
            if type.contains("alpha") || type.contains("latin") { return .letters }
            if type.contains("roman") { return .roman }
            return type.contains("disc") || type.contains("circle") ? .bullet : .decimal
        }
    }

    /// The marker of the next item, whose number an attribute may set.
    mutating func next(value: String?) -> String {
        if let value = value.flatMap({ Int($0) }), abs(value) <= ListMarker.largestNumber { number = value }
        defer { number += step }
        switch kind {
        case .none: return ""
        case .bullet: return bullet
        case .decimal: return "\(number). "
        case .letters: return cased(ListMarker.letters(number)) + ". "
        case .roman: return cased(ListMarker.roman(number)) + ". "
        }
    }

    private func cased(_ text: String) -> String { isUpperCase ? text.uppercased() : text }

    private static func letters(_ number: Int) -> String {
        guard number > 0 else { return "\(number)" }
        var rest = number
        var text = ""
        while rest > 0 {
            rest -= 1
            text = String(Unicode.Scalar(UInt8(0x61 + rest % 26))) + text
            rest /= 26
        }
        return text
    }

    private static func roman(_ number: Int) -> String {
        guard (1..<4_000).contains(number) else { return "\(number)" }
        let signs: [(Int, String)] = [
            (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
            (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
        ]
        var rest = number
        var text = ""
        for (value, sign) in signs {
            while rest >= value {
                text += sign
                rest -= value
            }
        }
        return text
    }
}
