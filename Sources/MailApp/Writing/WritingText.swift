internal import MailModel
internal import MailOutbox

/// What the outbox's codes of writing mean, for people.
enum WritingText {
    /// Why a send waits or was refused; `nil` where nothing failed.
    static func reason(_ send: Send) -> String? {
        if case .refused(let code) = send.status { return SendText.words(code) + "." }
        return send.lastFailure.map { SendText.words($0) }
    }
}
