extension StoreError {
    /// A word of ours for the log.
    package var logCode: StaticString {
        switch self {
        case .diskFull: "disk-full"
        case .cannotAccess: "cannot-access"
        case .damaged: "damaged"
        case .cannotCreate: "cannot-create"
        case .inTheWay: "in-the-way"
        case .busy: "busy"
        case .statement: "statement"
        case .question: "question"
        case .outbox(let error): error.logCode
        }
    }
}
