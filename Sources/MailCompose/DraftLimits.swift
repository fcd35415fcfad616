/// The most that the server takes of a draft or a mail (contract §1.6, §3.10, §3.12).
package enum DraftLimits {
    /// In units of UTF-16, as the server counts.
    package static let subjectMax = 200
    /// In units of UTF-16.
    package static let textMax = 100_000
    /// In units of UTF-16.
    package static let htmlMax = 200_000
    /// Of each of to, cc and bcc of a draft, and of all three of a mail.
    package static let recipientsMax = 50
    /// Of one file, and of all files of a draft.
    package static let bytesMax = 26_214_400
    package static let filesMax = 20
    /// In units of UTF-16; the server cuts the rest off.
    package static let filenameMax = 255
}

/// Sizes of files for people.
package enum ByteCount {
    /// A size in the unit of the server's limits, exact to a tenth: `812 B`, `12 KiB`, `25 MiB`, `3.4 MiB`.
    ///
    /// Rounded up, so that what is above a limit never reads as the limit.
    package static func words(_ bytes: Int) -> String {
        if bytes < 1_024 { return "\(bytes) B" }
        if bytes < 1_048_576 { return "\((bytes + 1_023) / 1_024) KiB" }
        let tenths = (bytes * 10 + 1_048_575) / 1_048_576
        return tenths % 10 == 0 ? "\(tenths / 10) MiB" : "\(tenths / 10).\(tenths % 10) MiB"
    }
}
