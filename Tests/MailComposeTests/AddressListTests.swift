import MailCompose
import Testing

@Suite struct AddressListTests {
    /// Fails when a way of typing addresses is read wrongly, so that mail would go elsewhere or nowhere.
    @Test(arguments: [
        ("", []),
        (" , ;\n", []),
        ("a@b.example", ["a@b.example"]),
        (
            "a@b.example, c@d.example; e@f.example\ng@h.example",
            [
                "a@b.example", "c@d.example", "e@f.example", "g@h.example",
            ]
        ),
        ("Ann Lee <ann@b.example>", ["ann@b.example"]),
        ("\"Lee, Ann\" <ann@b.example>, bob@b.example", ["ann@b.example", "bob@b.example"]),
        ("\"a \\\" b, c\" <ann@b.example>,x@y.example", ["ann@b.example", "x@y.example"]),
        ("ann@b.example (Ann, of B), x@y.example", ["ann@b.example", "x@y.example"]),
        ("< ann@b.example >", ["ann@b.example"]),
        ("Ann@B.example, ann@b.EXAMPLE", ["Ann@B.example"]),
        ("\"half <ann@b.example\nx@y.example", ["x@y.example"]),
    ])
    func `whole addresses are found however they are written`(field: String, addresses: [String]) {
        #expect(AddressList(field).addresses == addresses)
    }

    @Test func `half an address is kept apart`() {
        let list = AddressList("ann@b.example, bob, Carl <carl@>")

        #expect(list.addresses == ["ann@b.example"])
        #expect(list.incomplete == ["bob", "Carl <carl@>"])
    }

    @Test func `a part knows its name and its place`() {
        let list = AddressList("x@y.example,  \"Ünal \\\"U\\\" K\" <u@k.example> ")

        #expect(list.parts[1].name == "Ünal \"U\" K")
        #expect(list.parts[1].range == 14..<43)
    }

    /// Fails when an address that the server refuses passes, or one that it takes does not.
    @Test(arguments: [
        ("a@b.co", true), ("a.b+c_d'e-f@x-y.example", true), ("A@B.CO", true), ("a@b", false), ("a@b.c", false),
        ("a@b.c1", false), ("a@-b.co", false), ("a@b..co", false), (".a@b.co", false), ("a.@b.co", false),
        ("a..b@c.co", false), ("@b.co", false), ("a@", false), ("a b@c.co", false), ("a@b@c.co", false),
        ("ü@b.co", false), ("a@ü.co", false), ("unknown", false), ("", false), ("<a@b.co>", false),
    ])
    func `only bare addresses are valid`(text: String, isValid: Bool) {
        #expect(EmailAddress.isValid(text) == isValid)
        #expect(!EmailAddress.isValid(String(repeating: "a", count: 250) + "@b.co"))
    }
}
