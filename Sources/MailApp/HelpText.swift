/// What `--help` and `--version` print.
enum HelpText {
    static let version = "0.1.0"

    static let text = """
        Usage: herald [--offline]                     read mail in the terminal
               herald --demo                          the same, on a made-up team's mail
               herald --sync-once [--account LABEL] [--quiet] [--json] [--deadline SECONDS]
               herald --rebuild-cache [--quiet]
               herald list mailboxes|conversations|messages|drafts
                      [--mailbox ADDRESS] [--folder FOLDER] [--limit N] [--all] [--json]
               herald show MESSAGE_ID [--plain|--html|--json] [--width N] [--offline]
               herald status [--json]
               herald serve [--port N] [--port-file FILE] [--state DIR] [--demo-users]
                      [--import PATH --to ADDRESS]...
               herald --help | --version

        Folders: inbox starred sent drafts archived trash catchall.

        HERALD_ORIGIN and HERALD_TOKEN name the server and a bearer token. HERALD_HOME puts every
        file below one directory. Exit codes and files are in herald(1).
        """
}
