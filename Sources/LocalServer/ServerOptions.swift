/// What the server is asked to serve, and how.
package struct ServerOptions: Sendable, Hashable {
    /// Mail to load into the mailbox of an address.
    package struct Import: Sendable, Hashable {
        package let path: String
        package let address: String

        package init(path: String, address: String) {
            self.path = path
            self.address = address
        }
    }

    /// The port on 127.0.0.1; 0 takes a free one.
    package var port = 0
    package var portFile: String?
    package var controlFile: String?
    /// The directory of the database; a temporary one when absent.
    package var state: String?
    /// The users and mailboxes every test knows.
    package var hasDemoUsers = false
    /// The release that the server behaves like.
    package var tier = ServerTier.main
    /// Whether the change feeds sort their sequences as text, as the real server does.
    package var ordersAsText = false
    package var imports: [Import] = []
    package var demo: String?
    package var endsWithParent = false
    package var removedOnExit: String?
    /// Whether there is a route of live events, which HQBase does not have.
    package var hasEvents = true
    /// How often an event stream says that it is alive.
    package var heartbeatMilliseconds: Int64 = 15_000
    /// The wait before a reconnect that an event stream asks for.
    package var retryMilliseconds: Int64 = 3_000

    package init() {}

    /// Reads a command line, without the program's name.
    ///
    /// - Throws: `ServerError.usage`.
    package init(arguments: [String]) throws(ServerError) {
        var rest = arguments[...]
        var path: String?
        func value(_ option: String) throws(ServerError) -> String {
            guard let value = rest.popFirst() else { throw .usage("\(option) needs a value.") }
            return value
        }
        while let option = rest.popFirst() {
            switch option {
            case "--port":
                let text = try value(option)
                guard let number = Int(text), (0...65_535).contains(number) else {
                    throw .usage("--port needs a number from 0 to 65535.")
                }
                port = number
            case "--port-file": portFile = try value(option)
            case "--control-file": controlFile = try value(option)
            case "--state": state = try value(option)
            case "--tier":
                guard let named = ServerTier(rawValue: try value(option)) else {
                    throw .usage("--tier is main or 1.2.")
                }
                tier = named
            case "--demo-users": hasDemoUsers = true
            case "--order-defect": ordersAsText = true
            case "--demo": demo = try value(option)
            case "--exit-with-parent": endsWithParent = true
            case "--no-events": hasEvents = false
            case "--remove-on-exit": removedOnExit = try value(option)
            case "--import":
                if path != nil { throw .usage("--import needs --to ADDRESS after it.") }
                path = try value(option)
            case "--to":
                guard let source = path else { throw .usage("--to needs --import PATH before it.") }
                let address = try value(option)
                guard ServerOptions.isAddress(address) else { throw .usage("--to needs an address: name@example.com.") }
                imports.append(Import(path: source, address: address))
                path = nil
            default: throw .usage("\(option) is not an option of the server.")
            }
        }
        if path != nil { throw .usage("--import needs --to ADDRESS after it.") }
    }

    /// Whether a text can be the address of a mailbox: a name, one @ and a domain.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && text.unicodeScalars.allSatisfy {
                $0.value > 0x20 && $0.value != 0x7F && !"<>,;\"".unicodeScalars.contains($0)
            }
    }
}
