/// The texts of a row that is being put together, for `Statement.run`.
///
/// Cheaper than binding each: all are copied once, into one buffer that is used again for the next row.
package struct RowTexts {
    private var bytes: [UInt8] = []
    private var places: [(parameter: Int32, start: Int, count: Int)] = []

    package init() {}

    /// Takes the text of a parameter; NULL for `nil`.
    package mutating func add(_ parameter: Int32, _ text: String?) {
        guard var text else { return }
        let start = bytes.count
        text.withUTF8 { bytes.append(contentsOf: $0) }
        places.append((parameter, start, bytes.count - start))
    }

    /// Takes the text of a parameter as UTF-8.
    package mutating func add(_ parameter: Int32, utf8: [UInt8]) {
        places.append((parameter, bytes.count, utf8.count))
        bytes.append(contentsOf: utf8)
    }

    /// Names each text, then runs `body`; the pointers are good until it ends.
    mutating func withTexts(
        _ name: (Int32, UnsafePointer<CChar>, Int32) -> Void, then body: () -> Int32
    ) -> Int32 {
        // One byte more keeps the buffer from being empty: SQLite reads a text without an address as NULL.
        bytes.append(0)
        return bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                guard let base = text.baseAddress else { return body() }
                for place in places { name(place.parameter, base + place.start, Int32(clamping: place.count)) }
                return body()
            }
        }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
    }
}
