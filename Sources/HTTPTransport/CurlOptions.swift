internal import CCurl
internal import HTTP

extension CurlTransfer {
    /// Sets every option of a fresh handle; returns false when memory ran out.
    func configure(_ easy: UnsafeMutableRawPointer) -> Bool {
        configureConnection(easy)
        configureTimes(easy)
        configureReceiving(easy)
        guard configureBody(easy), configureHeaders(easy) else { return false }
        // What is asked is put together from the parts that were checked, so that both readings agree.
        let query = target.query.map { "?\($0)" } ?? ""
        return herald_easy_setopt_string(easy, CURLOPT_URL, target.origin + target.path + query) == CURLE_OK
    }

    private func configureConnection(_ easy: UnsafeMutableRawPointer) {
        _ = herald_easy_setopt_long(easy, CURLOPT_NOSIGNAL, 1)
        _ = herald_easy_keep_sockets(easy)
        _ = herald_easy_setopt_pointer(easy, CURLOPT_ERRORBUFFER, words)
        _ = herald_easy_setopt_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        _ = herald_easy_setopt_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        // A stream has a connection of its own, so that cancelling it closes one: on a shared one libcurl may keep the
        // word of it back until the next request.
        let version = isStream ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS
        _ = herald_easy_setopt_long(easy, CURLOPT_HTTP_VERSION, Int(version))
        if isStream { _ = herald_easy_setopt_long(easy, CURLOPT_FORBID_REUSE, 1) }
        _ = herald_easy_setopt_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
        _ = herald_easy_setopt_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        _ = herald_easy_setopt_string(easy, CURLOPT_USERAGENT, settings.userAgent)
        // A packed stream would be held back until a block of it is full.
        if !isStream { _ = herald_easy_setopt_string(easy, CURLOPT_ACCEPT_ENCODING, "") }
        if let file = settings.certificateAuthorityFile {
            _ = herald_easy_setopt_string(easy, CURLOPT_CAINFO, file)
        }
        if target.isLoopback { _ = herald_easy_setopt_string(easy, CURLOPT_PROXY, "") }
        if request.isRepeatable, !isStream {
            // Rather share the connection being opened, once it is known to be HTTP/2, than open another.
            _ = herald_easy_setopt_long(easy, CURLOPT_PIPEWAIT, target.scheme == "https" ? 1 : 0)
        } else {
            // libcurl repeats a request by itself when a kept connection proves dead; on a new one it never does. Nor
            // may a stream take a kept connection of the newer protocol.
            _ = herald_easy_setopt_long(easy, CURLOPT_FRESH_CONNECT, 1)
        }
    }

    private func configureTimes(_ easy: UnsafeMutableRawPointer) {
        var total = Self.milliseconds(request.timeout)
        if case .stream(_, let silenceMax) = receiver {
            total = Self.milliseconds(silenceMax)
        } else if request.fileBody == nil {
            _ = herald_easy_setopt_long(easy, CURLOPT_TIMEOUT_MS, total)
        }
        let connect = min(total, Self.milliseconds(settings.connectTimeout))
        _ = herald_easy_setopt_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connect)
    }

    /// A time in milliseconds, at least one, because libcurl takes zero for no limit.
    static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let secondsMax: Int64 = 2_000_000
        guard seconds < secondsMax else { return Int(secondsMax) * 1000 }
        return max(1, Int(max(0, seconds)) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }

    private func configureReceiving(_ easy: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = herald_easy_setopt_pointer(easy, CURLOPT_WRITEDATA, context)
        _ = herald_easy_setopt_pointer(easy, CURLOPT_HEADERDATA, context)
        _ = herald_easy_setopt_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let context else { return 0 }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            switch transfer.receiveBody(piece) {
            case .taken: return piece.count
            case .paused: return Int(CURL_WRITEFUNC_PAUSE)
            case .refused: return 0
            }
        }
        _ = herald_easy_setopt_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let context else { return 0 }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer.receiveHeader(line) ? line.count : 0
        }
        if !isStream, request.method != "HEAD", request.responseBytesMax > 0 {
            let limit = curl_off_t(request.responseBytesMax)
            _ = herald_easy_setopt_off(easy, CURLOPT_MAXFILESIZE_LARGE, limit)
        }
    }

    private func configureBody(_ easy: UnsafeMutableRawPointer) -> Bool {
        if let file = request.fileBody {
            guard let source = CurlFileSource(file) else {
                failure = .badBody
                return false
            }
            return send(source, file, on: easy)
        }
        switch request.method {
        case "GET" where request.body == nil:
            return herald_easy_setopt_long(easy, CURLOPT_HTTPGET, 1) == CURLE_OK
        case "HEAD":
            return herald_easy_setopt_long(easy, CURLOPT_NOBODY, 1) == CURLE_OK
        case "POST", "PUT", "PATCH":
            return send(request.body ?? [], on: easy)
        default:
            if let body = request.body { return send(body, on: easy) }
            return herald_easy_setopt_string(easy, CURLOPT_CUSTOMREQUEST, request.method) == CURLE_OK
        }
    }

    private func send(_ bytes: [UInt8], on easy: UnsafeMutableRawPointer) -> Bool {
        // Never empty, because libcurl reads a missing buffer as "ask a callback for the body".
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        copy.copyBytes(from: bytes)
        body = copy
        return herald_easy_setopt_long(easy, CURLOPT_POST, 1) == CURLE_OK
            && herald_easy_setopt_string(easy, CURLOPT_CUSTOMREQUEST, request.method) == CURLE_OK
            && herald_easy_setopt_off(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)) == CURLE_OK
            && herald_easy_setopt_pointer(easy, CURLOPT_POSTFIELDS, copy.baseAddress) == CURLE_OK
    }

    private func configureHeaders(_ easy: UnsafeMutableRawPointer) -> Bool {
        var texts = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        // A name without a value removes a field libcurl would add by itself.
        texts.append("Expect:")
        if request.headers.value(of: "Content-Type") == nil { texts.append("Content-Type:") }
        for text in texts {
            guard let longer = herald_slist_append(lines, text) else { return false }
            lines = longer
        }
        return herald_easy_setopt_pointer(easy, CURLOPT_HTTPHEADER, lines) == CURLE_OK
    }
}
