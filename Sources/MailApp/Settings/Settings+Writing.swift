internal import MailModel
internal import MailUI
internal import Platform

/// What the settings say of writing mail.
extension Settings {
    /// The longest signature that is read from a file.
    private static let signatureBytesMax = 20_000

    var writing: WritingSettings {
        var writing = WritingSettings()
        writing.usesExternalEditor = self[.composeEditor] == .text("auto") && EditorCommand.current != nil
        writing.signature = Settings.signature(self[.composeSignature], file: self[.composeSignatureFile])
        for address in Set(mailboxes.map { $0.address }) {
            func value(_ name: MailboxSetting.Name) -> SettingValue? {
                mailboxes.last { $0.address == address && $0.name == name }?.value
            }
            let (text, file) = (value(.signature), value(.signatureFile))
            guard text != nil || file != nil else { continue }
            writing.signatureIn[address.lowercased()] = Settings.signature(text ?? .text(""), file: file ?? .text(""))
        }
        if case .text(let word) = self[.composeConflicts] {
            writing.conflictMode = ConflictMode(rawValue: word) ?? .auto
        }
        writing.hasAddressCommand = !addressCommand.isEmpty
        return writing
    }

    /// The program that prints addresses, with its arguments; empty when there is none.
    var addressCommand: [String] {
        guard case .words(let words) = self[.composeAddressCommand] else { return [] }
        return words
    }

    /// A signature: the file's where one is named and can be read, else the text; without line ends at its end.
    private static func signature(_ text: SettingValue, file: SettingValue) -> String {
        var signature = if case .text(let text) = text { text } else { "" }
        if case .text(let path) = file, !path.isEmpty,
            let bytes = try? Files.readRegular(SavePath.expanded(path), bytesMax: signatureBytesMax)
        {
            signature = String(decoding: bytes, as: UTF8.self)
        }
        while signature.last?.isNewline == true { signature.removeLast() }
        return signature
    }
}
