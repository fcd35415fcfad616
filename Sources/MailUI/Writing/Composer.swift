internal import MailCompose
internal import MailModel
internal import TerminalUI

/// A mail being written, with the editors of its fields.
///
/// What is typed is here first and on the disk soon after: `changes` counts what was typed, `saved` is how much of it the
/// disk has, and a timer runs whenever the two differ.
struct Composer: Sendable, Hashable {
    enum Field: Int, Sendable, Hashable, CaseIterable {
        case from, to, cc, bcc, subject, text
    }

    enum Step: Sendable, Hashable {
        /// Fields and text are typed.
        case form
        /// Everything is looked at before it is sent.
        case review
        /// Both versions of what was changed here and elsewhere are shown.
        case conflict
    }

    /// What happens once all is on the disk.
    enum Ending: Sendable, Hashable {
        case keep, send, discard, edit, quit
        /// Add the files of a path.
        case attach(String)
    }

    /// Names the composer in questions and answers.
    let number: Int
    /// The draft as the disk has it; `nil` before that.
    var draft: LocalDraft?
    var origin: DraftOrigin
    /// What is answered or passed on, as far as it is here.
    let original: MessageDetail?
    /// What the server adds below the text, in lines; empty for nothing.
    private(set) var context: [String] = []
    var mailbox: MailboxID?
    var from: String
    var fields: [Field: LineEditor]
    var editor: TextEditor
    var html: String
    var step: Step
    var focus: Field
    var mode: ConflictMode
    var changes = 0
    var saved = 0
    /// What is being saved.
    var saving: Int?
    /// The timer that saves; `nil` while all is saved or a save is under way.
    var timer: Int?
    /// Why the last save failed; the text is here only.
    var failure: String?
    var ending: Ending?
    /// Whether the program was asked to queue it.
    var isLeaving = false
    /// Whether Enter in a field goes back to the review.
    var returnsToReview = false
    /// Addresses that fit what is typed.
    var menu = Menu()
    /// The text that the addresses of the menu were looked up for.
    var completed = ""
    /// Choosing lines of the original.
    var picker: QuotePicker?
    /// The file that is selected in the review.
    var selectedFile = 0
    /// The first row of the text in the review.
    var top = 0
    /// What the review shows of the text, or the preview of all, laid out.
    var laidOut = ReviewLayout()
    /// Whether the mail is shown as it will be sent.
    var isPreview = false
    /// The key that asked for something that one more press does.
    var armed: ActionID?
    /// A path being typed.
    var prompt: PathPrompt?

    /// The most characters of a field of addresses.
    private static let addressesMax = 16_384
    private static let subjectMax = 2_000

    init(number: Int, content: DraftContent, original: MessageDetail? = nil, mode: ConflictMode, step: Step) {
        self.number = number
        (origin, self.original, self.mode, self.step) = (content.origin, original, mode, step)
        (mailbox, from, html) = (content.mailbox, content.from, content.html)
        fields = [
            .to: LineEditor(content.to, charactersMax: Composer.addressesMax),
            .cc: LineEditor(content.cc, charactersMax: Composer.addressesMax),
            .bcc: LineEditor(content.bcc, charactersMax: Composer.addressesMax),
            .subject: LineEditor(content.subject, charactersMax: Composer.subjectMax),
        ]
        editor = TextEditor(content.text)
        focus = content.to.isEmpty ? .to : .text
        if focus == .text, content.subject.isEmpty { focus = .subject }
        context = addedLines
    }

    /// What was written so far.
    var content: DraftContent {
        DraftContent(
            origin: origin, mailbox: mailbox, from: from, to: text(of: .to), cc: text(of: .cc), bcc: text(of: .bcc),
            subject: text(of: .subject), text: editor.text, html: html)
    }

    func text(of field: Field) -> String { fields[field]?.text ?? "" }

    /// Takes a content over, as another program or another device wrote it.
    mutating func take(_ content: DraftContent) {
        let isSameKind = origin == content.origin
        (origin, mailbox, from, html) = (content.origin, content.mailbox, content.from, content.html)
        if !isSameKind { context = addedLines }
        fields[.to]?.replace(with: content.to)
        fields[.cc]?.replace(with: content.cc)
        fields[.bcc]?.replace(with: content.bcc)
        fields[.subject]?.replace(with: content.subject)
        if editor.text != content.text { editor.replaceAll(with: content.text) }
    }

    /// Whether it closes as soon as the disk has it, so that keys are for what comes then.
    var isPutAway: Bool { isLeaving || ending == .send || ending == .keep || ending == .discard }

    var isDirty: Bool { changes != saved }

    /// Whether the subject is the server's to make.
    var hasFixedSubject: Bool { if case .reply = origin { true } else { false } }

    /// The subject as it will be.
    var shownSubject: String {
        guard hasFixedSubject, let original else { return text(of: .subject) }
        return SubjectPrefix.reply(original.summary.subject)
    }

    private var addedLines: [String] {
        guard let original else { return [] }
        let text = original.textBody.isEmpty ? original.summary.snippet : original.textBody
        let added: String? =
            switch origin {
            case .new: nil
            case .reply: Quotation.quote(of: original.summary, text: text)
            case .forward: Quotation.forwarded(original, text: text)
            }
        return added?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    /// The same as one text.
    var contextText: String { context.joined(separator: "\n") }

    var files: [DraftFile] { draft?.files ?? [] }

    /// What the screen calls it.
    var title: String {
        switch origin {
        case .new: "New mail"
        case .reply: "Answer"
        case .forward: "Forward"
        }
    }
}

/// A path being typed in the review.
struct PathPrompt: Sendable, Hashable {
    enum Purpose: Sendable, Hashable { case attach, saveAs }

    let purpose: Purpose
    var editor: LineEditor
    /// What the path may go on with, by the last Tab.
    var candidates: [String] = []

    var label: String {
        switch purpose {
        case .attach: " Attach: "
        case .saveAs: " Save text as: "
        }
    }
}
