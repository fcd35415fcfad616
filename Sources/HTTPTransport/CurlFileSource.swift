internal import CCurl
internal import Glibc
internal import HTTP

/// Hands a body to libcurl, piece by piece from its file.
///
/// Lives on the client's thread only.
final class CurlFileSource {
    private let body: HTTPFileBody
    private let file: Int32
    /// How many bytes of the body were handed on.
    private var position = 0

    /// Opens the file; `nil` when it cannot be read, or is not as long as was told.
    init?(_ body: HTTPFileBody) {
        self.body = body
        // A pipe that has taken the name must not hold the thread.
        file = open(body.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        var status = stat()
        let isWhole =
            fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && Int(status.st_size) == body.sizeBytes
        guard isWhole else { return nil }
    }

    deinit { if file >= 0 { close(file) } }

    /// Copies the next bytes; answers how many, 0 at the end, and `nil` when the file cannot be read any more.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let fileEnd = body.head.count + body.sizeBytes
        let count: Int
        if position < body.head.count {
            count = copy(body.head, from: position, into: buffer)
        } else if position < fileEnd {
            guard let read = readFile(into: buffer, most: fileEnd - position) else { return nil }
            count = read
        } else {
            count = copy(body.tail, from: position - fileEnd, into: buffer)
        }
        position += count
        body.progress?.note(min(max(position - body.head.count, 0), body.sizeBytes))
        return count
    }

    private func copy(_ bytes: [UInt8], from start: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = bytes[start...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        return piece.count
    }

    private func readFile(into buffer: UnsafeMutableRawBufferPointer, most: Int) -> Int? {
        while true {
            let offset = position - body.head.count
            let count = pread(file, buffer.baseAddress, min(buffer.count, most), off_t(offset))
            if count > 0 { return count }
            if count < 0, errno == EINTR { continue }
            return nil
        }
    }
}

extension CurlTransfer {
    /// Has the body come from a file; returns false when memory ran out.
    func send(_ source: CurlFileSource, _ body: HTTPFileBody, on easy: UnsafeMutableRawPointer) -> Bool {
        self.source = source
        let silence = max(1, CurlTransfer.milliseconds(body.silenceMax) / 1_000)
        _ = herald_easy_setopt_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        _ = herald_easy_setopt_long(easy, CURLOPT_LOW_SPEED_TIME, silence)
        _ = herald_easy_setopt_pointer(easy, CURLOPT_READDATA, Unmanaged.passUnretained(self).toOpaque())
        _ = herald_easy_setopt_callback(easy, CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let context, let bytes else { return Int(CURL_READFUNC_ABORT) }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            return transfer.provide(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }
        return herald_easy_setopt_long(easy, CURLOPT_POST, 1) == CURLE_OK
            && herald_easy_setopt_string(easy, CURLOPT_CUSTOMREQUEST, request.method) == CURLE_OK
            && herald_easy_setopt_off(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)) == CURLE_OK
    }
}
