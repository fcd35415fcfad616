@testable internal import LocalServer
internal import MailTestSupport

extension Intervention {
    /// Those of the files about signing in: who had registered and signed in before, and the time that passed.
    static let signIn: [Intervention] = [
        Intervention("22", 0, signedIn), Intervention("23", 0, signedIn),
        Intervention("22", 10) { try $0.control("/clock?advance=6000") },
        Intervention("22", 22) { try $0.control("/clock?advance=31000") },
        Intervention("22", 31) { try $0.control("/clock?advance=901000") },
        Intervention("22", 54) { try $0.control("/clock?advance=6000") },
        Intervention("22", 65) { try $0.control("/clock?advance=900000") },
        Intervention("22", 66) { context in
            // The guesses between the first and the fifth were made and not recorded.
            for _ in 2...4 {
                _ = try WireClient(port: context.port).send("GET", "/api/auth/device?user_code=INVALID")
            }
        },
    ]

    /// The browsers that the recorded requests come from.
    private static let browsers = [
        ("cabOS5h3FhiMOlIN9isA13JWdXaFWmGM", "usr_local_owner"),
        ("XvstD8KtywQcFRCco9tgAaN9IPuUo4wz", "usr_local_member"),
    ]

    private static func signedIn(_ context: inout ReplayContext) throws {
        for (token, user) in browsers { _ = try context.store.openSession(user, token: token) }
        for exchange in Recordings.shared?.exchanges("21") ?? [] where exchange.status == 201 {
            let client = exchange.body
            func words(_ name: String) -> String { client[name]?.texts.joined(separator: " ") ?? "" }
            try context.store.run(
                """
                INSERT INTO clients(id, name, type, method, grants, redirects, resources, issuedAt)
                VALUES(?, ?, ?, ?, ?, ?, ?, 0)
                """, client["client_id"]?.text, client["client_name"]?.text, client["application_type"]?.text,
                client["token_endpoint_auth_method"]?.text, words("grant_types"), words("redirect_uris"),
                words("resources"))
        }
    }
}
