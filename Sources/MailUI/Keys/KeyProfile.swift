/// Keys that people bring along from another program, as changes of the standard ones.
package enum KeyProfile: String, Sendable, Hashable, CaseIterable {
    case `default`, mutt, gmail, emacs

    /// What the profile is like, in one line.
    package var summary: String {
        switch self {
        case .default: "Herald's own keys, which are those of vim and aerc where these agree."
        case .mutt: "The keys of mutt and neomutt; “c” asks for a folder, and “g” begins nothing."
        case .gmail: "The keys of Gmail in a browser: “j” and “k” go through conversations also while reading."
        case .emacs: "The keys of Emacs, and of its mail readers: “j” begins the places to go to."
        }
    }

    /// What differs from the standard keys.
    package var changes: [KeyChange] {
        KeyProfile.lines(text).map { line in
            KeyChange(group: line.group, keys: line.keys, command: line.command)
        }
    }

    private var text: String {
        switch self {
        case .default: ""
        case .mutt: KeyProfile.muttText
        case .gmail: KeyProfile.gmailText
        case .emacs: KeyProfile.emacsText
        }
    }

    /// One change a line: the group, the keys, and the command; `|` sets them apart.
    private static func lines(_ text: String) -> [(group: String, keys: String, command: String)] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "|", maxSplits: 2).map { part in
                String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            return parts.count == 3 ? (parts[0], parts[1], parts[2]) : nil
        }
    }

    private static let muttText = """
        everywhere | g... | none
        list       | =    | first
        list       | *    | last
        list       | z    | page-down
        list       | Z    | page-up
        list       | ]    | half-page-down
        list       | [    | half-page-up
        list       | l    | filter
        list       | c    | go
        list       | y    | mailbox
        list       | Space | open
        list       | x    | quit-now
        list       | A-Tab | previous-unread
        reader     | A-Tab | previous-unread
        reader     | j    | next-conversation
        reader     | k    | previous-conversation
        reader     | Enter | move-down
        reader     | Backspace | move-up
        reader     | ^    | first
        reader     | $    | last
        reader     | i    | back
        reader     | A-i  | toggle-pictures
        reader     | x    | back
        reader     | c    | go
        reader     | A-v  | toggle-fold
        reader     | A-V  | fold-all
        reader     | h    | toggle-headers
        reader     | s    | save-message
        attachments | s   | save-attachment
        attachments | m   | open-attachment
        attachments | i   | back
        attachments | x   | back
        list       | s    | none
        list       | a    | none
        reader     | a    | none
        list       | g    | reply-all
        reader     | g    | reply-all
        list       | N    | toggle-read
        reader     | N    | toggle-read
        reader     | T    | toggle-quotes
        outbox     | i    | back
        outbox     | x    | back
        """

    private static let gmailText = """
        list       | o    | open
        list       | u    | refresh
        list       | gl   | mailbox
        reader     | gl   | mailbox
        list       | N    | refresh
        reader     | N    | refresh
        reader     | u    | back
        reader     | j    | next-conversation
        reader     | k    | previous-conversation
        reader     | n    | next-message
        reader     | p    | previous-message
        reader     | o    | toggle-fold
        reader     | ;    | unfold-all
        reader     | L    | open-link
        reader     | A-h  | toggle-form
        list       | a    | reply-all
        reader     | a    | reply-all
        list       | y    | archive
        reader     | y    | archive
        list       | z    | undo
        reader     | z... | none
        reader     | z    | undo
        reader     | T    | toggle-quotes
        reader     | A-i  | load-images
        list       | *    | none
        list       | *a   | select-all
        list       | *n   | clear-selection
        outbox     | u    | back
        outbox     | z    | undo
        """

    private static let emacsText = """
        everywhere | A-x  | command
        everywhere | C-v  | page-down
        everywhere | A-v  | page-up
        everywhere | A-<  | first
        everywhere | A->  | last
        everywhere | C-x C-c | quit-now
        everywhere | C-s  | filter
        list       | C-g  | clear-filter
        reader     | C-g  | back
        help       | C-g  | back
        attachments | C-g | back
        outbox     | C-g  | back
        everywhere | C-x u | undo
        list       | C-x h | select-all
        list       | m    | select
        everywhere | g... | none
        everywhere | g    | refresh
        everywhere | j    | none
        everywhere | k    | none
        everywhere | ji   | go-inbox
        everywhere | jf   | go-starred
        everywhere | js   | go-sent
        everywhere | jd   | go-drafts
        everywhere | ja   | go-archive
        everywhere | jt   | go-trash
        everywhere | jc   | go-catchall
        everywhere | jo   | go
        everywhere | jq   | outbox
        everywhere | C-x b | mailbox
        everywhere | n    | move-down
        everywhere | p    | move-up
        review     | n    | discard
        review     | p    | keep
        review     | C-g  | keep
        everywhere | C-x m | compose
        reader     | n    | next-conversation
        reader     | p    | previous-conversation
        reader     | Backspace | page-up
        help       | Backspace | page-up
        outbox     | Backspace | page-up
        reader     | A-n  | next-message
        reader     | A-p  | previous-message
        reader     | C-x C-s | save-message
        attachments | C-x C-s | save-attachment
        """
}
