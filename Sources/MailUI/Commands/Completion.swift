internal import DisplayText
internal import MailModel

/// One setting that can be changed while the program runs.
package struct SettingChoice: Sendable, Hashable {
    package let name: String
    /// The value in force.
    package let value: String
    /// Every value it takes; empty when there are too many to list.
    package let values: [String]
    package let help: String

    package init(name: String, value: String, values: [String], help: String) {
        self.name = name
        self.value = value
        self.values = values
        self.help = help
    }
}

/// What a typed command could become.
extension AppState {
    /// The lines that a typed one could become, best first.
    func completions(of line: String) -> [Menu.Item] {
        let (name, argument) = TypedCommand.parts(line)
        let isNameDone = line.drop { $0.isWhitespace || $0 == ":" }.contains { $0.isWhitespace }
        guard isNameDone else { return commandItems(like: name) }
        guard let action = ActionTable.ids.first(where: { $0.command == name.lowercased() }),
            let kind = ActionTable.entries(of: action).compactMap(\.argument).first
        else { return [] }
        return argumentItems(kind, like: argument).map { item in
            var item = item
            item.text = action.command + " " + item.text
            return item
        }
    }

    private func commandItems(like name: String) -> [Menu.Item] {
        let name = name.lowercased()
        let offered = ActionTable.ids.filter { $0 != .command && $0 != .interrupt }
        let begun = offered.filter { $0.command.hasPrefix(name) }
        let meant = offered.filter { id in
            !begun.contains(id) && !name.isEmpty
                && ActionTable.entries(of: id).contains { entry in
                    (entry.synonyms + [id.command]).contains { words in
                        words.lowercased().split { $0 == " " || $0 == "-" }.contains { $0.hasPrefix(name) }
                    }
                }
        }
        let items = (begun + meant).compactMap { menuItem($0) }
        return items.filter { $0.reason == nil } + items.filter { $0.reason != nil }
    }

    /// An action as a line to choose; it works in the place that commands act in.
    func menuItem(_ id: ActionID) -> Menu.Item? {
        let place = layers.first { ActionTable.action(id, in: $0) != nil }
        guard let entry = place.flatMap({ ActionTable.action(id, in: $0) }) ?? ActionTable.entries(of: id).first else {
            return nil
        }
        return Menu.Item(
            text: id.command + (entry.argument?.isRequired == true ? " " : ""), title: entry.usage,
            detail: entry.help,
            keys: keyMap.keys(of: id, in: place ?? context).prefix(2).map(\.text).joined(separator: " "),
            reason: place != nil
                ? entry.unavailableReason(self)
                : "Works \(TypedCommand.places(ActionTable.entries(of: id))).",
            invocation: Invocation(id))
    }

    private func argumentItems(_ kind: ActionArgument, like typed: String) -> [Menu.Item] {
        switch kind {
        case .folder: folderItems(like: typed)
        case .mailbox: mailboxItems(like: typed)
        case .account: accountItems(like: typed)
        case .setting: settingItems(like: typed)
        case .command: commandItems(like: typed)
        case .words, .topic, .recipients, .path: []
        }
    }

    private func folderItems(like typed: String) -> [Menu.Item] {
        Folder.named(like: typed).map { folder in
            let row = counts(of: scope.mailboxID)
            let unread = row.unread[folder] ?? 0
            let detail = unread > 0 ? "\(Formatting.grouped(unread)) unread" : ""
            return Menu.Item(text: folder.word, title: folder.word, detail: detail)
        }
            + searches(like: typed).map { search in
                let name = TextDisplay.sanitizedLine(search.name)
                return Menu.Item(text: name, title: name, detail: TextDisplay.sanitizedLine(search.filter))
            }
    }

    /// The saved searches as lines of the palette.
    var searchItems: [Menu.Item] {
        searches.map { search in
            let name = TextDisplay.sanitizedLine(search.name)
            return Menu.Item(
                text: "go " + name, title: "go to " + name, detail: TextDisplay.sanitizedLine(search.filter),
                invocation: Invocation(.go, argument: search.name))
        }
    }

    private func mailboxItems(like typed: String) -> [Menu.Item] {
        let all = Menu.Item(text: "all", title: "all", detail: "All mailboxes together.")
        return ("all".hasPrefix(typed.lowercased()) ? [all] : [])
            + mailboxes(like: typed).map { mailbox in
                let address = TextDisplay.sanitizedLine(mailbox.address)
                let unread = counts(of: mailbox.id).unread[.inbox] ?? 0
                let name = TextDisplay.sanitizedLine(mailbox.displayName)
                let detail = [name, unread > 0 ? "\(Formatting.grouped(unread)) unread" : ""].filter { !$0.isEmpty }
                return Menu.Item(text: address, title: address, detail: detail.joined(separator: ", "))
            }
    }

    private func settingItems(like typed: String) -> [Menu.Item] {
        let parts = typed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = (parts.first ?? "").filter { $0 != " " }.lowercased()
        if parts.count > 1, let setting = settings.first(where: { $0.name == name }) {
            let value = parts[1].drop { $0 == " " }
            return setting.values.filter { $0.hasPrefix(value) }.map { word in
                Menu.Item(
                    text: "\(setting.name)=\(word)", title: "\(setting.name)=\(word)",
                    detail: word == setting.value ? "In force now." : "")
            }
        }
        let begun = settings.filter { $0.name.hasPrefix(name) }
        let others = settings.filter { !$0.name.hasPrefix(name) && $0.name.contains(name) }
        return (begun + others).map { setting in
            Menu.Item(
                text: setting.name + "=", title: "\(setting.name)=\(TextDisplay.sanitizedLine(setting.value))",
                detail: setting.help)
        }
    }

    /// The mailboxes whose address or name has a text.
    func mailboxes(like typed: String) -> [Mailbox] {
        let typed = typed.lowercased()
        let known = counts.compactMap(\.mailbox)
        let exact = known.filter { $0.address.lowercased() == typed }
        guard exact.isEmpty else { return exact }
        return known.filter {
            typed.isEmpty || $0.address.lowercased().contains(typed) || $0.displayName.lowercased().contains(typed)
        }
    }
}

extension Folder {
    /// The folder's name in commands.
    var word: String { title.lowercased() }

    /// The folders whose name, or a word of it, begins like a text; one that is named whole is the only one.
    static func named(like typed: String) -> [Folder] {
        let typed = typed.lowercased()
        if let exact = allCases.first(where: { $0.word == typed || $0.rawValue.lowercased() == typed }) {
            return [exact]
        }
        return allCases.filter { $0.word.hasPrefix(typed) || $0.rawValue.lowercased().hasPrefix(typed) }
    }
}
