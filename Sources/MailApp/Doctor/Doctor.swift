internal import MailSignIn
internal import Platform

/// `herald doctor`: what there is to know when something does not work.
enum Doctor {
    /// Looks at everything and prints a line each; servers and large files get a few seconds.
    ///
    /// - Throws: `CommandFailure` with 1 when something must be mended.
    static func run(json: Bool) async throws {
        var findings = MachineChecks.all()
        do {
            let places = try Places.fromEnvironment()
            findings += PlaceChecks(places).all()
            let settings: Settings
            do {
                settings = try SettingsFile.load(places.settingsPath)
                let count = settings.entries.count + settings.keyChanges.count
                findings.append(.good("settings", count == 0 ? "all standard" : "\(count) changed"))
            } catch {
                settings = Settings()
                // The sentence about it may quote the file.
                findings.append(.bad("settings", "the file is wrong", "“herald config” says where."))
            }
            findings.append(NotifyCheck.finding(settings, isSelfContained: places.isSelfContained))
            // Side by side, since each may wait for a keyring that hangs.
            async let ring = keyring(settings)
            async let all = accounts(places, settings)
            findings += await ring
            findings += await all
        } catch {
            findings.append(.bad("directories", "none is known", "Set HOME or HERALD_HOME, in UTF-8."))
        }
        if json {
            Output.write(Finding.json(findings))
        } else {
            for finding in findings { Output.line(finding.line) }
        }
        let count = findings.count { $0.state == .bad }
        guard count > 0 else { return }
        throw CommandFailure(
            count == 1 ? "One thing must be mended." : "\(count) things must be mended.", .unexpected)
    }

    /// Whether the keyring could be used now, when the settings name it.
    private static func keyring(_ settings: Settings) async -> [Finding] {
        guard settings.tokenPlace == .keyring else { return [] }
        do throws(TokenStoreError) {
            try await AccountTokens(path: "", label: "", command: [], limit: Patience.stores).keyring.checkReady()
            return [.good("keyring", "is there and open")]
        } catch {
            return [.bad("keyring", "cannot be used", error.message)]
        }
    }

    /// All accounts, side by side: one server that does not answer takes no other's time.
    private static func accounts(_ places: Places, _ settings: Settings) async -> [Finding] {
        var accounts: [(topic: String, label: String, account: Account?)] = []
        do {
            if let account = try Account.fromEnvironment(places, settings) {
                accounts = [("account", account.label, account)]
            }
        } catch {
            return [.bad("account", "HERALD_ORIGIN or HERALD_TOKEN is wrong", "Any other command says what is.")]
        }
        if accounts.isEmpty {
            let labels = Accounts.labels(places)
            // By number, since a name may be an address.
            accounts = labels.enumerated().map { index, label in
                (labels.count == 1 ? "account" : "account \(index + 1)", label, nil)
            }
        }
        if accounts.isEmpty {
            return [.fair("account", "none is set up", "Sign in with “herald account add ORIGIN”.")]
        }
        return await withTaskGroup(of: (Int, [Finding]).self) { group in
            for (index, item) in accounts.enumerated() {
                group.addTask {
                    (index, await AccountChecks(item.topic, item.label, item.account, places, settings).all())
                }
            }
            var found: [(Int, [Finding])] = []
            for await item in group { found.append(item) }
            return found.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }
}
