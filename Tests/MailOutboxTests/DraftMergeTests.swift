import MailCompose
import MailModel
import Testing

/// Two versions of a draft that come from one.
struct DraftMergeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var mine: @Sendable (inout DraftContent) -> Void = { _ in }
        var theirs: @Sendable (inout DraftContent) -> Void = { _ in }
        var taken: [DraftField] = []
        var clashes: [DraftField] = []
        /// What the merged content has.
        var check: @Sendable (DraftContent) -> Bool = { _ in true }
    }

    private static let base = DraftContent(
        origin: .reply(to: MessageID("m")), from: "me@a.example", to: "Ann <ann@a.example>", subject: "S", text: "T")

    static let cases = [
        Case(testDescription: "nothing changed"),
        Case(
            testDescription: "text here, subject there", mine: { $0.text = "M" }, theirs: { $0.subject = "N" },
            taken: [.subject], check: { $0.text == "M" && $0.subject == "N" }),
        Case(
            testDescription: "text on both sides", mine: { $0.text = "M" }, theirs: { $0.text = "N" },
            clashes: [.text], check: { $0.text == "M" }),
        Case(
            testDescription: "the same text on both sides", mine: { $0.text = "M" }, theirs: { $0.text = "M" }),
        Case(
            testDescription: "the text here, what stands beside it there", mine: { $0.text = "M" },
            theirs: { $0.html = "<p>N" }, clashes: [.text]),
        Case(
            testDescription: "recipients only added on both sides", mine: { $0.to += ", bob@a.example" },
            theirs: { $0.to += ", cid@a.example" }, clashes: [.recipients]),
        Case(
            testDescription: "to here, cc there", mine: { $0.to = "bob@a.example" },
            theirs: { $0.cc = "cid@a.example" }, clashes: [.recipients],
            check: { $0.to == "bob@a.example" && $0.cc.isEmpty }),
        Case(
            testDescription: "a recipient there, half of one here", mine: { $0.to += ", bo" },
            theirs: { $0.to = "ann@a.example, cid@a.example" }, taken: [.recipients]),
        Case(
            testDescription: "only names and case of addresses differ", theirs: { $0.to = "ANN@a.example" },
            check: { $0.to == "Ann <ann@a.example>" }),
        Case(
            testDescription: "subject on both sides, sender there", mine: { $0.subject = "M" },
            theirs: { ($0.subject, $0.from) = ("N", "us@a.example") }, taken: [.sender], clashes: [.subject]),
        Case(
            testDescription: "another original there", theirs: { $0.origin = .new }, taken: [.origin],
            check: { $0.origin == .new }),
        Case(
            testDescription: "passed on without files, which the server knows as new",
            mine: { $0.origin = .forward(of: MessageID("m"), withFiles: false) }, theirs: { $0.origin = .new },
            check: { $0.origin == .forward(of: MessageID("m"), withFiles: false) }),
    ]

    @Test(arguments: cases)
    func `fields that one side changed are merged, and others are told`(example: Case) {
        var (mine, theirs) = (DraftMergeTests.base, DraftMergeTests.base)
        example.mine(&mine)
        example.theirs(&theirs)

        let merge = DraftMerge(ancestor: DraftMergeTests.base, mine: mine, theirs: theirs)

        #expect(merge.taken == example.taken && merge.clashes == example.clashes)
        #expect(example.check(merge.content))
    }
}
