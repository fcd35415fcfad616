/// How much of the mail a search can find.
package struct SearchCoverage: Sendable, Hashable {
    package var messages: Int
    /// Messages whose text has been fetched.
    package var bodies: Int
    /// Messages that the index does not have yet, or not as they are now.
    package var waiting: Int

    package init(messages: Int, bodies: Int, waiting: Int) {
        self.messages = messages
        self.bodies = bodies
        self.waiting = waiting
    }

    /// Whether a text that is not here could be a hit.
    package var isComplete: Bool { bodies >= messages && waiting == 0 }
}
