#if DEBUG
    import Glibc
    import MailModel
    import MailStorage
    import Platform
    import Testing

    /// What the process that is to be killed does: queue, show, send, finish, take back.
    private func work(_ cachePath: String, _ outboxPath: String) async throws {
        let outbox = try OutboxStore(path: outboxPath, owner: ReplayBench.owner)
        let cache = try ReplayBench.open(cachePath, outboxPath)
        let seen = [message("1"), message("2"), message("3")].map { NewOperation(.archive, on: $0) }
        _ = try await outbox.enqueue(seen, name: "Archive", at: 1)
        // The person was told.
        try Files.replace(outboxPath + ".told", with: [1])
        try await cache.rematerialise()
        for operation in try await outbox.next(limit: 2, now: 9) {
            try await cache.apply(message(operation.message.rawValue, folder: "archived"))
            try await outbox.finish(operation.id)
            try await cache.rematerialise()
        }
        _ = try await outbox.undo(at: 9)
        try await cache.rematerialise()
    }

    /// Fails when a kill between any two statements loses what was queued, queues half of it, or leaves rows that do
    /// not show it.
    @Test func `a process killed anywhere loses and doubles nothing`() async throws {
        let stride = Environment.value("HERALD_SOAK_SECONDS") == nil ? 13 : 1
        var (point, kills) = (1, 0)
        while true {
            let bench = try await ReplayBench.make()
            try await bench.sync(message("1"), message("2"), message("3"))
            let (cache, outbox, fault) = (bench.box.cache, bench.box.path, "statement:\(point)")
            let result = await #expect(processExitsWith: .failure) {
                [cache = cache as String, outbox = outbox as String, fault = fault as String] in
                Environment.set("HERALD_FAULT", fault)
                try await work(cache, outbox)
                exit(7)
            }
            try await check(bench, wasTold: Files.exists(outbox + ".told"), fault)
            if result?.exitStatus != .signal(SIGKILL) { break }
            kills += 1
            point += stride
        }
        #expect(kills > 3)
    }

    private func check(_ bench: borrowing ReplayBench, wasTold: Bool, _ fault: String) async throws {
        let outbox = try bench.box.again()
        let batches = try await outbox.batches()
        #expect(batches.map(\.count) == (batches.isEmpty ? [] : [3]), "\(fault)")
        #expect(!wasTold || batches.count == 1, "\(fault)")
        try await outbox.restart()
        let cache = try ReplayBench.open(bench.box.cache, bench.box.path)
        try await cache.rematerialise()
        let waiting = try await outbox.operations()
        for id in ["1", "2", "3"] {
            let folder = try await bench.shown(id)?.folder
            // The last word of what waits says where the message is shown; else the server does.
            switch waiting.last(where: { $0.message.rawValue == id })?.kind.name {
            case "archive": #expect(folder == "archived", "\(fault): \(id)")
            case "unarchive": #expect(folder == "inbox", "\(fault): \(id)")
            default: #expect(folder == "archived" || folder == "inbox", "\(fault): \(id)")
            }
        }
        // Taken back to the end, all is as it was.
        while try await outbox.undo(at: 10) != nil {}
        for operation in try await outbox.operations() {
            let folder = operation.kind.name == "archive" ? "archived" : "inbox"
            try await cache.apply(message(operation.message.rawValue, folder: folder))
            try await outbox.finish(operation.id)
        }
        try await cache.rematerialise()
        try await cache.passBegins()
        try await cache.passEnds()
        #expect(try await bench.reader.conversationCount(in: ListScope(folder: .inbox)) == 3, "\(fault)")
        #expect(try bench.sideRows() == [], "\(fault)")
    }
#endif
