# fish completion of herald(1).
# Made by make docs: fish
function __herald_in
    set -l form
    for word in (commandline -opc)[2..-1]
        if contains -- $word --demo --sync-once --rebuild-cache list show status account config serve --help --version
            set form $word
            break
        end
    end
    test "$form" = "$argv[1]"
end
complete -c herald -f
complete -c herald -n '__herald_in ""' -a '--demo' -d 'Open the mail of a made-up team, on a local server that ends with it'
complete -c herald -n '__herald_in ""' -a '--sync-once' -d 'Fetch what is new, once, and exit'
complete -c herald -n '__herald_in ""' -a '--rebuild-cache' -d 'Fetch everything again into a new file and swap it for the old one when it is complete'
complete -c herald -n '__herald_in ""' -a 'list' -d 'Print what the cache holds, newest first, without using the network'
complete -c herald -n '__herald_in ""' -a 'show' -d 'Print one message'
complete -c herald -n '__herald_in ""' -a 'status' -d 'Print how the account stands: its mode, the last pass, and what is cached'
complete -c herald -n '__herald_in ""' -a 'account' -d 'Sign in to a server, show what there is, or sign out'
complete -c herald -n '__herald_in ""' -a 'config' -d 'Print the settings in force and where each comes from'
complete -c herald -n '__herald_in ""' -a 'serve' -d 'Run herald-server: the server\'s interface on loopback, for trying, testing and reading an archive'
complete -c herald -n '__herald_in ""' -a '--help' -d 'Print how the program is called, or a command\'s options'
complete -c herald -n '__herald_in ""' -a '--version' -d 'Print the version'
complete -c herald -n '__herald_in ""' -l offline -d 'Show the cache and contact no server; nothing is fetched, and $ says so'
complete -c herald -n '__herald_in ""' -l plain -d 'One pane of plain lines without colour or drawing, for screen readers and braille displays'
complete -c herald -n '__herald_in "--demo"' -l plain -d 'One pane of plain lines without colour or drawing, for screen readers and braille displays'
complete -c herald -n '__herald_in "--sync-once"' -l account -x -d 'Only the account of this name'
complete -c herald -n '__herald_in "--sync-once"' -l quiet -s q -d 'Print nothing on success, and one line when a failure begins, then daily while it lasts'
complete -c herald -n '__herald_in "--sync-once"' -l json -d 'Print JSON with a version; control and bidirectional characters are escaped'
complete -c herald -n '__herald_in "--sync-once"' -l deadline -x -d 'End with code 75 after so long; the next pass continues there'
complete -c herald -n '__herald_in "--rebuild-cache"' -l sync-once -d 'Exit afterwards also on a terminal'
complete -c herald -n '__herald_in "--rebuild-cache"' -l account -x -d 'Only the account of this name'
complete -c herald -n '__herald_in "--rebuild-cache"' -l quiet -s q -d 'Print nothing on success'
complete -c herald -n '__herald_in "--rebuild-cache"' -l deadline -x -d 'End with code 75 after so long; the old cache stays then'
complete -c herald -n '__herald_in "list"' -a 'mailboxes conversations messages drafts'
complete -c herald -n '__herald_in "list"' -l mailbox -x -d 'Only this mailbox, by its address or id'
complete -c herald -n '__herald_in "list"' -l folder -x -a 'inbox starred sent drafts archived trash catchall' -d 'Only this folder; the inbox unless said'
complete -c herald -n '__herald_in "list"' -l limit -x -d 'At most so many items; 50 unless said, and all mailboxes'
complete -c herald -n '__herald_in "list"' -l all -d 'Every folder, and no limit'
complete -c herald -n '__herald_in "list"' -l json -d 'Print JSON with a version; control and bidirectional characters are escaped'
complete -c herald -n '__herald_in "show"' -l plain -d 'Exactly the text the reader shows; so without any of the three'
complete -c herald -n '__herald_in "show"' -l html -d 'The HTML of the message'
complete -c herald -n '__herald_in "show"' -l json -d 'Print JSON with a version; control and bidirectional characters are escaped'
complete -c herald -n '__herald_in "show"' -l width -x -d 'Wrap the text at so many columns; 80 unless said'
complete -c herald -n '__herald_in "show"' -l offline -d 'Do not fetch a text that is not here'
complete -c herald -n '__herald_in "status"' -l json -d 'Print JSON with a version; control and bidirectional characters are escaped'
complete -c herald -n '__herald_in "account"' -a 'add'
complete -c herald -n '__herald_in "account"' -l name -x -d 'The account\'s name; by default that of its server'
complete -c herald -n '__herald_in "account"' -l keep-cache -d 'With remove: leave the mail here'
complete -c herald -n '__herald_in "account"' -l json -d 'Print JSON with a version; control and bidirectional characters are escaped'
complete -c herald -n '__herald_in "config"' -a 'path'
complete -c herald -n '__herald_in "config"' -l json -d 'Print JSON with a version; control and bidirectional characters are escaped'
complete -c herald -n '__herald_in "serve"' -l port -x -d 'Listen on this loopback port; 0 takes a free one'
complete -c herald -n '__herald_in "serve"' -l port-file -r -F -d 'Write the port\'s number to a file'
complete -c herald -n '__herald_in "serve"' -l control-file -r -F -d 'Write the port of a second interface, for tests'
complete -c herald -n '__herald_in "serve"' -l state -x -a '(__fish_complete_directories)' -d 'Keep the mail in this directory'
complete -c herald -n '__herald_in "serve"' -l tier -x -a 'main 1.2' -d 'Behave like this version of HQBase'
complete -c herald -n '__herald_in "serve"' -l order-defect -d 'Lose changes as the real server does when its counter gets a digit longer'
complete -c herald -n '__herald_in "serve"' -l no-events -d 'Leave out the live events, which HQBase does not have'
complete -c herald -n '__herald_in "serve"' -l demo-users -d 'Accept five well-known tokens, one for each kind of person'
complete -c herald -n '__herald_in "serve"' -l import -r -F -d 'Import an mbox, a Maildir, an .eml file, a folder of them, or a .jsonl file of payloads'
complete -c herald -n '__herald_in "serve"' -l to -x -d 'Import an mbox, a Maildir, an .eml file, a folder of them, or a .jsonl file of payloads'
complete -c herald -n '__herald_in "--help"' -a '--demo --sync-once --rebuild-cache list show status account config serve --help --version'
# End.
