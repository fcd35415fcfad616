package import MailModel

/// The durable queue that a drain empties; `OutboxStore` is one, tests may have others.
///
/// Every method is one transaction, done and on the disk when it returns.
package protocol DrainQueue: Sendable {
    /// Takes back what a process had under way when it ended; called by who holds the lock, so nothing else is.
    func takeUp(at milliseconds: Int64) async throws
    /// Notes what became of operations.
    func settle(_ settlements: [Settlement], at milliseconds: Int64) async throws
    /// Claims operations that are due: the earliest of each message, unless one of the message is claimed already.
    ///
    /// Those that were never tried come first, so that one the server fails at does not keep all others back.
    func claim(limit: Int, now milliseconds: Int64) async throws -> [Operation]
    /// Settles, then claims, both in one transaction.
    func settle(
        _ settlements: [Settlement], claiming limit: Int, at milliseconds: Int64
    ) async throws -> [Operation]
    /// Gives claimed operations back that nothing was sent of.
    func giveBack(_ ids: [OperationID]) async throws
    /// Has every operation that nothing is sent of wait for somebody.
    func blockAll(_ reason: BlockReason) async throws
    /// Has operations that wait for somebody be tried again; answers how many.
    func release(_ reason: BlockReason) async throws -> Int
    /// The end of a wait that the server asked for, in milliseconds since 1970; `nil` when there is none.
    func pauseEnd(after milliseconds: Int64) async throws -> Int64?
    /// How many operations wait.
    func counts() async throws -> OutboxCounts
}

/// Where the server's answers go: what the account sees on the server.
package protocol ServerTruth: Sendable {
    /// Writes messages as the server has them now; of those in `ending` the first operation is done by that.
    func apply(serverAnswers: [MessageSummary], ending: Set<MessageID>) async throws
    /// Has what people see follow what left the queue.
    func showQueue() async throws
    /// The address of a mailbox; `nil` for one that is not known.
    func address(of mailbox: MailboxID) async throws -> String?
}

/// What becomes of one operation after a request of it.
package struct Settlement: Sendable, Hashable {
    /// What becomes of it.
    package enum Outcome: Sendable, Hashable {
        /// It is done, and leaves the queue.
        case done
        /// It is tried again, not before an instant; `counts` when the failure counts against it.
        case retry(FailureCode, notBefore: Int64?, counts: Bool)
        /// It waits for somebody.
        case block(FailureCode, BlockReason)
        /// It leaves the queue for the journal.
        case drop(FailureCode, Verdict)
    }

    package var operation: Operation
    package var outcome: Outcome
    /// The message as the server answered it; `nil` when there is no answer that can be read.
    package var answer: MessageSummary?
    /// Whether the server may have done it.
    package var mayHaveArrived: Bool
    /// What is told of it although it is done; `nil` for nothing.
    package var warning: FailureCode?

    package init(
        _ operation: Operation, _ outcome: Outcome, answer: MessageSummary? = nil, mayHaveArrived: Bool = true,
        warning: FailureCode? = nil
    ) {
        self.operation = operation
        self.outcome = outcome
        self.answer = answer
        self.warning = warning
        self.mayHaveArrived = mayHaveArrived
    }
}
