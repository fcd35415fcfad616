internal import HTTP
internal import Testing

@testable internal import MailSignIn

struct DeviceFlowTests {
    private static let tokens = Tokens(access: "a", refresh: "r", secondsLeft: 3_600, scopes: "mail:read")

    private static func code(seconds: Int = 900, interval: Int = 5) -> DeviceCode {
        DeviceCode(
            deviceCode: "d", userCode: "ABCDEFGH", address: "https://x/device", addressWithCode: "https://x/device",
            secondsLeft: seconds, interval: interval)
    }

    /// Fails when a pause is shorter than the standard asks for, or a refusal is taken for another.
    @Test(arguments: [
        (SignInError.refused("authorization_pending"), DeviceFlow.Step.wait(seconds: 5)),
        (.refused("slow_down"), .wait(seconds: 10)), (.rateLimited, .wait(seconds: 10)),
        (.transport(.timedOut), .wait(seconds: 10)), (.server(503), .wait(seconds: 10)),
        (.transport(.badResponse), .wait(seconds: 10)),
        (.transport(.tlsFailed), .failed(.transport(.tlsFailed))), (.refused("access_denied"), .failed(.denied)),
        (.refused("expired_token"), .failed(.expired)), (.refused("invalid_grant"), .failed(.expired)),
        (.refused("invalid_target"), .failed(.refused("invalid_target"))), (.malformed, .failed(.malformed)),
    ])
    func `each answer has its step`(_ answer: SignInError, _ step: DeviceFlow.Step) {
        var flow = DeviceFlow(DeviceFlowTests.code(), now: 0)
        #expect(flow.first == .wait(seconds: 5))
        let step1 = flow.next(.failure(answer), now: 5_000)
        #expect(step1 == step)
    }

    /// Fails when a slower pace is forgotten at the next poll.
    @Test func `pauses grow and stay`() {
        var flow = DeviceFlow(DeviceFlowTests.code(), now: 0)
        let step2 = flow.next(.failure(.refused("slow_down")), now: 5_000)
        #expect(step2 == .wait(seconds: 10))
        let step3 = flow.next(.failure(.refused("authorization_pending")), now: 15_000)
        #expect(step3 == .wait(seconds: 10))
        let step4 = flow.next(.failure(.refused("slow_down")), now: 25_000)
        #expect(step4 == .wait(seconds: 15))
        let step5 = flow.next(.success(DeviceFlowTests.tokens), now: 40_000)
        #expect(step5 == .signedIn(DeviceFlowTests.tokens))
    }

    /// Fails when a code is asked about after its time.
    @Test func `a code that nobody approves ends`() {
        var flow = DeviceFlow(DeviceFlowTests.code(seconds: 12), now: 0)
        let step6 = flow.next(.failure(.refused("authorization_pending")), now: 5_000)
        #expect(step6 == .wait(seconds: 5))
        let step7 = flow.next(.failure(.refused("authorization_pending")), now: 10_000)
        #expect(step7 == .failed(.expired))
    }
}
