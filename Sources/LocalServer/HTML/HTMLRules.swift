/// The contract's lists of what HTML keeps.
enum HTMLRules {
    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    static let tags = words(
        """
        a address article aside blockquote br caption cite code col colgroup dd del div dl dt em figcaption figure \
        footer h1 h2 h3 h4 h5 h6 header hr i img ins li main mark ol p pre q s section small span strong sub sup \
        table tbody td tfoot th thead tr u ul
        """)
    /// Elements whose content goes with them.
    static let dropped = words("script style textarea option noscript")
    static let void = words("br col hr img")

    /// Attributes that go when they are empty.
    static let needsValue = words(
        "align bgcolor border cellpadding cellspacing colspan dir height href lang loading referrerpolicy rel rowspan "
            + "scope span src start style target title type valign value width")

    private static let everywhere = words("align dir lang style title valign")
    private static let byTag: [String: Set<String>] = [
        "a": words("href rel target"), "col": words("span width"),
        "img": words("alt height loading referrerpolicy src width"), "li": words("value"),
        "ol": words("start type"), "table": words("bgcolor border cellpadding cellspacing height width"),
        "td": words("bgcolor colspan rowspan height width"),
        "th": words("bgcolor colspan rowspan height width scope"),
    ]

    /// The properties a style keeps.
    static let properties: Set<String> = {
        var names = words(
            """
            background-color border box-sizing clear color display float height width letter-spacing line-height \
            margin padding opacity overflow-wrap vertical-align white-space word-break
            """)
        for side in ["top", "right", "bottom", "left"] {
            names.formUnion(["border-" + side, "margin-" + side, "padding-" + side])
            for form in ["color", "style", "width"] { names.insert("border-" + side + "-" + form) }
        }
        let groups = [
            "border": "collapse color radius spacing style width", "font": "family size style variant weight",
            "min": "height width", "max": "height width", "list-style": "position type",
            "text": "align decoration indent transform",
        ]
        for (group, forms) in groups { names.formUnion(words(forms).map { group + "-" + $0 }) }
        return names
    }()

    /// Whether an attribute stays on a tag.
    static func isAllowed(_ name: String, on tag: String) -> Bool {
        everywhere.contains(name) || byTag[tag]?.contains(name) == true
    }
}
