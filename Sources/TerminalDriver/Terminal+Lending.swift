internal import CSystem
internal import CTerminalGuard
internal import Glibc

/// The terminal while another program has it.
extension Terminal {
    /// After `suspend`, tells something below what another program wrote, and lets a single key be read.
    ///
    /// `resume` takes the screen back.
    package func waitForKey(_ sentence: String) {
        guard !isOwned else { return }
        Self.send("\r\n\(sentence)")
        var settings = termios()
        guard tcgetattr(0, &settings) == 0 else { return }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(0, TCSADRAIN, &settings)
    }

    /// Leaves the line of the sentence, so that the next program's output begins below it.
    package func endWaitForKey() {
        if !isOwned { Self.send("\r\n") }
    }

    /// After `suspend`, stops the process as Ctrl-Z does; the other program has the screen again when it goes on.
    package func stopWhileLent() {
        guard !isOwned else { return }
        terminal_guard_stop()
    }
}
