/// The declarations of a style.
enum HTMLStyle {
    private static let forbidden = [
        "url(", "image-set(", "@import", "expression(", "javascript:", "data:", "var(", "\\",
    ]

    /// The declarations that stay, without the space around their parts.
    static func kept(_ text: String) -> String {
        var kept: [String] = []
        for declaration in declarations(text) {
            guard let colon = declaration.firstIndex(of: ":") else { continue }
            let name = HTMLLink.trimmed(String(declaration[..<colon]))
            let value = HTMLLink.trimmed(String(declaration[declaration.index(after: colon)...]))
            let lowered = value.lowercased()
            guard HTMLRules.properties.contains(name),
                !forbidden.contains(where: { lowered.contains($0) })
            else { continue }
            kept.append(name + ":" + value)
        }
        return kept.joined(separator: ";")
    }

    /// The parts between semicolons that are neither quoted nor in brackets.
    private static func declarations(_ text: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var quote: Character?
        var depth = 0
        for character in text {
            if let mark = quote {
                if character == mark { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "(" {
                depth += 1
            } else if character == ")" {
                depth = max(0, depth - 1)
            } else if character == ";", depth == 0 {
                parts.append(part)
                part = ""
                continue
            }
            part.append(character)
        }
        return parts + [part]
    }
}
