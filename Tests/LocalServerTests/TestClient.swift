internal import MailTestSupport

/// One exchange with the server over a socket; `bearer` is the end of a demo user's token.
func exchange(
    _ port: Int, _ target: String, bearer: String? = nil, method: String = "GET", body: String = "",
    type: String? = nil
) -> WireAnswer? {
    var headers = bearer.map { [authorization($0)] } ?? []
    if let type { headers.append(("Content-Type", type)) }
    return try? WireClient(port: port).send(method, target, headers: headers, body: Array(body.utf8))
}

/// The field that names a demo user.
func authorization(_ bearer: String) -> (String, String) { ("Authorization", "Bearer hqb_access_\(bearer)") }
