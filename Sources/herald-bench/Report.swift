internal import Platform

/// The table of results, printed row by row as they are known.
struct Report {
    private static let widths = [52, 12, 26, 6]

    /// Whether every row so far met its limit.
    private(set) var isWithin = true

    init(seed: UInt64) {
        Report.put("Seed \(seed)")
        Report.line(["What", "Measured", "Limit or peer", "Ratio"], mark: "")
    }

    /// A row measured against a number; met when it is not above it.
    mutating func row(_ what: String, _ measured: Double, unit: String, limit: Double) {
        let isMet = measured <= limit
        row(what, Report.text(measured, unit), "≤ " + Report.text(limit, unit), measured / limit, isMet)
    }

    /// A row measured against another measurement; met when the ratio is not above `ratioMax`.
    mutating func row(_ what: String, _ measured: Double, peer: Double, named name: String, ratioMax: Double) {
        let ratio = peer > 0 ? measured / peer : 0
        let limit = "\(name) \(Report.text(peer, "ms")) × \(ratioMax)"
        row(what, Report.text(measured, "ms"), limit, ratio, peer > 0 && ratio <= ratioMax)
    }

    /// A row whose measurement could not be made.
    mutating func failure(_ what: String, _ reason: String) {
        isWithin = false
        Report.line([what, "–", reason, ""], mark: "not measured")
    }

    private mutating func row(_ what: String, _ measured: String, _ limit: String, _ ratio: Double, _ isMet: Bool) {
        if !isMet { isWithin = false }
        Report.line([what, measured, limit, Report.text(ratio, "", places: 100)], mark: isMet ? "" : "MISSED")
    }

    private static func text(_ value: Double, _ unit: String, places: Double = 10) -> String {
        let rounded = (value * places).rounded() / places
        return unit.isEmpty ? "\(rounded)" : "\(rounded) \(unit)"
    }

    private static func line(_ cells: [String], mark: String) {
        let padded = zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: Swift.max(0, width - cell.count))
        }
        put(padded.joined(separator: " ") + " " + mark)
    }

    static func put(_ text: String) { Files.writeAll(1, Array((text + "\n").utf8)) }

    /// Tells on the error stream what is being prepared.
    static func note(_ text: String) { Files.writeAll(2, Array((text + "\n").utf8)) }
}
