internal import Glibc

exit(Pages.run(CommandLine.arguments.dropFirst()))
