internal import MailCompose
internal import MailModel
internal import TerminalUI

/// The fields of a mail.
extension Composer.Field {
    /// The name before the field.
    var label: String {
        switch self {
        case .from: "From"
        case .to: "To"
        case .cc: "Cc"
        case .bcc: "Bcc"
        case .subject: "Subject"
        case .text: ""
        }
    }

    /// Whether addresses go into it.
    var isAddresses: Bool { self == .to || self == .cc || self == .bcc }

    /// The columns of the names, with the blank behind.
    static let labelColumns = 9
}

extension Composer {
    /// Goes to the next field or the one before, around no ends.
    mutating func moveFocus(by step: Int) {
        var next = focus.rawValue + step
        if hasFixedSubject, next == Field.subject.rawValue { next += step }
        focus = Field(rawValue: max(0, min(Field.text.rawValue, next))) ?? focus
        closeMenu()
    }

    /// The field that keeps a mail from being sent; `nil` where no field does.
    func field(of refusal: DraftRefusal) -> Field? {
        switch refusal {
        case .noSender, .foreignSender: .from
        case .noRecipient: .to
        case .incomplete(let text):
            [Field.to, .cc, .bcc].first { AddressList(self.text(of: $0)).incomplete.contains(text) }
        case .tooManyRecipients: .to
        case .emptySubject, .longSubject: .subject
        case .emptyText, .longText: .text
        case .tooManyFiles, .largeFile, .largeFiles: nil
        }
    }

    mutating func closeMenu() { (menu, completed) = (Menu(), "") }

    /// Takes another sender; a signature that nobody changed becomes the other one's.
    mutating func setSender(_ mailbox: Mailbox, _ settings: WritingSettings) {
        let old = settings.signatureBlock(of: from)
        let new = settings.signatureBlock(of: mailbox.address)
        (self.mailbox, from) = (mailbox.id, mailbox.address)
        guard old != new else { return }
        let text = editor.text
        let place = editor.cursor
        if !old.isEmpty, text.hasSuffix(old) {
            editor.replaceAll(with: text.dropLast(old.count) + new)
        } else if old.isEmpty, !text.contains("\n-- \n") {
            editor.replaceAll(with: text + new)
        }
        editor.move(to: place)
    }

    /// The text without the signature that the settings add: what the person wrote.
    func ownText(_ settings: WritingSettings) -> String {
        let block = settings.signatureBlock(of: from)
        let text = editor.text
        return !block.isEmpty && text.hasSuffix(block) ? String(text.dropLast(block.count)) : text
    }

    /// The address being typed at the cursor of a field, and where it begins; `nil` when none is.
    func typedAddress(_ field: Field) -> (text: String, before: String, after: String)? {
        guard let line = fields[field] else { return nil }
        let before = String(line.characters[..<line.cursor])
        let after = String(line.characters[line.cursor...])
        guard let part = AddressList(before).parts.last, part.range.upperBound == before.utf8.count,
            after.isEmpty || after.first == "," || after.first == ";"
        else { return nil }
        return (part.text, String(decoding: Array(before.utf8)[..<part.range.lowerBound], as: UTF8.self), after)
    }

    /// Whether an address that is offered has been typed to its end, so that there is nothing to complete.
    var isTypedOffered: Bool {
        let typed = completed.lowercased()
        guard !typed.isEmpty, menu.selected == nil else { return false }
        return menu.items.contains {
            let offered = $0.text.lowercased()
            return offered == typed || offered.hasSuffix("<\(typed)>")
        }
    }

    /// Puts an address in the place of the one being typed.
    mutating func complete(_ address: String, in field: Field) {
        guard let typed = typedAddress(field) else { return }
        fields[field]?.replace(with: typed.before + address + (typed.after.isEmpty ? ", " : typed.after))
        closeMenu()
    }
}
