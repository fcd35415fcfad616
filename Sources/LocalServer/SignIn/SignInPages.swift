/// The pages on which a person approves a program.
///
/// They stand in for the real server's web app, whose pages these are not.
enum SignInPages {
    /// The page of a device's code.
    static func device(_ userCode: String, _ message: String = "") -> ServerAnswer {
        page(
            "Connect a program", message,
            """
            <form method="post" action="/device">
            <p><label>Code <input name="user_code" value="\(escaped(userCode))" autofocus></label></p>
            \(person)
            </form>
            """)
    }

    /// The page on which a program's wish is granted or refused; it says whose and what it is.
    static func consent(_ query: String, program: String, scopes: [String], _ message: String = "") -> ServerAnswer {
        let wishes = scopes.map { "<li>\(escaped(wish($0)))</li>" }.joined()
        return page(
            "Connect a program", message,
            """
            <p>“\(escaped(program))” wants to:</p>
            <ul>\(wishes)</ul>
            <form method="post" action="/oauth/consent">
            <input type="hidden" name="oauth_query" value="\(escaped(query))">
            \(person)
            </form>
            """)
    }

    /// A page that only says something.
    static func message(_ message: String) -> ServerAnswer { page("Local mail server", message, "") }

    /// A scope in words.
    private static func wish(_ scope: String) -> String {
        switch scope {
        case "mail:read": "read mail"
        case "mail:write": "change mail: mark, move and draft"
        case "mail:send": "send mail"
        case "offline_access": "stay signed in"
        default: scope
        }
    }

    private static let person = """
        <p><label>E-mail <input name="email" type="email"></label></p>
        <p><label>Password <input name="password" type="password"></label></p>
        <p><button name="decision" value="approve">Approve</button>
        <button name="decision" value="deny">Deny</button></p>
        """

    private static func page(_ title: String, _ message: String, _ body: String) -> ServerAnswer {
        .page(
            """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head><body>
            <h1>\(title)</h1>
            \(message.isEmpty ? "" : "<p>\(escaped(message))</p>")
            \(body)
            <p>This is a local server for trying and testing, with mail that is not real.</p>
            </body></html>

            """)
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for character in text {
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            default: out.append(character)
            }
        }
        return out
    }
}
