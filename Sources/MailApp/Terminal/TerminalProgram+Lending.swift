internal import DisplayText
internal import Glibc
internal import MailModel
internal import MailUI
internal import Platform
internal import TerminalDriver

/// The terminal while another program has it.
enum Lending {
    /// The program runs and reads the keys.
    case running(ChildProcess)
    /// It is over; its output stays until a key is pressed.
    case ended
}

/// Other programs in the terminal.
extension TerminalProgram {
    /// Runs a command of the person's shell with a message's text as its input.
    func pipe(_ id: MessageID, to command: String) {
        let run = current
        effect {
            do {
                let text = MessageFile.text(try await self.wholeMessage(id, run))
                let shell = Environment.value("SHELL") ?? "/bin/sh"
                try await self.lendTerminal(to: [shell, "-c", command], input: .bytes(text), waitsForKey: true)
            } catch {
                await self.applyAndPaint(.notice(FileFailure.sentence(error)))
            }
        }
    }

    /// Gives the terminal to a program until it ends, and with `waitsForKey` until a key is pressed then.
    ///
    /// `finish` is told how it ended once the terminal is back, in place of what is told otherwise.
    /// - Throws: `FileFailure` when it cannot be started; the terminal stays then.
    func lendTerminal(
        to arguments: [String], input: ChildProcess.Input, waitsForKey: Bool,
        then finish: (@UIActor @Sendable (ChildProcess.Ending) -> Void)? = nil
    ) throws(FileFailure) {
        guard lending == nil else { throw .refused("Another program has the terminal.") }
        UILoop.shared.setReading(false)
        terminal.suspend()
        let child: ChildProcess
        do {
            child = try ChildProcess(arguments, input: input, place: .terminal)
        } catch {
            takeTerminalBack()
            throw .refused("The command could not be started: \(error.message).")
        }
        lending = .running(child)
        effect {
            let ending = await child.ended()
            await self.programEnded(ending, waitsForKey: waitsForKey, then: finish)
        }
    }

    private func programEnded(
        _ ending: ChildProcess.Ending, waitsForKey: Bool,
        then finish: (@UIActor @Sendable (ChildProcess.Ending) -> Void)?
    ) {
        guard case .running = lending else { return }
        awaitsStraySignal = ending.isInterrupt
        if let finish {
            takeTerminalBack()
            return finish(ending)
        }
        if !waitsForKey {
            takeTerminalBack()
            if !ending.isSuccess { applyAndPaint(.notice("The program \(ending.words).")) }
            return
        }
        lending = .ended
        let end = ending.isSuccess ? "The command is done." : "The command \(ending.words)."
        terminal.waitForKey("\(end) Press any key to go back to Herald.")
        UILoop.shared.setReading(true)
    }

    /// Handles what the loop reports while the terminal is lent.
    func receiveWhileLent(_ event: LoopEvent) {
        switch event {
        case .input(let events):
            guard case .ended = lending else { return }
            takeTerminalBack()
            // What was typed behind the key is for us.
            receive(.input(Array(events.dropFirst())))
        // Whatever was typed to the other program was meant for it.
        case .signal(SIGINT):
            if case .ended = lending { takeTerminalBack() }
        case .signal(SIGTSTP): terminal.stopWhileLent()
        case .signal(SIGCONT):
            if case .ended = lending { terminal.waitForKey("Press any key to go back to Herald.") }
        case .signal, .hangup:
            if case .running(let child) = lending { child.send(SIGHUP) }
            lending = nil
            receive(event)
        case .deadline: tick()
        case .resized: break
        }
    }

    /// Whether an event is the signal of a key that was meant for the other program, and came after its end.
    func isStray(_ event: LoopEvent) -> Bool {
        switch event {
        case .input: awaitsStraySignal = false
        case .signal(SIGINT) where awaitsStraySignal:
            awaitsStraySignal = false
            return true
        default: break
        }
        return false
    }

    private func takeTerminalBack() {
        if case .ended = lending { terminal.endWaitForKey() }
        lending = nil
        terminal.resume()
        UILoop.shared.setReading(true)
        applyAndPaint(.resized(terminal.size))
    }
}

extension ChildProcess.Ending {
    /// Whether a key interrupted it, as a shell tells that of its command, too.
    var isInterrupt: Bool { self == .signalled(SIGINT) || self == .exited(128 + SIGINT) }

    /// How it ended, to go after a name.
    var words: String {
        switch self {
        case .exited(let code): "ended with status \(code)"
        case .signalled(let signal): "was ended by signal \(signal)"
        }
    }
}
