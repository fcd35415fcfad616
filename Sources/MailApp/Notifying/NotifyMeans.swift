internal import Glibc
internal import Platform
internal import TerminalDriver

/// How people are told of new mail.
enum NotifyMeans: Hashable, Sendable {
    /// By a program of theirs, with its arguments.
    case command([String])
    /// By the terminal itself.
    case terminal(NotificationSequence.Form)
    /// By notify-send; the address of the session bus where the environment does not have it.
    case desktop(bus: String?)

    /// What choosing depends on.
    struct Surroundings: Sendable {
        /// Whether a terminal is there and is ours to write to.
        var hasTerminal: Bool
        /// Whether nothing of the person but what lies below `HERALD_HOME` is used.
        var isSelfContained: Bool
        var variable: @Sendable (String) -> String? = { Environment.value($0) }
        var isProgram: @Sendable (String) -> Bool = { ChildProcess.isThere($0) }
        var isSocket: @Sendable (String) -> Bool = { Files.exists($0) }
    }

    /// The first means that the settings allow and that is there; `nil` for none.
    static func chosen(_ settings: Settings, _ around: Surroundings) -> NotifyMeans? {
        if !settings.notifyCommand.isEmpty { return .command(settings.notifyCommand) }
        if around.hasTerminal, let form = settings.notifyForm(around.variable) { return .terminal(form) }
        guard settings.notifiesDesktop, around.isProgram("notify-send") else { return nil }
        if let address = around.variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return .desktop(bus: nil) }
        // Cron has no environment of the desktop, but the bus of the person is at a known place.
        let directory = around.variable("XDG_RUNTIME_DIR") ?? (around.isSelfContained ? nil : "/run/user/\(getuid())")
        guard let socket = directory.map({ $0 + "/bus" }), socket.hasPrefix("/"), around.isSocket(socket) else {
            return nil
        }
        return .desktop(bus: "unix:path=" + NotifyMeans.escaped(socket))
    }

    /// A path as an address of D-Bus writes it (D-Bus specification, "Server Addresses").
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain =
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x2F, 0x2E, 0x5C, 0x2A: true
                default: false
                }
            let digits = String(byte, radix: 16)
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}

/// What the settings say of new mail.
extension Settings {
    /// The program that tells of new mail, with its arguments; empty when there is none.
    var notifyCommand: [String] {
        guard case .words(let words) = self[.notifyCommand] else { return [] }
        return words
    }

    var notifiesDesktop: Bool { self[.notifyDesktop] == .text("auto") }

    /// How much is told.
    var notifyDetail: NewMailText.Detail {
        guard case .text(let word) = self[.notifyText] else { return .subject }
        return NewMailText.Detail(rawValue: word) ?? .subject
    }

    /// The way in which the terminal is told; `nil` for none.
    func notifyForm(_ variable: (String) -> String?) -> NotificationSequence.Form? {
        switch self[.notifyTerminal] {
        case .text("osc9"): .osc9
        case .text("osc777"): .osc777
        case .text("off"): nil
        default: NotificationSequence.Form.known(variable)
        }
    }

    /// Whether new mail of a mailbox is told of; `nil` stands for unassigned mail.
    func notifies(_ address: String?) -> Bool {
        let own = mailboxes.last { setting in
            setting.name == .notify && setting.address.lowercased() == address?.lowercased()
        }
        return (own?.value ?? self[.notifyMail]) == .text("on")
    }
}
