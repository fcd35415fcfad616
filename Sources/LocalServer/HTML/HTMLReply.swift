internal import SQLite

extension Store {
    /// The original's HTML as a quote, with the pictures it shows as far as they fit beside the other files.
    ///
    /// - Throws: `SQLiteError`.
    func quotedHTML(
        of original: OriginalMessage, besides files: [OutgoingMail.File]
    ) throws(SQLiteError) -> (html: String, files: [OutgoingMail.File]) {
        guard let source = original.html, source.utf16.count <= SendRequest.htmlMax else {
            return (OriginalMessage.escaped(original.text.webTrimmed), [])
        }
        let pictures = try originalFiles(of: original.id).filter { $0.contentID != nil }
        var images = SanitizedImages(message: original.id, origin: origin, loadsRemote: true)
        images.isQuote = true
        for picture in pictures {
            let contentID = SanitizedImages.bare(picture.contentID ?? "")
            images.attachments[SanitizedImages.key(contentID)] = contentID
        }
        let bytes = Array(source.utf8)
        let html = HTMLSanitizer.text(bytes, 0..<bytes.count, images)
        var room = Store.attachmentBytesMax - files.reduce(0) { $0 + $1.sizeBytes }
        var copies: [OutgoingMail.File] = []
        for picture in pictures {
            let contentID = SanitizedImages.bare(picture.contentID ?? "")
            guard picture.sizeBytes <= room, html.contains("\"cid:" + contentID + "\""),
                let content = try content(ofAttachment: picture.objectKey)
            else { continue }
            room -= picture.sizeBytes
            var copy = picture
            copy.contentID = contentID
            copy.objectKey = try storeObject(content)
            copies.append(copy)
        }
        return (html, copies)
    }

    /// Keeps bytes that belong to no draft; answers their key.
    private func storeObject(_ content: [UInt8]) throws(SQLiteError) -> String {
        let key = Store.id("inline")
        let statement = try database.statement("INSERT INTO objects VALUES(?, ?)")
        statement.bind(1, key)
        statement.bind(2, content)
        try statement.run()
        return key
    }
}
