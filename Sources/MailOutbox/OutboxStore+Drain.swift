package import MailModel
package import MailStorage

extension OutboxStore: DrainQueue {
    package func takeUp(at milliseconds: Int64) throws { try restart() }

    package func settle(_ settlements: [Settlement], at milliseconds: Int64) throws {
        try settle(settlements.map(\.stored), at: milliseconds)
    }

    package func settle(
        _ settlements: [Settlement], claiming limit: Int, at milliseconds: Int64
    ) throws -> [Operation] {
        try settle(settlements.map(\.stored), claiming: limit, at: milliseconds)
    }

    package func blockAll(_ reason: BlockReason) throws { try blockAll(reason: reason) }

    package func release(_ reason: BlockReason) throws -> Int { try unblock(reason: reason) }

    package func pauseEnd(after milliseconds: Int64) throws -> Int64? {
        try waitEnd(failure: FailureCode.rateLimited.rawValue, after: milliseconds)
    }
}

extension Settlement {
    /// The form in which the queue keeps it.
    var stored: OperationOutcome {
        switch outcome {
        case .done: OperationOutcome(operation.id, .done, failure: warning?.rawValue)
        case .drop(let code, let verdict):
            OperationOutcome(operation.id, .dropped(verdict), failure: code.rawValue)
        case .block(let code, let reason):
            OperationOutcome(
                operation.id, .blocked(reason), failure: code.rawValue, mayHaveArrived: mayHaveArrived,
                refusals: operation.refusals)
        case .retry(let code, let notBefore, let counts):
            OperationOutcome(
                operation.id, .retry(notBefore: notBefore), failure: code.rawValue, mayHaveArrived: mayHaveArrived,
                refusals: operation.refusals + (counts ? 1 : 0))
        }
    }
}
