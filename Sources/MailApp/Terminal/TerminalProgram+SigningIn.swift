internal import DisplayText
internal import HTTP
internal import MailSignIn
internal import MailUI
internal import Platform
internal import TerminalDriver

/// The try to sign in that is under way.
struct SigningIn {
    var task: Task<Void, Never>?
    /// A sign-in that was approved, while the person is asked whose it is.
    var undecided: SignedIn?
    var attempt = 0
}

/// A sign-in that was approved and is not kept yet.
struct SignedIn: Sendable {
    var stored: StoredSignIn
    /// The account it is for, as it was before.
    let place: Account
    /// Whether an account of this label was here before.
    let isRenewal: Bool
}

/// Signing in without leaving the screen.
extension TerminalProgram {
    /// Asks a server for a code and waits for its approval, beside the loop.
    func beginSignIn(_ request: SignInRequest) {
        signingIn.task?.cancel()
        signingIn.undecided = nil
        signingIn.attempt = request.attempt
        let place: Account
        do {
            place = try self.place(of: request)
        } catch {
            return apply(.signIn(.failed(error.message), attempt: request.attempt))
        }
        if request.account == nil, request.name == nil || run(of: place.label) != nil,
            Accounts.labels(place.places).contains(place.label)
        {
            return apply(
                .signIn(.nameTaken(place.label, suggestion: freeLabel(place.label)), attempt: request.attempt))
        }
        let backend = SignInBackend(account: place)
        signingIn.task = effect {
            do {
                let signedIn = try await backend.signIn(isRenewal: request.account != nil) { code, clock in
                    await self.show(code, clock: clock, attempt: request.attempt)
                }
                await self.approved(signedIn, attempt: request.attempt)
            } catch is CancellationError {
                return
            } catch {
                await self.applyAndPaint(.signIn(.failed(Failures.failure(error).message), attempt: request.attempt))
            }
        }
    }

    /// The account that a request is about.
    private func place(of request: SignInRequest) throws(CommandFailure) -> Account {
        let known = request.account.flatMap { run(of: $0)?.account }
        let origin: URLParts
        if request.address.isEmpty, let known, let parts = URLParts(known.origin) {
            origin = parts
        } else {
            origin = try Account.typedOrigin(request.address)
        }
        if let known, known.origin != origin.origin {
            throw CommandFailure("The account of that name is of another server.", .badInput)
        }
        let label = request.account ?? request.name ?? Account.label(origin)
        guard Accounts.isName(label) else {
            throw CommandFailure(Accounts.nameRule, .usage)
        }
        var place = Account(
            label: label, origin: origin.origin, credential: known?.credential ?? .signIn(identity: ""),
            places: account.places)
        place.settings = account.settings
        return place
    }

    /// A name for another account, where the usual one is taken.
    private func freeLabel(_ label: String) -> String {
        let taken = Set(Accounts.labels(account.places))
        return (2...99).lazy.map { "\(label)-\($0)" }.first { !taken.contains($0) } ?? label
    }

    private func show(_ code: DeviceCode, clock: String?, attempt: Int) {
        let shown = SignInCode(
            code: code.userCode, address: code.address, addressWithCode: code.addressWithCode,
            secondsLeft: Int64(code.secondsLeft))
        apply(.signIn(.code(shown), attempt: attempt))
        if let clock, attempt == signingIn.attempt { apply(.notice(clock)) }
        paint()
    }

    private func approved(_ signedIn: (SignedIn, isAnother: Bool), attempt: Int) {
        guard attempt == signingIn.attempt else { return }
        guard signedIn.isAnother else { return keep(signedIn.0, attempt: attempt) }
        signingIn.undecided = signedIn.0
        applyAndPaint(.signIn(.anotherPerson, attempt: attempt))
    }

    /// Keeps the sign-in whose person was asked for.
    func finishSignIn(isSamePerson: Bool) {
        guard var signedIn = signingIn.undecided else { return }
        signingIn.undecided = nil
        if !isSamePerson { signedIn.stored.identity = Environment.uuid() }
        keep(signedIn, attempt: signingIn.attempt)
    }

    /// Ends the try; a sign-in that was approved and is not wanted is given back to the server.
    func cancelSignIn() {
        signingIn.task?.cancel()
        signingIn.attempt += 1
        guard let unwanted = signingIn.undecided else { return }
        signingIn.undecided = nil
        let backend = SignInBackend(account: unwanted.place)
        effect { await backend.giveBack(unwanted.stored) }
    }

    /// Keeps a sign-in and opens its account.
    private func keep(_ signedIn: SignedIn, attempt: Int) {
        let backend = SignInBackend(account: signedIn.place)
        signingIn.task = effect {
            do {
                try await backend.keep(signedIn.stored)
                await self.kept(signedIn, attempt: attempt)
            } catch {
                await self.applyAndPaint(.signIn(.failed(Failures.failure(error).message), attempt: attempt))
            }
        }
    }

    private func kept(_ signedIn: SignedIn, attempt: Int) {
        var account = signedIn.place
        account.credential = .signIn(identity: signedIn.stored.identity)
        let former = run(of: account.label)
        Log.shared.note(.info, "signed in", .account(account))
        if let former, former.account.owner == account.owner {
            former.listening.isOver = false
            former.schedule.hurry()
            tell(.signInEnded(false), former)
            tellSignInAge(former)
        } else {
            if former != nil { apply(.accountForgotten(account.label)) }
            take(AccountRun(account: account, isOffline: isOffline))
        }
        applyAndPaint(.signIn(.done(account.label), attempt: attempt))
        if let run = run(of: account.label) { startPassIfDue(run) }
        paint()
    }

    /// Leaves the screen for the demo: this same program begins anew with its mail.
    func openDemo() {
        ending.noteDemo()
        quit()
    }
}
