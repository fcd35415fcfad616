internal import Glibc

extension ChildProcess {
    /// Waits for the end, and makes one when it does not come in time; `nil` then.
    ///
    /// A detached program is ended with everything it has started.
    package func ended(within limit: Duration) async -> Ending? {
        let timer = Task {
            try await Task.sleep(for: limit)
            endGroup()
            return true
        }
        let ending = await ended()
        timer.cancel()
        // The timer tells whether it came to it; a program may end by itself at the last moment.
        let wasEnded = (try? await timer.value) ?? false
        return wasEnded && ending == .signalled(SIGKILL) ? nil : ending
    }
}
