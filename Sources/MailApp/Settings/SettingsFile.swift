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
    /// - Throws: exit code 78 with the place and the name that is wrong.
    static func load(_ path: String) throws(CommandFailure) -> Settings {
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
            throw failure(sentence(error, path))
        }
    }

    private static func sentence(_ fault: SettingsFault, _ path: String) -> String {
        let place = fault.line.map { "line \($0) of “\(path)”" } ?? "“\(path)”"
        guard let name = fault.name else { return capitalized("\(place) cannot be used: \(fault.reason).") }
        let subject = "“\(String(name.prefix(80)))” on \(place) \(String(fault.reason.prefix(300)))."
        return fault.advice.map { "\(subject) \($0)" } ?? subject
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// The file's own words may be in the message, so they pass the sanitiser.
    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(TextDisplay.sanitizedLine(message), .configuration)
    }
}
