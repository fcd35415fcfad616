internal import HTTP
internal import HTTPTransport
internal import Pictures
internal import Platform

/// Why a picture of another server is not shown.
enum RemotePictureError: Error, Hashable {
    case refusedAddress, tooManyRedirects
    case status(Int)
    case unreachable

    var sentence: String {
        switch self {
        case .refusedAddress: "This picture's address is not one of the public web."
        case .tooManyRedirects: "This picture's address leads on and on."
        case .status(let code): "The other server answered \(code)."
        case .unreachable: "The other server did not send this picture."
        }
    }
}

/// Fetches pictures of other servers that the person asked for, and tells them nothing.
///
/// No token, no cookie and no referrer is sent, and connections are not shared with those of the account.
struct RemotePictures: Sendable {
    private let client: CurlClient
    private let allowsLocal: Bool

    private static let redirectsMax = 4

    /// Readies a connection; with `allowsLocal` this machine's addresses are fetched too, as for a server on it.
    ///
    /// - Throws: `HTTPError` when libcurl cannot be loaded.
    init(allowsLocal: Bool) throws {
        client = try CurlClient(
            settings: CurlClient.Settings(
                userAgent: "Mozilla/5.0", certificateAuthorityFile: Environment.value("HERALD_CA_FILE")))
        self.allowsLocal = allowsLocal
    }

    /// The bytes of a picture, at most as many as can be drawn.
    func fetch(_ address: String) async throws -> [UInt8] {
        var address = address
        for _ in 0...RemotePictures.redirectsMax {
            guard let target = URLParts(address), allowsLocal || !RemotePictures.isPrivate(target.host) else {
                throw RemotePictureError.refusedAddress
            }
            let response: HTTPResponse
            do {
                response = try await client.send(
                    HTTPRequest(
                        url: address, headers: [HTTPHeader("Accept", "image/*")],
                        responseBytesMax: PictureProcess.bytesMax))
            } catch HTTPError.tooLarge {
                throw PictureFailure.tooLarge
            } catch is HTTPError {
                throw RemotePictureError.unreachable
            }
            if response.status == 200 { return response.body }
            guard [301, 302, 303, 307, 308].contains(response.status), let next = response.value(of: "Location") else {
                throw RemotePictureError.status(response.status)
            }
            address = RemotePictures.resolved(next, against: target)
        }
        throw RemotePictureError.tooManyRedirects
    }

    /// The address that a redirect names.
    static func resolved(_ location: String, against target: URLParts) -> String {
        if location.hasPrefix("//") { return target.scheme + ":" + location }
        if location.hasPrefix("/") { return target.origin + location }
        if location.contains("://") { return location }
        let folder = target.path.prefix(through: target.path.lastIndex(of: "/") ?? target.path.startIndex)
        return target.origin + (folder.isEmpty ? "/" : folder) + location
    }

    /// Whether a host names this machine or one of the network around it, to which no mail may lead.
    static func isPrivate(_ host: String) -> Bool {
        let name = host.lowercased()
        if name.hasPrefix("[") || name.contains(":") { return true }
        if !name.contains(".") || name.hasSuffix(".") { return true }
        if [".local", ".localhost", ".internal", ".lan", ".home.arpa"].contains(where: name.hasSuffix) { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = parts.last, last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) || last.hasPrefix("0x") else {
            return false
        }
        let numbers = parts.compactMap { UInt8($0) }
        // Any other way of writing a number is one to hide it.
        guard numbers.count == 4, parts.count == 4, zip(numbers, parts).allSatisfy({ String($0) == $1 }) else {
            return true
        }
        switch (numbers[0], numbers[1]) {
        case (0, _), (10, _), (127, _), (224..., _), (169, 254), (192, 168), (172, 16...31), (100, 64...127):
            return true
        default: return false
        }
    }
}
