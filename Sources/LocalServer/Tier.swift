/// The release of the real server that the local one behaves like.
package enum ServerTier: String, Sendable, Hashable {
    /// The unreleased head: draft paging and feed, literal search, quotes of every mail program.
    case main
    /// The release 1.2.0, which has none of these.
    case release = "1.2"
}
