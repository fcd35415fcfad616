internal import Synchronization

/// The faults that are set, and how often each struck.
final class FaultPlan: Sendable {
    private let faults = Mutex<[Fault]>([])

    /// Adds faults.
    func add(_ more: [Fault]) { faults.withLock { $0 += more } }

    /// How many answers the present ones spoilt.
    var struck: Int { faults.withLock { $0.reduce(0) { $0 + $1.fired } } }

    /// Removes all; answers how many answers they spoilt.
    func clear() -> Int {
        faults.withLock { faults in
            defer { faults = [] }
            return faults.reduce(0) { $0 + $1.fired }
        }
    }

    /// Lets a request be answered, unless a fault is meant for it.
    func answer(_ request: ServerRequest, _ route: (ServerRequest) -> ServerAnswer) -> ServerAnswer {
        guard let (fault, turn) = take(request) else { return route(request) }
        switch fault.kind {
        case .status, .page, .close, .swallow:
            if fault.isAfter { _ = route(request) }
            return fault.spoilt(ServerAnswer(), request, turn)
        default: return fault.spoilt(route(request), request, turn)
        }
    }

    /// The fault that strikes a request, with how often it struck before.
    private func take(_ request: ServerRequest) -> (Fault, turn: Int)? {
        faults.withLock { faults in
            var striking: Int?
            for index in faults.indices where faults[index].matches(request) {
                faults[index].matched += 1
                let isDue = faults[index].matched >= faults[index].nth && faults[index].fired < faults[index].times
                if striking == nil, isDue { striking = index }
            }
            guard let striking else { return nil }
            faults[striking].fired += 1
            return (faults[striking], faults[striking].fired)
        }
    }
}

extension Fault {
    /// The answer as the fault leaves it.
    fileprivate func spoilt(_ answer: ServerAnswer, _ request: ServerRequest, _ turn: Int) -> ServerAnswer {
        var answer = answer
        switch kind {
        case .status(let status, let code):
            answer = .failure(Refusal(status: status, code: code, message: "A fault was asked for."))
        case .page:
            answer.contentType = "text/html; charset=utf-8"
            answer.body = Array("<!DOCTYPE html><html><body>Welcome</body></html>".utf8)
        case .broken: answer.body.removeLast((answer.body.count + 1) / 2)
        case .type(let member): answer.body = Spoiling.retyped(answer.body, member)
        case .cut(let bytes): answer.sending = .cut(bytes: bytes)
        case .stall(let milliseconds, let bytes): answer.sending = .stalled(milliseconds: milliseconds, bytes: bytes)
        case .close: answer.sending = .none
        case .swallow(let milliseconds):
            answer = .failure(.internalError)
            answer.sending = .stalled(milliseconds: milliseconds, bytes: nil)
        case .link:
            answer.headers.removeAll { $0.name == "link" }
            let link = "<http://192.0.2.1\(request.path)?limit=100&cursor=elsewhere>; rel=\"next\""
            answer.headers.append(QueryItem(name: "link", value: link))
        case .loop: Spoiling.goOn(&answer, request, cursor: request.parameter("cursor") ?? "again")
        case .endless:
            let cursor = Spoiling.nextCursor(answer) ?? request.parameter("cursor") ?? "again"
            // The server reads over padding, so every one of these is another text of the same cursor.
            let padding = String(repeating: "=", count: turn)
            Spoiling.goOn(&answer, request, cursor: cursor.filter { $0 != "=" } + padding)
        case .huge(let bytes):
            answer.body += [UInt8](repeating: 0x20, count: max(0, bytes - answer.body.count))
        }
        return answer
    }
}

/// Changes to the text of an answer.
private enum Spoiling {
    /// Puts every value of a member into an array.
    static func retyped(_ body: [UInt8], _ member: String) -> [UInt8] {
        let name = Array("\"\(member)\":".utf8)
        var out: [UInt8] = []
        var index = 0
        while index < body.count {
            guard body[index...].starts(with: name) else {
                out.append(body[index])
                index += 1
                continue
            }
            let end = valueEnd(body, from: index + name.count)
            out += name + [0x5B] + body[(index + name.count)..<end] + [0x5D]
            index = end
        }
        return out
    }

    /// Where the value that begins at `start` ends; strings and numbers are told from brackets by counting.
    private static func valueEnd(_ body: [UInt8], from start: Int) -> Int {
        var depth = 0
        var isQuoted = false
        var index = start
        while index < body.count {
            switch body[index] {
            case 0x5C where isQuoted: index += 1
            case 0x22: isQuoted.toggle()
            case 0x5B, 0x7B: if !isQuoted { depth += 1 }
            case 0x5D, 0x7D:
                if !isQuoted, depth == 0 { return index }
                if !isQuoted { depth -= 1 }
            case 0x2C: if !isQuoted, depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return body.count
    }

    /// The cursor an answer names; `nil` when it names none.
    static func nextCursor(_ answer: ServerAnswer) -> String? {
        let marks = answer.headers.first { $0.name == "link" }.map { ($0.value, "cursor=", Character(">")) }
        let (text, mark, end) = marks ?? (String(decoding: answer.body, as: UTF8.self), "\"nextCursor\":\"", "\"")
        guard let start = text.firstRange(of: mark)?.upperBound else { return nil }
        return String(text[start...].prefix { $0 != end })
    }

    /// Makes an answer name another page.
    static func goOn(_ answer: inout ServerAnswer, _ request: ServerRequest, cursor: String) {
        if request.path.hasSuffix("/changes") {
            let text = String(decoding: answer.body, as: UTF8.self)
            guard let start = text.firstRange(of: "],\"nextCursor\":")?.lowerBound else { return }
            answer.body = Array((text[..<start] + "],\"nextCursor\":\"\(cursor)\",\"hasMore\":true}").utf8)
            return
        }
        answer.headers.removeAll { $0.name == "link" }
        answer.headers.append(PageLink.next(request, ["mailboxId", "folder", "limit"], cursor))
    }
}

/// The verb that sets faults.
enum FaultControl {
    /// Sets the faults of a query or a JSON body; without either, removes all and tells how many struck.
    static func answer(_ request: ServerRequest, _ service: Service) -> ServerAnswer {
        do {
            let count: Int
            if request.query.isEmpty, request.body.isEmpty {
                count = service.faults.clear()
            } else {
                let faults = request.body.isEmpty ? [try Fault(request)] : try Fault.read(request.body)
                service.faults.add(faults)
                count = faults.count
            }
            return ServerAnswer(body: Array("{\"ok\":true,\"count\":\(count)}".utf8))
        } catch let refusal as Refusal {
            return .failure(refusal)
        } catch {
            return .failure(.validation("The body is not the expected JSON."))
        }
    }
}
