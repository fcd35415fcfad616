internal import MailSync

/// Fetching bodies before they are opened.
enum BodiesAhead {
    /// Threads asked for after each pass of the terminal program.
    static let threadsPerBeat = 25
    /// Threads asked for after an unattended pass: within a deadline, and without one.
    private static let threadsWithDeadline = 10_000
    private static let threadsWithoutDeadline = 200

    /// Which bodies an account wants.
    static func policy(_ account: Account) -> BodiesPolicy { account.settings.bodies }

    /// Fetches bodies after an unattended pass, until the instant when there is one.
    ///
    /// What fails or is not done comes with the next pass.
    static func fill(_ session: Session, _ policy: BodiesPolicy, until end: ContinuousClock.Instant?) async {
        let engine = session.engine
        let threads = end == nil ? threadsWithoutDeadline : threadsWithDeadline
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await engine.fillBodies(policy, threadsMax: threads) }
            if let end { group.addTask { try? await Task.sleep(until: end, clock: .continuous) } }
            await group.next()
            group.cancelAll()
        }
    }
}
