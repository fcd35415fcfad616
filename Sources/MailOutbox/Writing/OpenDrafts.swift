package import MailModel
package import Platform

/// Which drafts somebody is writing, in this process and in all others of the account.
///
/// The kernel holds a lock for each, so that none stays open after a crash.
package struct OpenDrafts: Sendable {
    private let directory: String

    /// The drafts that are open by the locks in a directory, which is made when the first is opened.
    package init(directory: String) { self.directory = directory }

    /// Opens a draft for writing; `nil` when somebody has it open already.
    ///
    /// - Throws: `SystemError` when there can be no lock.
    package func open(_ id: LocalDraftID) throws(SystemError) -> OpenDraft? {
        try Files.makeDirectory(directory)
        guard let lock = try FileLock.take(path(id)) else { return nil }
        return OpenDraft(lock, path: path(id))
    }

    /// Whether somebody writes a draft now.
    package func isOpen(_ id: LocalDraftID) -> Bool { FileLock.isHeld(path(id)) }

    /// Removes the files of locks that a crash left behind.
    package func sweep() {
        for name in Files.names(in: directory) {
            let path = directory + "/" + name
            guard let lock = try? FileLock.take(path) else { continue }
            Files.remove(path)
            _ = consume lock
        }
    }

    private func path(_ id: LocalDraftID) -> String { "\(directory)/\(id.rawValue).lock" }
}

/// A draft that is open here; it is closed with the last reference to this.
package final class OpenDraft: Sendable {
    private let lock: FileLock
    private let path: String

    init(_ lock: consuming FileLock, path: String) {
        self.lock = lock
        self.path = path
    }

    deinit { Files.remove(path) }
}
