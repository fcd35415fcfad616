internal import MailSync

/// Fetching bodies before they are opened.
enum BodiesAhead {
    /// Threads asked for after each pass of the terminal program.
    static let threadsPerBeat = 25
    /// Threads asked for after an unattended pass: within a deadline, and without one.
    private static let threadsWithDeadline = 10_000
    private static let threadsWithoutDeadline = 200

    /// Fetches bodies after an unattended pass, until the instant when there is one.
    ///
    /// What fails or is not done comes with the next pass. A fetch that is slow to obey is left to the process's end,
    /// which loses nothing, since every commit is whole.
    static func fill(_ session: Session, until end: ContinuousClock.Instant?) async {
        let (engine, policy) = (session.engine, session.account.settings.bodies(of: session.account.label))
        let threads = end == nil ? threadsWithoutDeadline : threadsWithDeadline
        let (waiting, over) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            _ = try? await engine.fillBodies(policy, threadsMax: threads)
            over.finish()
        }
        let timer = end.map { end in
            Task {
                try? await Task.sleep(until: end, clock: .continuous)
                over.finish()
            }
        }
        for await _ in waiting {}
        work.cancel()
        timer?.cancel()
    }
}
