internal import Glibc
internal import Platform
internal import Synchronization

/// Runs programs that keep secrets, each within a time that a person would wait.
///
/// After one did not answer, no other is waited for for a while, so that a command as a whole ends soon.
final class HelperProgram: Sendable {
    /// What a program printed, and whether it ended well.
    struct Answer: Sendable {
        let output: [UInt8]
        let isSuccess: Bool
    }

    private let keeper: TokenStoreError.Keeper
    private let hungAt = Mutex<Int64?>(nil)
    private static let outputMax = 1 << 16
    /// How long one that hung is not asked again, in milliseconds.
    private static let rest: Int64 = 30_000

    /// How long all programs of one question may take together.
    private let limit: Duration

    init(_ keeper: TokenStoreError.Keeper, limit: Duration) {
        self.keeper = keeper
        self.limit = limit
    }

    /// When a question that is asked now must be answered.
    var end: ContinuousClock.Instant { .now + limit }

    /// Runs a program and waits for its end until `end`.
    ///
    /// - Throws: `TokenStoreError.noProgram`, `.hangs`, or `.failed` for one that printed more than any secret is.
    func run(
        _ words: [String], input: ChildProcess.Input = .nothing, settings: [String: String] = [:],
        until end: ContinuousClock.Instant
    ) async throws(TokenStoreError) -> Answer {
        let now = Environment.monotonicMilliseconds
        if let hung = hungAt.withLock({ $0 }), now - hung < HelperProgram.rest { throw .hangs(keeper) }
        let child: ChildProcess
        let output: MemoryFile
        do {
            output = try MemoryFile()
            child = try ChildProcess(words, input: input, output: output, settings: settings)
        } catch {
            throw error.code == ENOENT || error.code == EACCES ? .noProgram(keeper) : .system(error.code)
        }
        guard let ending = await child.ended(within: max(.zero, ContinuousClock.now.duration(to: end))) else {
            hungAt.withLock { $0 = Environment.monotonicMilliseconds }
            throw .hangs(keeper)
        }
        guard let bytes = output.bytes(max: HelperProgram.outputMax) else { throw .failed(keeper) }
        return Answer(output: bytes, isSuccess: ending.isSuccess)
    }
}
