internal import Glibc
internal import Platform

/// Where a file goes: the directory and the name in it.
struct SavePath: Hashable {
    let directory: String
    let name: String

    var path: String { directory == "/" ? "/" + name : directory + "/" + name }

    /// The place that a person typed; a directory takes the file's own name.
    ///
    /// - Throws: `FileFailure.refused` when there is no such directory, or the name is none.
    init(typed: String, ownName: String) throws(FileFailure) {
        let path = SavePath.expanded(typed)
        guard !path.contains("\0") else { throw .refused("A name cannot have such characters.") }
        if path.hasSuffix("/") || Files.isDirectory(path) {
            directory = SavePath.withoutSlash(path)
            name = ownName
        } else {
            let slash = path.lastIndex(of: "/")
            directory = slash.map { SavePath.withoutSlash(String(path[...$0])) } ?? "."
            name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        }
        guard Files.isDirectory(directory) else { throw .refused("There is no directory \(directory).") }
        guard name.utf8.count <= 255 else { throw .refused("The name is too long.") }
        guard !name.isEmpty, name != ".", name != ".." else { throw .refused("A file needs a name.") }
    }

    /// A typed path with `~` as the home directory; other paths begin where the program was started.
    static func expanded(_ typed: String) -> String {
        guard typed == "~" || typed.hasPrefix("~/"), let home = Environment.value("HOME") else { return typed }
        return home + typed.dropFirst()
    }

    private static func withoutSlash(_ path: String) -> String {
        var rest = path[...]
        while rest.count > 1, rest.last == "/" { rest = rest.dropLast() }
        return String(rest)
    }

    /// Whether the name is free, or may be taken from a file that is there.
    ///
    /// - Throws: `FileFailure.exists` when it is taken, `refused` when what has it is no file.
    func check(replaces: Bool) throws(FileFailure) {
        switch FileKind(path) {
        case .missing: return
        case .regular: if !replaces { throw .exists }
        case .link, .other: throw .refused("\(path) is there already and is not a file.")
        }
    }

    /// Where files go unless the settings or the person say otherwise: the desktop's directory for downloads when
    /// there is one, else the home directory.
    static func standardDirectory(isSelfContained: Bool) -> String {
        guard let home = Environment.value("HOME") else { return "." }
        let named = Environment.value("XDG_DOWNLOAD_DIR") ?? (isSelfContained ? nil : downloadDirectory(home))
        guard let named, named.hasPrefix("/"), Files.isDirectory(named) else { return "~" }
        return named.hasPrefix(home + "/") ? "~" + named.dropFirst(home.count) : named
    }

    /// What `user-dirs.dirs` says (xdg-user-dirs).
    private static func downloadDirectory(_ home: String) -> String? {
        let config = Environment.value("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
        guard let bytes = try? Files.readRegular(config + "/user-dirs.dirs", bytesMax: 65_536) else { return nil }
        let prefix = "XDG_DOWNLOAD_DIR=\""
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let line = line.drop { $0 == " " }
            guard line.hasPrefix(prefix), let end = line.lastIndex(of: "\""), end > line.startIndex else { continue }
            let value = line.dropFirst(prefix.count).prefix { $0 != "\"" }
            return value.hasPrefix("$HOME") ? home + value.dropFirst(5) : String(value)
        }
        return nil
    }
}
