package import MailFilter
internal import MailModel
package import MailTestSupport

/// Made-up filters and mails, few words of which so that they often meet.
package struct FilterTrees {
    package var numbers: SeededNumbers

    /// The words that filters and mails are made of.
    package static let words = [
        "ann", "anna", "report", "repo", "Été", "ete", "x", "日本", "本", "日本語", "or", "a-b", "in", "ann@x.example",
        "x example", "C++", "straße", "🎉",
    ]

    package init(seed: UInt64) { numbers = SeededNumbers(seed: seed &* 7_919) }

    /// A filter of so many levels at most.
    package mutating func filter(depth: Int = 3) -> Filter {
        switch numbers.below(depth > 0 ? 14 : 9) {
        case 0...3: .words(Filter.Part.allCases[numbers.below(5)], words())
        case 4: .place(numbers.percent(20) ? .anywhere : .folder(Folder.allCases[numbers.below(7)]))
        case 5: .mailbox(words())
        case 6: .mark(Filter.Mark.allCases[numbers.below(5)])
        case 7: .hasAttachment
        case 8: .time(Filter.Side.allCases[numbers.below(4)], moment())
        case 9, 10: .not(filter(depth: depth - 1))
        case 11, 12: .all((0..<2 + numbers.below(2)).map { _ in filter(depth: depth - 1) })
        default: .any((0..<2 + numbers.below(2)).map { _ in filter(depth: depth - 1) })
        }
    }

    private mutating func words() -> Filter.Words {
        var text = FilterTrees.words[numbers.below(FilterTrees.words.count)]
        if numbers.percent(20) { text += " " + FilterTrees.words[numbers.below(FilterTrees.words.count)] }
        if numbers.percent(10) { text = ["-", "\"", "(", ":", "\\", "or:", ")"][numbers.below(7)] + text }
        return Filter.Words(text, isWhole: numbers.percent(30))
    }

    private mutating func moment() -> Filter.Moment {
        switch numbers.below(4) {
        case 0: .day(Filter.Day(year: 2020 + numbers.below(6)))
        case 1: .day(Filter.Day(year: 2025, month: 1 + numbers.below(12)))
        case 2: .day(Filter.Day(year: 2025, month: 6, day: 1 + numbers.below(30)))
        default: .ago(numbers.below(40), Filter.Unit.allCases[numbers.below(5)])
        }
    }
}
