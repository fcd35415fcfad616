internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Testing

extension Setting {
    /// The environment of somebody who has set no variable for an account.
    var plainEnvironment: [String: String] {
        var environment = herald.environment
        environment["HERALD_ORIGIN"] = nil
        environment["HERALD_TOKEN"] = nil
        // A busy machine may need longer than a person would wait.
        environment["HERALD_PATIENCE"] = "120"
        return environment
    }

    /// Where the sign-in of the account is kept.
    var tokenFile: String { "\(herald.home.path)/h/state/127.0.0.1-\(server.port)/token.json" }

    /// Runs the program to its end as somebody who signed in, or has yet to.
    func run(_ arguments: String..., with variables: [String: String] = [:]) throws -> Ended {
        try #require(
            try herald.start(arguments, environment: plainEnvironment.merging(variables) { $1 }).wait())
    }

    /// Signs in as somebody would who approves a code in a browser elsewhere.
    func signIn(_ arguments: String..., with variables: [String: String] = [:]) throws -> Ended {
        try control("/lifetime?interval=1")
        let adding = try herald.start(
            ["account", "add", server.origin] + arguments, environment: plainEnvironment.merging(variables) { $1 })
        #expect(
            comesTrue {
                !adding.isRunning
                    || (try? WireClient(port: server.controlPort).send("POST", "/approve", body: []).status) == 200
            })
        return try #require(adding.wait())
    }

    /// Writes the settings of this person.
    func write(settings: String) throws {
        try Files.makeDirectory(herald.home.path + "/h/config")
        try Files.replace(herald.home.path + "/h/config/config.toml", with: Array(settings.utf8))
    }
}
