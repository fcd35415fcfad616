/// A colour that the writer of HTML asked for.
struct AuthorColor: Hashable {
    var red: Int
    var green: Int
    var blue: Int

    static let black = AuthorColor(red: 0, green: 0, blue: 0)
    static let white = AuthorColor(red: 255, green: 255, blue: 255)

    init(red: Int, green: Int, blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The colour of a value of CSS or of the `color` attribute; `nil` for what is none, such as `inherit`.
    init?(_ value: String) {
        let text = value.utf8.filter { $0 > 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if text.first == 0x23 {
            self.init(hexadecimal: text.dropFirst())
        } else if text.starts(with: "rgb".utf8) {
            self.init(function: text)
        } else if let known = AuthorColor.named[String(decoding: text, as: UTF8.self)] {
            self = known
        } else if text.count == 6 {
            self.init(hexadecimal: text[...])
        } else {
            return nil
        }
    }

    private init?(hexadecimal digits: ArraySlice<UInt8>) {
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count else { return nil }
        switch values.count {
        case 3, 4: self.init(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17)
        case 6, 8:
            self.init(
                red: values[0] * 16 + values[1], green: values[2] * 16 + values[3], blue: values[4] * 16 + values[5])
        default: return nil
        }
    }

    private init?(function text: [UInt8]) {
        guard let bracket = text.firstIndex(of: 0x28) else { return nil }
        let parts = text[(bracket + 1)...].split { $0 == 0x2C || $0 == 0x29 || $0 == 0x2F }
        let numbers = parts.prefix(3).compactMap { Int(String(decoding: $0.prefix { $0 != 0x2E }, as: UTF8.self)) }
        guard numbers.count == 3, numbers.allSatisfy({ (0...255).contains($0) }) else { return nil }
        self.init(red: numbers[0], green: numbers[1], blue: numbers[2])
    }

    /// What a reader takes the colour for: red warns, green approves, the others are decoration.
    var meaning: TextRole.Marks {
        let brightest = max(red, green, blue)
        guard brightest >= 100, brightest - min(red, green, blue) >= 90 else { return [] }
        if red == brightest, green * 5 < red * 2, blue * 5 < red * 2 { return .warning }
        if green == brightest, red * 5 < green * 3, blue * 4 < green * 3 { return .approval }
        return []
    }

    /// How far apart two colours are, 0 to 765.
    func distance(to other: AuthorColor) -> Int {
        abs(red - other.red) + abs(green - other.green) + abs(blue - other.blue)
    }

    private static let named: [String: AuthorColor] = [
        "black": black, "white": white,
        "red": AuthorColor(red: 255, green: 0, blue: 0), "green": AuthorColor(red: 0, green: 128, blue: 0),
        "lime": AuthorColor(red: 0, green: 255, blue: 0), "blue": AuthorColor(red: 0, green: 0, blue: 255),
        "darkred": AuthorColor(red: 139, green: 0, blue: 0), "crimson": AuthorColor(red: 220, green: 20, blue: 60),
        "firebrick": AuthorColor(red: 178, green: 34, blue: 34), "maroon": AuthorColor(red: 128, green: 0, blue: 0),
        "darkgreen": AuthorColor(red: 0, green: 100, blue: 0),
        "forestgreen": AuthorColor(red: 34, green: 139, blue: 34),
        "limegreen": AuthorColor(red: 50, green: 205, blue: 50),
        "gray": AuthorColor(red: 128, green: 128, blue: 128), "grey": AuthorColor(red: 128, green: 128, blue: 128),
        "silver": AuthorColor(red: 192, green: 192, blue: 192), "navy": AuthorColor(red: 0, green: 0, blue: 128),
        "yellow": AuthorColor(red: 255, green: 255, blue: 0), "orange": AuthorColor(red: 255, green: 165, blue: 0),
        "purple": AuthorColor(red: 128, green: 0, blue: 128), "teal": AuthorColor(red: 0, green: 128, blue: 128),
    ]
}
