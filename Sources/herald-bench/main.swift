internal import Glibc
internal import Platform

/// Measures Herald's release build and prints each number beside its limit or peer.
///
/// With arguments only these parts: render, starts, scrolling, changes, search, searchkeys, searchpeers, thread, outbox,
/// passes, keys, drain, apply. Ends with 1 when a limit was missed, so that a script can tell.
let seed: UInt64 = 20_261
let programs = "/" + Environment.executablePath.split(separator: "/").dropLast().joined(separator: "/")
let places = "/" + programs.split(separator: "/").dropLast(2).joined(separator: "/") + "/bench-cache"

signal(SIGPIPE, SIG_IGN)
let arguments = CommandLine.arguments
if arguments.count == 5, arguments[1] == KilledWriter.argument, let count = Int(arguments[2]),
    let seed = UInt64(arguments[3])
{
    let cache = SeededCache(count: count, mail: MadeMail(seed: seed), home: arguments[4])
    try await KilledWriter(cache: cache).write()
}
let suite = Suite(programs: programs, directory: places, mail: MadeMail(seed: seed), parts: Set(arguments.dropFirst()))
exit(await suite.run() ? 0 : 1)
