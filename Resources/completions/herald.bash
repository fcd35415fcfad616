# bash completion of herald(1).
# Made by make docs: bash
_herald() {
    local form= words= word line
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in
        --demo | --sync-once | --rebuild-cache | list | show | search | apply | compose | send | status | watch | outbox | account | config | doctor | serve | --help | --version)
            form=$word
            break
            ;;
        esac
    done
    case $form:$before in
    '':--account | '':--draft | --sync-once:--account | --sync-once:--deadline | --rebuild-cache:--account | --rebuild-cache:--deadline | list:--mailbox | list:--limit | list:--account | show:--width | show:--account | search:--mailbox | search:--limit | search:--account | apply:--where | apply:--max | apply:--if | apply:--mailbox | apply:--account | compose:--from | compose:--to | compose:--cc | compose:--bcc | compose:--subject | compose:-s | compose:--reply | compose:--reply-all | compose:--forward | compose:--account | send:--from | send:--to | send:--cc | send:--bcc | send:--subject | send:-s | send:--reply | send:--reply-all | send:--forward | send:--account | status:--account | watch:--query | watch:--mailbox | watch:--thread | watch:--limit | watch:--account | outbox:--account | account:--name | account:--account | account:--discard | serve:--port | serve:--to)
        return
        ;;
    list:--folder | search:--folder | apply:--folder | watch:--folder)
        COMPREPLY=($(compgen -W 'inbox starred sent drafts archived trash catchall' -- "$current"))
        return
        ;;
    compose:--attach | compose:-a | compose:--body | compose:--message | send:--attach | send:-a | send:--body | send:--message | serve:--port-file | serve:--control-file | serve:--import)
        compopt -o default
        return
        ;;
    serve:--state)
        compopt -o dirnames
        return
        ;;
    serve:--tier)
        COMPREPLY=($(compgen -W 'main 1.2' -- "$current"))
        return
        ;;
    esac
    case $form in
    '')
        words='--account --offline --draft --plain --demo --sync-once --rebuild-cache list show search apply compose send status watch outbox account config doctor serve --help --version'
        ;;
    --demo)
        words='--plain'
        ;;
    --sync-once)
        words='--account --quiet -q --json --deadline'
        ;;
    --rebuild-cache)
        words='--sync-once --account --quiet -q --deadline'
        ;;
    list)
        words='mailboxes conversations messages drafts --mailbox --folder --limit --all --ids --account --json'
        ;;
    show)
        words='--plain --html --json --width --offline --account'
        ;;
    search)
        words='--mailbox --folder --limit --ids --account --json'
        ;;
    apply)
        words='read unread star unstar archive unarchive trash restore --where --dry-run --max --if --mailbox --folder --offline --account --json'
        ;;
    compose)
        words='--from --to --cc --bcc --subject -s --attach -a --body --message --reply --reply-all --forward --without-files --account'
        ;;
    send)
        words='--from --to --cc --bcc --subject -s --attach -a --body --message --reply --reply-all --forward --without-files --account --draft --offline --json'
        ;;
    status)
        words='--unread --account --json'
        ;;
    watch)
        words='--query --events --mailbox --folder --thread --limit --account --json'
        ;;
    outbox)
        words='list retry drop journal adopt show send-again keep sent --all --account --json'
        ;;
    account)
        words='add list check remove --name --account --browser --keep-cache --remove-cache --discard --json'
        ;;
    config)
        words='path --json'
        ;;
    doctor)
        words='--json'
        ;;
    serve)
        words='--port --port-file --control-file --state --tier --order-defect --no-events --demo-users --import --to'
        ;;
    --help)
        words='--demo --sync-once --rebuild-cache list show search apply compose send status watch outbox account config doctor serve --help --version'
        ;;
    --version)
        words=''
        ;;
    esac
    line=" ${COMP_WORDS[*]:1:COMP_CWORD-1} "
    for word in $(compgen -W "$words" -- "$current"); do
        case $line in
        *" $word "*) ;;
        *) COMPREPLY+=("$word") ;;
        esac
    done
} && complete -F _herald herald
# End.
