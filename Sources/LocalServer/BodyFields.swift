internal import JSON

/// The members of a JSON body, each read by the contract's rules.
///
/// The fault that is met first is the one the answer names, so read the members in the contract's order.
struct BodyFields: Sendable {
    private let members: [String: BodyValue]

    /// Far above the longest body that could pass the rules, so that no request fills the memory.
    private static let bytesMax = 8 << 20

    /// Reads an object.
    ///
    /// - Throws: `INVALID_JSON` for what is no JSON, `VALIDATION_ERROR` for another type.
    init(_ body: [UInt8]) throws(Refusal) {
        guard body.count <= BodyFields.bytesMax else { throw BodyFields.tooLong(200_000) }
        let value: BodyValue
        do {
            value = try BodyValue(body)
        } catch {
            throw .invalidJSON
        }
        guard case .object(let members) = value else {
            throw .validation("Invalid input: expected object, received \(value.typeName)")
        }
        self.members = members
    }

    /// Whether a member is there, `null` included.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// A member's text, or the default when it is absent; without a default it must be there.
    ///
    /// - Throws: `VALIDATION_ERROR`.
    func text(
        _ name: String, _ length: ClosedRange<Int>, isTrimmed: Bool = false, default value: String? = nil
    ) throws(Refusal) -> String {
        if let value, members[name] == nil { return value }
        let text = try BodyFields.text(members[name])
        return try BodyFields.measured(isTrimmed ? text.webTrimmed : text, length)
    }

    /// A member that names something: a short text, absent, or `null` where that is allowed.
    ///
    /// - Throws: `VALIDATION_ERROR`.
    func identifier(_ name: String, allowsNull: Bool = true) throws(Refusal) -> String? {
        guard let value = members[name] else { return nil }
        if allowsNull, case .null = value { return nil }
        return try BodyFields.measured(try BodyFields.text(value), 1...100)
    }

    /// A member that must name something.
    ///
    /// - Throws: `VALIDATION_ERROR`.
    func requiredIdentifier(_ name: String) throws(Refusal) -> String {
        try BodyFields.measured(try BodyFields.text(members[name]), 1...100)
    }

    /// A list of names; empty when absent.
    ///
    /// - Throws: `VALIDATION_ERROR`.
    func identifiers(_ name: String, atMost limit: Int) throws(Refusal) -> [String] {
        guard let value = members[name] else { return [] }
        var found: [String] = []
        for element in try BodyFields.elements(value) {
            found.append(try BodyFields.measured(try BodyFields.text(element), 1...100))
        }
        guard found.count <= limit else { throw BodyFields.tooMany(limit) }
        return found
    }

    /// One complete address, in lower case.
    ///
    /// - Throws: `VALIDATION_ERROR`.
    func address(_ name: String) throws(Refusal) -> String { try BodyFields.address(members[name]) }

    /// One complete address in lower case, or an empty text, which is the default.
    ///
    /// - Throws: `VALIDATION_ERROR`.
    func optionalAddress(_ name: String) throws(Refusal) -> String {
        guard let value = members[name] else { return "" }
        guard case .string(let text) = value, text.isEmpty || AddressRule.accepts(text) else {
            throw .validation("Invalid input")
        }
        return text.lowercased()
    }

    /// Complete addresses, in lower case; empty when absent, unless at least one is required.
    ///
    /// - Throws: `VALIDATION_ERROR`.
    func addresses(_ name: String, isRequired: Bool = false) throws(Refusal) -> [String] {
        if !isRequired, members[name] == nil { return [] }
        var found: [String] = []
        for element in try BodyFields.elements(members[name]) { found.append(try BodyFields.address(element)) }
        guard !isRequired || !found.isEmpty else { throw .validation("Too small: expected array to have >=1 items") }
        guard found.count <= 50 else { throw BodyFields.tooMany(50) }
        return found
    }

    /// A truth value, or the default.
    ///
    /// - Throws: `VALIDATION_ERROR`.
    func flag(_ name: String, default value: Bool) throws(Refusal) -> Bool {
        switch members[name] {
        case nil: return value
        case .bool(let flag): return flag
        case .some(let other): throw .validation("Invalid input: expected boolean, received \(other.typeName)")
        }
    }

    /// A whole number above zero; `nil` when absent.
    ///
    /// - Throws: `VALIDATION_ERROR`.
    func positiveNumber(_ name: String) throws(Refusal) -> Int64? {
        guard let value = members[name] else { return nil }
        guard case .number(let digits) = value else {
            throw .validation("Invalid input: expected number, received \(value.typeName)")
        }
        guard let number = Double(digits), number.rounded() == number, abs(number) <= 9_007_199_254_740_991 else {
            throw .validation("Invalid input: expected int, received number")
        }
        guard number > 0 else { throw .validation("Too small: expected number to be >0") }
        return Int64(number)
    }
}

extension BodyFields {
    private static func text(_ value: BodyValue?) throws(Refusal) -> String {
        guard case .string(let text) = value else {
            throw .validation("Invalid input: expected string, received \(value?.typeName ?? "undefined")")
        }
        return text
    }

    private static func elements(_ value: BodyValue?) throws(Refusal) -> [BodyValue] {
        guard case .array(let elements) = value else {
            throw .validation("Invalid input: expected array, received \(value?.typeName ?? "undefined")")
        }
        return elements
    }

    private static func address(_ value: BodyValue?) throws(Refusal) -> String {
        let text = try text(value)
        guard AddressRule.accepts(text) else { throw .validation("Invalid email address") }
        guard text.utf16.count <= 254 else { throw tooLong(254) }
        return text.lowercased()
    }

    private static func measured(_ text: String, _ length: ClosedRange<Int>) throws(Refusal) -> String {
        let count = text.utf16.count
        guard count >= length.lowerBound else {
            throw .validation("Too small: expected string to have >=\(length.lowerBound) characters")
        }
        guard count <= length.upperBound else { throw tooLong(length.upperBound) }
        return text
    }

    private static func tooLong(_ limit: Int) -> Refusal {
        .validation("Too big: expected string to have <=\(limit) characters")
    }

    private static func tooMany(_ limit: Int) -> Refusal {
        .validation("Too big: expected array to have <=\(limit) items")
    }
}

/// What the server takes for a complete bare address: a strict ASCII form.
enum AddressRule {
    static func accepts(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let at = bytes.lastIndex(of: 0x40) else { return false }
        let local = bytes[..<at]
        let labels = bytes[(at + 1)...].split(separator: 0x2E, omittingEmptySubsequences: false)
        return accepts(local: local) && labels.count >= 2 && labels.dropLast().allSatisfy(accepts(label:))
            && labels[labels.count - 1].count >= 2 && labels[labels.count - 1].allSatisfy(isLetter)
    }

    private static func accepts(local: ArraySlice<UInt8>) -> Bool {
        guard let first = local.first, let last = local.last, first != 0x2E, isWord(last) else { return false }
        var before: UInt8 = 0
        for byte in local {
            guard isWord(byte) || byte == 0x27 || byte == 0x2E, !(byte == 0x2E && before == 0x2E) else { return false }
            before = byte
        }
        return true
    }

    private static func accepts(label: ArraySlice<UInt8>) -> Bool {
        guard let first = label.first, isLetter(first) || isDigit(first) else { return false }
        return label.allSatisfy { isLetter($0) || isDigit($0) || $0 == 0x2D }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    /// A letter, a digit, `_`, `+` or `-`.
    private static func isWord(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == 0x5F || byte == 0x2B || byte == 0x2D
    }
}

extension String {
    /// The text without the white space and line ends around it, by the rules of the web's languages.
    var webTrimmed: String {
        func isSpace(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
                return true
            default: return false
            }
        }
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[first...last])
    }
}
