internal import JSON
internal import SQLite

/// Answers the requests of signing in, which carry no bearer.
enum SignInRouter {
    /// The answer; `nil` when the path is none of these.
    static func answer(_ request: ServerRequest, _ service: Service) -> ServerAnswer? {
        guard isMine(request.path) else { return nil }
        do {
            let outcome = try service.withStore { store in
                // A refusal keeps what was written: a poll's time, a family that is gone.
                try store.database.transaction { () throws -> Result<ServerAnswer, SignInRefusal> in
                    do {
                        return .success(try route(request, store))
                    } catch let refusal as SignInRefusal {
                        return .failure(refusal)
                    }
                }
            }
            switch outcome {
            case .success(let answer): return answer
            case .failure(let refusal): return refusal.answer
            }
        } catch let refusal as Refusal {
            return .failure(refusal)
        } catch is JSONError {
            return .libraryRefusal(400, "BAD_REQUEST", "Invalid JSON in request body")
        } catch {
            return .failure(.internalError)
        }
    }

    private static func isMine(_ path: String) -> Bool {
        path.hasPrefix("/api/auth/") || ["/", "/device", "/oauth/consent"].contains(path)
    }

    private static func route(_ request: ServerRequest, _ store: Store) throws -> ServerAnswer {
        switch (request.method, request.path) {
        case ("POST", "/api/auth/oauth2/register"):
            guard request.authorization == nil else {
                throw SignInRefusal("invalid_token", "registration takes no bearer", status: 401)
            }
            return try Registration(request.body, origin: store.origin).store(store)
        case ("POST", "/api/auth/device/code"): return try store.deviceCode(FormFields(request))
        case ("POST", "/api/auth/oauth2/token"): return try store.token(request)
        case ("POST", "/api/auth/oauth2/revoke"): return try store.revoke(FormFields(request))
        case ("POST", "/api/auth/oauth2/introspect"):
            throw SignInRefusal("invalid_client", "missing required credentials", status: 401)
        case ("GET", "/api/auth/oauth2/authorize"): return try store.authorize(request)
        case ("GET", "/api/auth/device"):
            try store.count("device", max: 5, request)
            return try store.deviceDetails(
                request.parameter("user_code") ?? "", viewer: store.session(of: request)?.user)
        case ("GET", "/api/auth/error"): return SignInPages.message("The program asked for something wrong.")
        case ("POST", "/api/auth/sign-up/email"):
            return plain(403, "SIGNUP_DISABLED", "Public signup is disabled. Use setup or admin user creation.")
        case ("GET", "/"), ("GET", "/oauth/consent"): return try store.consentPage(query(request))
        case ("GET", "/device"): return SignInPages.device(request.parameter("user_code") ?? "")
        case (_, let path) where path.hasPrefix("/api/auth/admin/"):
            return plain(403, "FORBIDDEN", "This is not allowed.")
        default: return try store.browserRoute(request)
        }
    }

    /// An error in the envelope of the API, whose type here names no charset.
    private static func plain(_ status: UInt32, _ code: String, _ message: String) -> ServerAnswer {
        var answer = ServerAnswer.failure(Refusal(status: status, code: code, message: message))
        answer.contentType = "application/json"
        return answer
    }

    private static func query(_ request: ServerRequest) -> String {
        FormFields.encoded(request.query.map { ($0.name, $0.value) })
    }
}

extension Store {
    /// The page about a wish; a word in its place when the wish is none of ours or its time is over.
    fileprivate func consentPage(_ query: String, _ message: String = "") throws(SQLiteError) -> ServerAnswer {
        guard !query.isEmpty else { return SignInPages.message("This is a local mail server.") }
        guard let wish = AuthorizationRequest(sealed: query, now: instant, secret: seal) else {
            return SignInPages.message("This request is not valid any more. Begin again in the program.")
        }
        let name = try text("SELECT name FROM clients WHERE id = ?", wish.client)
        return SignInPages.consent(query, program: name ?? "A program", scopes: wish.scopes, message)
    }

    /// Routes that a browser uses: with the session in its cookie, or with a person's password in a form of ours.
    fileprivate func browserRoute(_ request: ServerRequest) throws -> ServerAnswer {
        switch (request.method, request.path) {
        case ("POST", "/api/auth/sign-in/email"): return try signIn(request)
        case ("POST", "/api/auth/device/approve"), ("POST", "/api/auth/device/deny"):
            let isApproval = request.path.hasSuffix("approve")
            guard request.pageOrigin == origin else {
                throw SignInRefusal(
                    "access_denied", "The approval request must come from this HQBase installation.", status: 403)
            }
            guard let session = try session(of: request) else {
                throw SignInRefusal("unauthorized", "Authentication required", status: 401)
            }
            try decideDevice(
                FormFields(request)["userCode"] ?? "", approve: isApproval, session: session.token,
                user: session.user)
            return .signIn([("success", .flag(true))], hasPragma: isApproval)
        case ("POST", "/api/auth/oauth2/consent"):
            guard request.pageOrigin == origin else { return .libraryRefusal(403, "INVALID_ORIGIN", "Invalid origin") }
            guard let session = try session(of: request) else {
                throw SignInRefusal("unauthorized", "Authentication required", status: 401)
            }
            let form = try FormFields(request)
            let url = try decide(form["oauth_query"] ?? "", accept: form["accept"] == "true", session)
            return .signIn([("redirect", .flag(true)), ("url", .text(url))], hasPragma: false)
        case ("POST", "/device"), ("POST", "/oauth/consent"): return try pageForm(request)
        default: throw Refusal.notFound
        }
    }

    /// A person who decides on a page, with e-mail and password in the same form.
    private func pageForm(_ request: ServerRequest) throws -> ServerAnswer {
        let form = try FormFields(request)
        let isDevice = request.path == "/device"
        guard let user = try user(email: form["email"] ?? "", password: form["password"] ?? "") else {
            let message = "The e-mail or the password is wrong."
            return isDevice
                ? SignInPages.device(form["user_code"] ?? "", message)
                : try consentPage(form["oauth_query"] ?? "", message)
        }
        let session = try openSession(user)
        let accepts = form["decision"] == "approve"
        guard isDevice else {
            return .redirect(try decide(form["oauth_query"] ?? "", accept: accepts, (session, user)), 303)
        }
        do {
            _ = try deviceDetails(form["user_code"] ?? "", viewer: user)
            try decideDevice(form["user_code"] ?? "", approve: accepts, session: session, user: user)
        } catch let refusal as SignInRefusal {
            return SignInPages.device(form["user_code"] ?? "", refusal.description + ".")
        }
        return SignInPages.message(
            accepts ? "Done. You can go back to the program." : "The program was not let in.")
    }
}
