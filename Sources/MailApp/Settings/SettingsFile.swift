internal import DisplayText
internal import Glibc
internal import Platform
internal import TOML

extension Places {
    /// Where the settings file is, if there is one.
    var settingsPath: String { config + "/config.toml" }
}

/// The settings file of this user.
enum SettingsFile {
    /// The settings of the file; the standard ones when there is no file.
    ///
    /// With `isShort`, the sentence about a fault leaves the path out, as a status line has little room.
    /// - Throws: exit code 78 with the place and the name that is wrong.
    static func load(_ path: String, isShort: Bool = false) throws(CommandFailure) -> Settings {
        let bytes: [UInt8]
        do {
            bytes = try Files.readRegular(path, bytesMax: TOMLReader.bytesMax + 1)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return Settings() }
            throw failure("The settings file “\(path)” cannot be read: \(error.message).")
        }
        do {
            return try SettingsReader.read(bytes)
        } catch {
            throw failure(sentence(error, isShort ? nil : path))
        }
    }

    /// What is wrong; without a path, the file is the one that everybody knows is meant.
    static func sentence(_ fault: SettingsFault, _ path: String?) -> String {
        let file = path.map { "“\($0)”" } ?? "the settings file"
        let place = fault.line.map { "line \($0)" + (path == nil ? "" : " of \(file)") } ?? file
        guard let name = fault.name else { return capitalized("\(place) cannot be used: \(fault.reason).") }
        let position = fault.line == nil && path == nil ? "" : " on \(place)"
        let subject = "“\(String(name.prefix(80)))”\(position) \(String(fault.reason.prefix(300)))."
        return fault.advice.map { "\(subject) \($0)" } ?? subject
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// The file's own words may be in the message, so they pass the sanitiser.
    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(TextDisplay.sanitizedLine(message), .configuration)
    }
}
