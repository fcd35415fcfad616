internal import MailText

/// Tells files that would act when they are opened; such are only saved.
enum FileDanger {
    /// Endings that some program runs, or that lead somewhere else than to their own content.
    private static let endings: Set<String> = [
        "action", "apk", "app", "appimage", "application", "bash", "bat", "bin", "chm", "cmd", "com", "command", "cpl",
        "csh", "deb", "desktop", "directory", "dll", "dmg", "elf", "exe", "flatpak", "flatpakref", "fish", "gadget",
        "hta", "inf", "ins", "iso", "jar", "jnlp", "js", "jse", "ksh", "lnk", "lua", "mjs", "msc", "msi", "msp", "out",
        "php", "pif", "pl", "pkg", "ps1", "psm1", "py", "pyc", "pyw", "pyz", "rb", "reg", "rpm", "run", "scf", "scr",
        "service", "sh", "snap", "so", "tcl", "url", "vb", "vbe", "vbs", "webloc", "wsf", "wsh", "zsh",
    ]
    private static let types: Set<String> = [
        "application/hta", "application/java-archive", "application/javascript", "application/vnd.appimage",
        "application/vnd.debian.binary-package", "application/vnd.flatpak",
        "application/vnd.microsoft.portable-executable",
        "application/x-bat", "application/x-csh", "application/x-deb", "application/x-debian-package",
        "application/x-desktop", "application/x-dosexec", "application/x-elf", "application/x-executable",
        "application/x-java-archive", "application/x-java-jnlp-file", "application/x-mach-binary",
        "application/x-ms-dos-executable", "application/x-ms-shortcut", "application/x-msdos-program",
        "application/x-msdownload", "application/x-msi", "application/x-perl", "application/x-php",
        "application/x-pie-executable", "application/x-python-code", "application/x-rpm", "application/x-ruby",
        "application/x-sh", "application/x-sharedlib", "application/x-shellscript", "text/javascript",
        "text/x-perl", "text/x-python", "text/x-ruby", "text/x-sh", "text/x-shellscript",
    ]

    /// Whether name or type tell of a file that acts.
    static func isDangerous(name: String, type: String) -> Bool {
        let ending = SafeFileName.split(SafeFileName.of(name)).ending.dropFirst().lowercased()
        return endings.contains(String(ending)) || types.contains(FileDanger.bare(type))
    }

    /// Whether the first bytes are those of a program, a script or a starter, whatever the name says.
    static func isDangerous(_ bytes: [UInt8]) -> Bool {
        let starts: [[UInt8]] = [
            [0x7F, 0x45, 0x4C, 0x46], Array("#!".utf8), Array("MZ".utf8), [0xCA, 0xFE, 0xBA, 0xBE],
            [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCF, 0xFA, 0xED, 0xFE],
        ]
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if starts.contains(where: { content.starts(with: $0) }) { return true }
        let text = String(decoding: content.prefix(4_096), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).contains { line in
            line.hasPrefix("[Desktop Entry]") || line.hasPrefix("[InternetShortcut]")
        }
    }

    /// A media type in small letters without parameters.
    static func bare(_ type: String) -> String {
        type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    }
}
