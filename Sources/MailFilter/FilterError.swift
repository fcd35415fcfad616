/// Why a text is no filter.
package struct FilterError: Error, Sendable, Hashable {
    /// What is wrong.
    package enum Problem: Sendable, Hashable {
        case expected(String)
        /// A word before a colon that means nothing.
        case unknownField(String)
        case tooLong, tooDeep, tooMany
        case noFilter
    }

    package let problem: Problem
    /// The character it is about, counted from 1.
    package let column: Int
    /// Whether more text could mend it, as while somebody types.
    package let isUnfinished: Bool

    init(_ problem: Problem, column: Int, isUnfinished: Bool = false) {
        self.problem = problem
        self.column = column
        self.isUnfinished = isUnfinished
    }

    /// A sentence for the person; holds what they typed.
    package var message: String {
        switch problem {
        case .tooLong: "The filter is \(reason)."
        case .noFilter: "The filter is empty."
        default: "Column \(column) of the filter: \(reason)."
        }
    }

    /// What is wrong, where a mark tells the place; without a full stop, and may hold what was typed.
    package var reason: String {
        switch problem {
        case .expected(let what): "expected \(what)"
        case .unknownField(let word): "“\(word)” is no field; put it in quotes to look for the words"
        case .tooLong: "longer than \(FilterParser.bytesMax) bytes"
        case .tooDeep: "more than \(FilterParser.depthMax) levels"
        case .tooMany: "more than \(FilterParser.termsMax) words and fields"
        case .noFilter: "empty"
        }
    }
}
