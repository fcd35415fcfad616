#if DEBUG
    internal import CSQLite
    internal import Glibc
    internal import Platform
    internal import Synchronization

    /// Where `HERALD_FAULT` has this process killed, to prove that nothing written so far is lost or half done.
    ///
    /// `statement:N` kills as the N-th statement of the writing connections begins, those of scripts and triggers
    /// included; `commit:N` right after the N-th commit. With a third part, the path of a file, counting begins once
    /// that is there. The process gets SIGKILL, so nothing of it runs on. Only debug builds know the variable.
    enum CrashPoint {
        private enum Plan {
            case statement(Int)
            case commit(Int)
        }

        private static let plan = read(Environment.value("HERALD_FAULT"))
        /// The file that has to be there before anything is counted; `nil` for none.
        private static let starter: String? = {
            let parts = Environment.value("HERALD_FAULT")?.split(separator: ":", maxSplits: 2) ?? []
            return parts.count == 3 ? String(parts[2]) : nil
        }()
        private static let statements = Atomic(0)
        private static let commits = Atomic(0)

        private static func read(_ text: String?) -> Plan? {
            guard let parts = text?.split(separator: ":", maxSplits: 2), parts.count >= 2, let count = Int(parts[1])
            else {
                return nil
            }
            switch parts[0] {
            case "statement": return .statement(count)
            case "commit": return .commit(count)
            default: return nil
            }
        }

        /// Counts the statements and commits of a connection that writes.
        static func watch(_ handle: OpaquePointer) {
            switch plan {
            case nil: return
            case .statement:
                sqlite3_trace_v2(
                    handle, UInt32(SQLITE_TRACE_STMT),
                    { _, _, _, _ in
                        CrashPoint.began()
                        return 0
                    }, nil)
            case .commit:
                sqlite3_trace_v2(
                    handle, UInt32(SQLITE_TRACE_PROFILE),
                    { _, _, statement, _ in
                        if let sql = sqlite3_sql(OpaquePointer(statement)), strcmp(sql, "COMMIT") == 0 {
                            CrashPoint.committed()
                        }
                        return 0
                    }, nil)
            }
        }

        private static func began() {
            guard case .statement(let count) = plan, isCounting else { return }
            if statements.add(1, ordering: .relaxed).newValue == count { die() }
        }

        private static func committed() {
            guard case .commit(let count) = plan, isCounting else { return }
            if commits.add(1, ordering: .relaxed).newValue == count { die() }
        }

        private static var isCounting: Bool { starter.map { access($0, F_OK) == 0 } ?? true }

        private static func die() { kill(getpid(), SIGKILL) }
    }
#endif
