internal import CSystem
internal import Glibc

/// The signals that ask a command to end, taken as a descriptor, so that it can tell first what it leaves behind.
///
/// Made before the process has a second thread; those that come later have the signals blocked as well. Other programs
/// that are started do not.
struct EndingSignals {
    /// Can be read once one has come.
    let descriptor: Int32
    private let set: sigset_t

    init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] where !EndingSignals.isIgnored(number) { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        set = signals
        descriptor = signalfd(-1, &signals, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
    }

    /// A signal that the parent has ignored, as nohup does, stays ignored.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Ends the process by the signal that came, as if it had not been taken.
    func end() -> Never {
        var info = signalfd_siginfo()
        let count = read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size)
        let number = count > 0 ? Int32(info.ssi_signo) : SIGTERM
        signal(number, SIG_DFL)
        var signals = set
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        _exit(128 + number)
    }
}
