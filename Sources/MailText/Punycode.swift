/// The coding of host names that have other letters than those of ASCII (RFC 3492).
enum Punycode {
    private static let base = 36
    private static let tMin = 1
    private static let tMax = 26
    private static let skew = 38
    private static let damp = 700
    /// No label of a host name is longer.
    private static let longest = 63

    /// The letters that a label without its `xn--` stands for; `nil` when it stands for none.
    static func decoded(_ label: some StringProtocol) -> String? {
        let bytes = Array(label.utf8)
        guard !bytes.isEmpty, bytes.count <= longest, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let split = bytes.lastIndex(of: 0x2D)
        var output = bytes[..<(split ?? 0)].map { UInt32($0) }
        var rest = bytes[(split.map { $0 + 1 } ?? 0)...]
        var (code, index, bias) = (128, 0, 72)
        while !rest.isEmpty {
            let before = index
            var (weight, k) = (1, base)
            while true {
                guard let byte = rest.popFirst(), let digit = digit(byte) else { return nil }
                index += digit * weight
                guard index < 1 << 40 else { return nil }
                let threshold = threshold(k, bias)
                if digit < threshold { break }
                weight *= base - threshold
                guard weight < 1 << 40 else { return nil }
                k += base
            }
            bias = adapted(index - before, count: output.count + 1, isFirst: before == 0)
            code += index / (output.count + 1)
            index %= output.count + 1
            guard code <= 0x10FFFF else { return nil }
            output.insert(UInt32(code), at: index)
            index += 1
        }
        var text = String.UnicodeScalarView()
        for value in output {
            guard let scalar = Unicode.Scalar(value) else { return nil }
            text.append(scalar)
        }
        return String(text)
    }

    /// A label's letters coded, without the `xn--`; `nil` when it would be too long.
    static func encoded(_ label: some StringProtocol) -> String? {
        let scalars = label.unicodeScalars.map { Int($0.value) }
        guard scalars.count <= longest else { return nil }
        var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
        let plain = output.count
        var handled = plain
        if plain > 0 { output.append(0x2D) }
        var (code, delta, bias) = (128, 0, 72)
        while handled < scalars.count, let next = scalars.filter({ $0 >= code }).min() {
            delta += (next - code) * (handled + 1)
            code = next
            for value in scalars {
                if value < code { delta += 1 }
                guard value == code else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == plain)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return output.count <= longest - 4 ? String(decoding: output, as: UTF8.self) : nil
    }

    private static func append(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
        var (rest, k) = (delta, base)
        while true {
            let threshold = threshold(k, bias)
            if rest < threshold { return output.append(letter(rest)) }
            output.append(letter(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            k += base
        }
    }

    private static func threshold(_ k: Int, _ bias: Int) -> Int { max(tMin, min(tMax, k - bias)) }

    private static func letter(_ digit: Int) -> UInt8 { UInt8(digit < 26 ? digit + 0x61 : digit - 26 + 0x30) }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x61...0x7A: Int(byte) - 0x61
        case 0x41...0x5A: Int(byte) - 0x41
        case 0x30...0x39: Int(byte) - 0x30 + 26
        default: nil
        }
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var k = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) * delta / (delta + skew)
    }
}
