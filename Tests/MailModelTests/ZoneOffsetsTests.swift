import MailModel
import Testing

@Test func `an offset holds from its start to the next`() {
    let zone = ZoneOffsets([
        ZoneOffsets.Change(start: 100, seconds: 3_600), ZoneOffsets.Change(start: 200, seconds: 7_200),
        ZoneOffsets.Change(start: 300, seconds: -1_800),
    ])
    for (instant, seconds) in [
        (-5, 3_600), (100, 3_600), (199, 3_600), (200, 7_200), (299, 7_200), (300, -1_800), (9_999, -1_800),
    ] {
        #expect(zone.seconds(at: Int64(instant)) == seconds)
    }
    #expect(ZoneOffsets([]).seconds(at: 5) == 0)
    #expect(ZoneOffsets(fixed: -60).seconds(at: .max) == -60)
}
