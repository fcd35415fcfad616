import FileTypes
import Testing

/// What kind of file it is.
struct FileTypeTests {
    static let cases: [(String, [UInt8], String)] = [
        ("photo.txt", [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8), "image/png"),
        ("a.pdf", Array("%PDF-1.7\n%\n1 0 obj\n".utf8), "application/pdf"),
        ("notes", Array("Hello\n".utf8), "text/plain"),
        ("notes.md", Array("# Hello\n".utf8), "text/markdown"),
        ("table.csv", Array("hello there\n".utf8), "text/csv"),
        ("day.ics", Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n".utf8), "text/calendar"),
        ("a.pdf", Array("Hello\n".utf8), "text/plain"),
        ("empty.csv", [], "text/csv"),
        ("empty", [], "application/octet-stream"),
        ("data.bin", [0, 1, 2, 3, 0xFE, 0xFF, 7, 0], "application/octet-stream"),
        (".txt", [0, 1, 2, 3, 0xFE, 0xFF, 7, 0], "application/octet-stream"),
    ]

    @Test(arguments: cases)
    func `bytes tell it, and the name where they do not`(filename: String, bytes: [UInt8], type: String) {
        #expect(FileType.name(of: bytes, filename: filename) == type)
    }
}
