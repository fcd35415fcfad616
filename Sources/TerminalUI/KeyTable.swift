/// What terminals send for keys.
enum KeyTable {
    /// The key of one ASCII byte.
    static func single(_ byte: UInt8) -> InputEvent {
        switch byte {
        case 0x0A, 0x0D: .plain(.enter)
        case 0x09: .plain(.tab)
        case 0x08, 0x7F: .plain(.backspace)
        case 0x1B: .plain(.escape)
        case 0x00: .key(.character(" "), .control)
        case 0x01...0x1A: .key(.character(letter(byte + 0x60)), .control)
        case 0x1C...0x1F: .key(.character(letter(byte + 0x40)), .control)
        default: .character(letter(byte))
        }
    }

    /// The key of `ESC O` and a byte.
    static func applicationKey(_ byte: UInt8) -> InputEvent? {
        switch byte {
        case 0x49: .plain(.tab)
        case 0x4D: .plain(.enter)
        case 0x58: .character("=")
        case 0x61...0x64: arrow(byte - 0x20).map { .key($0, .control) }
        case 0x6A...0x79: .character(letter(byte - 0x40))
        default: (arrow(byte) ?? functionLetter(byte)).map { .plain($0) }
        }
    }

    /// The key of a control sequence; `nil` when it is none.
    static func controlKey(parameters: ArraySlice<UInt8>, final: UInt8) -> InputEvent? {
        if parameters.first == 0x3C { return final == 0x4D ? mouse(parameters.dropFirst()) : nil }
        guard parameters.allSatisfy({ (0x30...0x3B).contains($0) }) else { return nil }
        let numbers = parameters.split(separator: 0x3B, omittingEmptySubsequences: false).map(number)
        let modifiers = modifiers(numbers.count > 1 ? numbers[1] : 1)
        switch final {
        case 0x49: return parameters.isEmpty ? .focusGained : nil
        case 0x4F: return parameters.isEmpty ? .focusLost : nil
        case 0x5A: return .key(.tab, modifiers.union(.shift))
        case 0x61...0x64: return arrow(final - 0x20).map { .key($0, .shift) }
        case 0x75: return coded(numbers.first ?? 0, modifiers)
        case 0x7E:
            if numbers.count == 3, numbers[0] == 27 { return coded(numbers[2], modifiers) }
            return tilde(numbers.first ?? 0).map { .key($0, modifiers) }
        case 0x5E: return tilde(numbers.first ?? 0).map { .key($0, .control) }
        case 0x40: return tilde(numbers.first ?? 0).map { .key($0, [.control, .shift]) }
        default:
            // The first number is always 1 in a key; a cursor report ends in the same letter as F3.
            guard numbers.isEmpty || numbers[0] <= 1, numbers.count <= 2 else { return nil }
            return (arrow(final) ?? functionLetter(final)).map { .key($0, modifiers) }
        }
    }

    /// The event of three numbers, as the mouse is told of since xterm's mode 1006.
    private static func mouse(_ parameters: ArraySlice<UInt8>) -> InputEvent? {
        guard parameters.allSatisfy({ (0x30...0x3B).contains($0) }) else { return nil }
        let numbers = parameters.split(separator: 0x3B, omittingEmptySubsequences: false).map(number)
        guard numbers.count == 3 else { return nil }
        return MouseEvent(code: numbers[0], column: numbers[1], row: numbers[2]).map { .mouse($0) }
    }

    private static func letter(_ byte: UInt8) -> Character {
        Character(Unicode.Scalar(byte))
    }

    private static func arrow(_ byte: UInt8) -> InputEvent.Key? {
        switch byte {
        case 0x41: .up
        case 0x42: .down
        case 0x43: .right
        case 0x44: .left
        case 0x46: .end
        case 0x48: .home
        default: nil
        }
    }

    private static func functionLetter(_ byte: UInt8) -> InputEvent.Key? {
        (0x50...0x53).contains(byte) ? .function(Int(byte) - 0x4F) : nil
    }

    private static func tilde(_ number: Int) -> InputEvent.Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...26: .function(number - 12)
        case 28, 29: .function(number - 13)
        case 31...34: .function(number - 14)
        default: nil
        }
    }

    /// A key sent as the number of its character.
    private static func coded(_ code: Int, _ modifiers: InputEvent.Modifiers) -> InputEvent? {
        guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else { return nil }
        switch value {
        case 8, 9, 10, 13, 27, 127:
            guard case .key(let key, _) = single(UInt8(value)) else { return nil }
            return .key(key, modifiers)
        case 0..<0x20, 0x80...0x9F, 0xE000...0xF8FF: return nil
        default: return .key(.character(Character(scalar)), modifiers)
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        var value = 0
        for digit in digits.prefix(8) {
            guard (0x30...0x39).contains(digit) else { break }
            value = value * 10 + Int(digit) - 0x30
        }
        return value
    }

    private static func modifiers(_ parameter: Int) -> InputEvent.Modifiers {
        let bits = max(0, parameter - 1)
        var result: InputEvent.Modifiers = []
        if bits & 1 != 0 { result.insert(.shift) }
        if bits & 0b1010 != 0 { result.insert(.alt) }
        if bits & 4 != 0 { result.insert(.control) }
        return result
    }
}
