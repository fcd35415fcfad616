// swift-tools-version: 6.2
// The arrow table: one line a target, sorted by layer; a target may import only what its line names.
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

func c(_ name: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig)
}

func module(_ name: String, _ imports: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: imports, swiftSettings: strict)
}

func program(_ name: String, _ imports: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: imports, swiftSettings: strict)
}

func support(_ name: String, _ imports: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: imports, path: "Tests/\(name)", swiftSettings: strict)
}

func tests(_ name: String, _ imports: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: imports, path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "herald",
    products: [
        .executable(name: "herald", targets: ["herald"]),
        .executable(name: "herald-server", targets: ["herald-server"]),
        .executable(name: "herald-bench", targets: ["herald-bench"]),
    ],
    targets: [
        // Layer 0: C libraries.
        .target(name: "CCurl"),
        c("CDigest"),
        c("CFribidi"),
        c("CGMime", pkgConfig: "gmime-3.0"),
        .target(name: "CMagic"),
        c("CMicrohttpd"),
        c("CNcurses"),
        c("CSQLite"),
        c("CSystem"),
        .target(name: "CPicture"),
        .target(name: "CTerminalGuard"),
        .target(name: "CTOML11"),
        c("CUtf8proc"),
        c("CVterm"),
        c("CXML2", pkgConfig: "libxml-2.0"),
        // Layer 1: could serve any program.
        module("Platform", ["CSystem"]),
        module("EventStream"),
        module("JSON"),
        module("SQLite", ["CSQLite", "Platform"]),
        module("FileTypes", ["CMagic"]),
        module("HTTP"),
        module("HTML", ["CXML2"]),
        module("MIME", ["CGMime"]),
        module("DisplayText", ["CFribidi", "CUtf8proc"]),
        module("TerminalUI", ["DisplayText"]),
        module("Pictures", ["CPicture", "Platform"]),
        module("TOML", ["CTOML11"]),
        module("MailModel"),
        module("MailCompose", ["MailModel"]),
        module("MailFilter", ["DisplayText", "MailModel"]),
        // Layer 2.
        module("HTTPTransport", ["CCurl", "HTTP", "Platform"]),
        module("TerminalDriver", ["CNcurses", "CSystem", "CTerminalGuard", "DisplayText", "TerminalUI"]),
        module("MailText", ["DisplayText", "HTML", "MailModel"]),
        module("MailWire", ["JSON"]),
        module(
            "MailStorage",
            ["DisplayText", "JSON", "MailCompose", "MailFilter", "MailModel", "Platform", "SQLite"]),
        // Layer 3.
        module("MailAPI", ["EventStream", "HTTP", "JSON", "MailModel", "MailWire"]),
        module("MailSignIn", ["CDigest", "HTTP", "JSON", "Platform"]),
        module(
            "LocalServer",
            ["CGMime", "CMicrohttpd", "CSystem", "HTML", "JSON", "MIME", "MailWire", "Platform", "SQLite"]),
        // Layer 4.
        module(
            "MailOutbox",
            [
                "CDigest", "FileTypes", "MailAPI", "MailCompose", "MailFilter", "MailModel", "MailStorage", "Platform",
            ]),
        module("MailSync", ["MailAPI", "MailModel", "MailStorage"]),
        module("MailUI", ["DisplayText", "MailCompose", "MailFilter", "MailModel", "MailText", "TerminalUI"]),
        // Layer 5.
        module(
            "MailApp",
            [
                "CSystem", "DisplayText", "HTTP", "HTTPTransport", "JSON", "MailAPI", "MailCompose",
                "MailFilter", "MailModel", "MailOutbox", "MailSignIn", "MailStorage", "MailSync", "MailText", "MailUI",
                "Pictures", "Platform",
                "TOML", "TerminalDriver",
                "TerminalUI",
            ]),
        // Layer 6: programs.
        program("herald", ["MailApp"]),
        program("herald-server", ["LocalServer"]),
        program("herald-docs", ["MailApp", "MailFilter", "MailModel", "MailOutbox", "MailUI", "Platform"]),
        program(
            "herald-bench",
            [
                "CSystem", "HTTP", "HTTPTransport", "JSON", "MailAPI", "MailFilter", "MailModel", "MailOutbox",
                "MailStorage",
                "MailSync", "MailText", "Platform", "SQLite", "TerminalTestSupport",
            ]),
        // Tests and their support.
        .systemLibrary(name: "CGumbo", path: "Tests/CGumbo"),
        support("MailTestSupport", ["Platform"]),
        support("FilterTestSupport", ["MailFilter", "MailModel", "MailTestSupport"]),
        support(
            "SoakSupport",
            [
                "HTTP", "JSON", "LocalServer", "MailAPI", "MailModel", "MailStorage", "MailSync", "MailTestSupport",
                "Platform", "SQLite",
            ]),
        support("TerminalTestSupport", ["CSystem", "CVterm"]),
        .executableTarget(
            name: "terminal-probe", dependencies: ["TerminalDriver", "TerminalUI"], path: "Tests/TerminalProbe",
            swiftSettings: strict),
        tests(
            "AcceptanceTests",
            [
                "DisplayText", "JSON", "LocalServer", "MailModel", "MailStorage", "MailTestSupport", "Platform",
                "SQLite",
                "SoakSupport",
                "TerminalTestSupport", "herald", "herald-docs",
                "herald-server",
            ]),
        tests("ArchitectureTests", ["DisplayText"]),
        tests("ConformanceTests", ["JSON", "LocalServer", "MailTestSupport", "Platform", "SQLite"]),
        tests("DisplayTextTests", ["DisplayText"]),
        tests("EventStreamTests", ["EventStream", "JSON", "MailTestSupport"]),
        tests("HTMLTests", ["CGumbo", "HTML", "JSON", "MailTestSupport"]),
        tests("HTTPTests", ["HTTP"]),
        tests("HTTPTransportTests", ["HTTP", "HTTPTransport", "MailTestSupport", "Platform"]),
        tests("JSONTests", ["JSON"]),
        tests(
            "LiveEventsTests",
            [
                "EventStream", "HTTP", "HTTPTransport", "JSON", "LocalServer", "MailAPI", "MailSync",
                "MailTestSupport",
            ]),
        tests(
            "LocalServerTests", ["JSON", "LocalServer", "MIME", "MailTestSupport", "MailWire", "Platform", "SQLite"]),
        tests("MIMETests", ["MIME"]),
        tests(
            "MailAPITests",
            ["HTTP", "HTTPTransport", "JSON", "LocalServer", "MailAPI", "MailModel", "MailTestSupport"]),
        tests(
            "MailAppTests",
            [
                "HTTP", "HTTPTransport", "LocalServer", "MailAPI", "MailApp", "MailModel", "MailStorage", "MailSync",
                "MailTestSupport", "MailUI", "Platform", "TerminalDriver", "TerminalUI",
            ]),
        tests("MailComposeTests", ["MailCompose", "MailModel"]),
        tests(
            "MailFilterTests", ["DisplayText", "FilterTestSupport", "MailFilter", "MailModel", "MailTestSupport"]),
        tests("MailModelTests", ["MailModel"]),
        tests(
            "MailOutboxTests",
            [
                "FileTypes", "HTTP", "HTTPTransport", "LocalServer", "MailAPI", "MailCompose", "MailModel",
                "MailOutbox", "MailStorage", "MailTestSupport", "Platform", "SQLite",
            ]),
        tests(
            "MailSignInTests", ["HTTP", "HTTPTransport", "LocalServer", "MailSignIn", "MailTestSupport", "Platform"]),
        tests(
            "MailStorageTests",
            [
                "FilterTestSupport", "MailFilter", "MailModel", "MailStorage", "MailTestSupport",
                "Platform", "SQLite",
            ]),
        tests(
            "MailSyncTests",
            [
                "HTTP", "HTTPTransport", "LocalServer", "MailAPI", "MailModel", "MailStorage", "MailSync",
                "MailTestSupport", "Platform",
            ]),
        tests("MailTextTests", ["DisplayText", "JSON", "MailModel", "MailTestSupport", "MailText"]),
        tests(
            "MailUITests",
            ["DisplayText", "MailCompose", "MailFilter", "MailModel", "MailText", "MailUI", "TerminalUI"]),
        tests("MailWireTests", ["JSON", "MailWire"]),
        tests("PicturesTests", ["MailTestSupport", "Pictures", "Platform", "TerminalTestSupport", "herald"]),
        tests("PlatformTests", ["MailTestSupport", "Platform"]),
        tests("SQLiteTests", ["MailTestSupport", "Platform", "SQLite"]),
        tests("SoakTests", ["Platform", "SoakSupport"]),
        tests("TOMLTests", ["TOML"]),
        tests("TerminalDriverTests", ["TerminalDriver", "TerminalTestSupport", "TerminalUI", "terminal-probe"]),
        tests("TerminalUITests", ["DisplayText", "TerminalUI"]),
    ],
    cxxLanguageStandard: .cxx17
)

// Only `make fuzz` builds this: libFuzzer brings its `main`.
if Context.environment["HERALD_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "herald-fuzz",
            dependencies: [
                "DisplayText", "EventStream", "HTML", "HTTP", "JSON", "LocalServer", "MIME", "MailFilter", "MailText",
                "MailWire", "TOML", "TerminalUI",
            ], path: "Tests/Fuzz", swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
