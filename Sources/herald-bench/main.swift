internal import Glibc
internal import Platform

/// Measures Herald's release build and prints each number beside its limit or peer.
///
/// Ends with 1 when a limit was missed, so that a script can tell.
let seed: UInt64 = 20_260
let programs = "/" + Environment.executablePath.split(separator: "/").dropLast().joined(separator: "/")
let places = "/" + programs.split(separator: "/").dropLast(2).joined(separator: "/") + "/bench-cache"

signal(SIGPIPE, SIG_IGN)
let suite = Suite(programs: programs, directory: places, mail: MadeMail(seed: seed))
exit(await suite.run() ? 0 : 1)
