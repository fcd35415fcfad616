import JSON
import Testing

@Test func `controls and direction marks are escaped and come back`() throws {
    let values: [UInt32] =
        Array(0..<0x20) + Array(0x7F..<0xA0) + Array(0x202A...0x202E) + Array(0x2066...0x2069)
        + [0x22, 0x5C, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0xE9, 0x20AC, 0x1F600]
    var text = ""
    for value in values { if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) } }
    var writer = JSONWriter()
    writer.value(text)
    let written = String(decoding: writer.bytes, as: UTF8.self)
    for scalar in written.unicodeScalars {
        #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value))
        #expect(!(0x2028...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
        #expect(![0x061C, 0x200E, 0x200F].contains(scalar.value))
    }
    var reader = JSONReader(writer.bytes)
    #expect(try reader.string() == text)
    try reader.end()
}

@Test func `members and elements are parted by commas`() {
    var writer = JSONWriter()
    writer.object { writer in
        writer.member("a", 1)
        writer.member("b", ["x", "y"])
        writer.member("c", String?.none)
        writer.name("d")
        writer.array { writer in
            writer.object { _ in }
            writer.array { _ in }
            writer.null()
            writer.value(true)
        }
    }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":1,"b":["x","y"],"c":null,"d":[{},[],null,true]}"#)
}
