internal import JSON

/// One line of `herald doctor`: what was looked at, how it stands, and what to do.
///
/// Its texts are shown to others, so they hold no address, subject, file name, server or token.
struct Finding: Hashable, Sendable {
    /// How something stands.
    enum State: String, Hashable, Sendable {
        case good = "ok"
        /// Works, but could be better.
        case fair = "hint"
        /// Must be mended.
        case bad = "bad"
    }

    let state: State
    /// What was looked at.
    let topic: String
    let text: String
    /// What to do, as a sentence.
    var advice: String?

    static func good(_ topic: String, _ text: String) -> Finding { Finding(state: .good, topic: topic, text: text) }

    static func fair(_ topic: String, _ text: String, _ advice: String) -> Finding {
        Finding(state: .fair, topic: topic, text: text, advice: advice)
    }

    static func bad(_ topic: String, _ text: String, _ advice: String) -> Finding {
        Finding(state: .bad, topic: topic, text: text, advice: advice)
    }

    /// The line as it is printed.
    var line: String {
        let head = Finding.padded(state.rawValue, 5) + Finding.padded(topic, 20)
        return head + text + (advice.map { ". " + $0 } ?? "")
    }

    private static func padded(_ text: String, _ columns: Int) -> String {
        text + String(repeating: " ", count: max(1, columns - text.count))
    }

    /// The findings as JSON.
    static func json(_ findings: [Finding]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.name("items")
            writer.array { writer in
                for finding in findings {
                    writer.object { writer in
                        writer.member("state", finding.state.rawValue)
                        writer.member("topic", finding.topic)
                        writer.member("text", finding.text)
                        writer.member("advice", finding.advice)
                    }
                }
            }
        }
        return writer.bytes + [0x0A]
    }
}
