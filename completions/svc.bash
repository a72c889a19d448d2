# Completion of svc for bash, made from its commands by `npm run docs`.
# Load it with: source <(svc completion bash), or install it with: svc completion bash --install

_svc_globals=('--help' '-p=@profiles' '--profile=@profiles' '--base-url=' '--api-key-file=@files' '--timeout=' '--retries=' '--max-wait=' '--ca-file=@files' '--insecure-http' '--idempotency-key=' '-o=table|json|ndjson|csv|tsv|yaml|ids' '--output=table|json|ndjson|csv|tsv|yaml|ids' '--json' '--fields=' '--jq=' '--no-header' '--csv-safe' '--reveal' '-q' '--quiet' '--color=auto|always|never' '--debug' '--debug:=body' '-y' '--yes' '--confirm=' '--no-input' '--dry-run' '--dry-run:=curl' '--read-only' '--no-color')

# Sets children, options and args of a command; fails when there is none of that name.
_svc_node() {
  case "$1" in
    '')
      children=(subscribers inbox topics workflows events activity contexts integrations environments runs sandbox demo api schema commands completion login logout whoami doctor profiles config help)
      options=('--version')
      args=() ;;
    'subscribers'|'subscriber')
      children=(bulk-import create credentials preferences)
      options=()
      args=() ;;
    'subscribers bulk-import'|'subscribers import'|'subscriber bulk-import'|'subscriber import')
      children=()
      options=('--map=' '--data-column=' '--data-rest' '--infer' '--empty=skip|null' '--format=csv|ndjson|json|lines' '--delimiter=' '--skip=' '--take=' '--spool' '--fail-on-empty' '--validate-only' '--concurrency=' '--rate=' '--max-errors=' '--resume=@runs' '--rejects=@files' '--force')
      args=('@files') ;;
    'subscribers create'|'subscriber create')
      children=()
      options=('--first-name=' '--last-name=' '--email=' '--phone=' '--avatar=' '--locale=' '--timezone=' '--data=')
      args=('@subscribers') ;;
    'subscribers credentials'|'subscriber credentials')
      children=(set delete)
      options=()
      args=() ;;
    'subscribers credentials set'|'subscriber credentials set')
      children=()
      options=('--provider=@providers' '--force-provider' '--integration=' '--webhook-url=' '--channel=' '--device-token=' '--clear-device-tokens' '--alert-uid=' '--title=' '--image-url=' '--state=' '--external-url=' '--body=')
      args=('@subscribers') ;;
    'subscribers credentials delete'|'subscribers credentials rm'|'subscriber credentials delete'|'subscriber credentials rm')
      children=()
      options=()
      args=('@subscribers' '@providers') ;;
    'subscribers preferences'|'subscriber preferences')
      children=(get update)
      options=()
      args=() ;;
    'subscribers preferences get'|'subscribers preferences show'|'subscriber preferences get'|'subscriber preferences show')
      children=()
      options=('--criticality=critical|nonCritical|all')
      args=('@subscribers') ;;
    'subscribers preferences update'|'subscriber preferences update')
      children=()
      options=('--workflow=@workflows' '--email=on|off' '--sms=on|off' '--in-app=on|off' '--chat=on|off' '--push=on|off' '--schedule=on|off' '--hours=' '--schedule-data=' '--body=')
      args=('@subscribers') ;;
    'inbox')
      children=(list mark)
      options=()
      args=() ;;
    'inbox list'|'inbox ls')
      children=()
      options=('--read' '--unread' '--seen' '--unseen' '--payload=' '--limit=' '--all' '--page-size=' '--page-info' '--page=')
      args=('@subscribers') ;;
    'inbox mark')
      children=()
      options=('--read' '--unread' '--seen' '--unseen' '--payload=' '--all' '--format=csv|ndjson|json|lines' '--delimiter=' '--skip=' '--take=' '--spool' '--fail-on-empty' '--validate-only' '--concurrency=' '--rate=' '--max-errors=' '--resume=@runs' '--rejects=@files' '--force')
      args=('@subscribers' 'read|seen|unread|unseen' '*') ;;
    'topics'|'topic')
      children=(list get rename subscribe)
      options=()
      args=() ;;
    'topics list'|'topics ls'|'topic list'|'topic ls')
      children=()
      options=('--key=' '--name=' '--limit=' '--all' '--page-size=' '--page-info' '--order-by=' '--order=asc|desc' '--after=' '--before=' '--include-cursor')
      args=() ;;
    'topics get'|'topics show'|'topic get'|'topic show')
      children=()
      options=()
      args=('@topics') ;;
    'topics rename'|'topic rename')
      children=()
      options=()
      args=('@topics' '') ;;
    'topics subscribe'|'topic subscribe')
      children=()
      options=('--create' '--file=@files' '--format=csv|ndjson|json|lines' '--delimiter=' '--skip=' '--take=' '--spool' '--fail-on-empty' '--validate-only' '--concurrency=' '--rate=' '--max-errors=' '--resume=@runs' '--rejects=@files' '--force')
      args=('@topics' '@subscribers*') ;;
    'workflows'|'workflow')
      children=(list get step)
      options=()
      args=() ;;
    'workflows list'|'workflows ls'|'workflow list'|'workflow ls')
      children=()
      options=('--query=' '--tag=' '--status=ACTIVE|INACTIVE|ERROR' '--order-by=createdAt|updatedAt|name|lastTriggeredAt' '--order=asc|desc' '--limit=' '--all' '--page-size=' '--page-info' '--offset=')
      args=() ;;
    'workflows get'|'workflows show'|'workflow get'|'workflow show')
      children=()
      options=('--environment-id=')
      args=('@workflows') ;;
    'workflows step'|'workflow step')
      children=()
      options=()
      args=('@workflows' '@steps') ;;
    'events'|'event')
      children=(trigger cancel)
      options=()
      args=() ;;
    'events trigger'|'event trigger')
      children=()
      options=('--to=@subscribers' '--to-data=' '--to-topic=@topics' '--existing-only' '--payload=' '-f=' '--field=' '-F=' '--json-field=' '--overrides=' '--context=@contexts' '--actor=' '--tenant=' '--transaction-id=' '--wait' '--wait:=settled' '--wait:=delivered' '--wait-timeout=' '--require=in_app|email|sms|chat|push' '--file=@files' '--recipients=@files' '--update-subscribers' '--map=' '--data-column=' '--data-rest' '--infer' '--empty=skip|null' '--format=csv|ndjson|json|lines' '--delimiter=' '--skip=' '--take=' '--spool' '--fail-on-empty' '--validate-only' '--concurrency=' '--rate=' '--max-errors=' '--resume=@runs' '--rejects=@files' '--force')
      args=('@workflows') ;;
    'events cancel'|'event cancel')
      children=()
      options=('--run=@runs' '--wait-timeout=' '--format=csv|ndjson|json|lines' '--delimiter=' '--skip=' '--take=' '--spool' '--fail-on-empty' '--validate-only' '--concurrency=' '--rate=' '--max-errors=' '--resume=@runs' '--rejects=@files' '--force')
      args=('@transactions*') ;;
    'activity')
      children=(list get)
      options=()
      args=() ;;
    'activity list'|'activity ls')
      children=()
      options=('--channel=in_app|email|sms|chat|push' '--workflow=@workflows' '--email=' '--subscriber=@subscribers' '--severity=high|medium|low|none' '--topic=@topics' '--transaction=@transactions' '--context=@contexts' '--since=' '--until=' '--follow' '--limit=' '--all' '--page-size=' '--page-info' '--page=')
      args=() ;;
    'activity get'|'activity show')
      children=()
      options=('--follow')
      args=('@transactions') ;;
    'contexts'|'context')
      children=(list get)
      options=()
      args=() ;;
    'contexts list'|'contexts ls'|'context list'|'context ls')
      children=()
      options=('--id=' '--type=@contextTypes' '--search=' '--limit=' '--all' '--page-size=' '--page-info' '--order-by=' '--order=asc|desc' '--after=' '--before=' '--include-cursor')
      args=() ;;
    'contexts get'|'contexts show'|'context get'|'context show')
      children=()
      options=()
      args=('@contexts' '') ;;
    'integrations'|'integration')
      children=(update enable disable delete)
      options=()
      args=() ;;
    'integrations update'|'integration update')
      children=()
      options=('--name=' '--identifier=' '--environment-id=' '--active' '--no-active' '--check' '--no-check' '--credential=' '--configuration=' '--conditions=' '--body=')
      args=('@integrations') ;;
    'integrations enable'|'integration enable')
      children=()
      options=()
      args=('@integrations') ;;
    'integrations disable'|'integration disable')
      children=()
      options=()
      args=('@integrations') ;;
    'integrations delete'|'integrations rm'|'integration delete'|'integration rm')
      children=()
      options=()
      args=('@integrations') ;;
    'environments'|'environment')
      children=(list create)
      options=()
      args=() ;;
    'environments list'|'environments ls'|'environment list'|'environment ls')
      children=()
      options=('--save-profiles')
      args=() ;;
    'environments create'|'environment create')
      children=()
      options=('--color=' '--save-profile=' '--parent=')
      args=('') ;;
    'runs'|'run')
      children=(list show resume delete prune)
      options=()
      args=() ;;
    'runs list'|'runs ls'|'run list'|'run ls')
      children=()
      options=('--limit=')
      args=() ;;
    'runs show'|'run show')
      children=()
      options=()
      args=('@runs') ;;
    'runs resume'|'run resume')
      children=()
      options=('--concurrency=' '--rate=' '--max-errors=')
      args=('@runs') ;;
    'runs delete'|'runs rm'|'run delete'|'run rm')
      children=()
      options=()
      args=('@runs') ;;
    'runs prune'|'run prune')
      children=()
      options=('--older-than=' '--include-resumable')
      args=() ;;
    'sandbox')
      children=(start status stop reset clock messages faults seed export)
      options=()
      args=() ;;
    'sandbox start')
      children=()
      options=('--port=' '--host=' '--allow-host=' '--data=@files' '--in-memory' '--seed=@files' '--envelope' '--time=' '--frozen' '--detach' '--profile-name=' '--no-profile' '--reuse' '--latency=' '--fail=' '--status=' '--rate-limit=free|pro|team|enterprise' '--reset=' '--truncate=' '--after-commit=' '--fault-seed=')
      args=() ;;
    'sandbox status')
      children=()
      options=()
      args=() ;;
    'sandbox stop')
      children=()
      options=()
      args=() ;;
    'sandbox reset')
      children=()
      options=()
      args=() ;;
    'sandbox clock')
      children=(show advance set)
      options=()
      args=() ;;
    'sandbox clock show')
      children=()
      options=()
      args=() ;;
    'sandbox clock advance')
      children=()
      options=()
      args=('') ;;
    'sandbox clock set')
      children=()
      options=()
      args=('') ;;
    'sandbox messages')
      children=(list get)
      options=()
      args=() ;;
    'sandbox messages list'|'sandbox messages ls')
      children=()
      options=('--subscriber=@subscribers' '--channel=in_app|email|sms|chat|push' '--transaction=@transactions' '--limit=' '--all' '--page-size=' '--page-info' '--page=')
      args=() ;;
    'sandbox messages get'|'sandbox messages show')
      children=()
      options=()
      args=('') ;;
    'sandbox faults')
      children=(set show clear)
      options=()
      args=() ;;
    'sandbox faults set')
      children=()
      options=('--latency=' '--fail=' '--status=' '--rate-limit=free|pro|team|enterprise' '--reset=' '--truncate=' '--after-commit=' '--fault-seed=')
      args=() ;;
    'sandbox faults show')
      children=()
      options=()
      args=() ;;
    'sandbox faults clear')
      children=()
      options=()
      args=() ;;
    'sandbox seed')
      children=()
      options=()
      args=('@files') ;;
    'sandbox export')
      children=()
      options=('--file=@files')
      args=() ;;
    'demo')
      children=()
      options=()
      args=() ;;
    'api')
      children=()
      options=('-f=' '--field=' '-F=' '--json-field=' '--body=' '-H=' '--request-header=' '--include' '--paginate')
      args=('GET|POST|PUT|PATCH|DELETE' '') ;;
    'schema')
      children=()
      options=()
      args=('') ;;
    'commands')
      children=()
      options=()
      args=() ;;
    'completion')
      children=()
      options=('--install')
      args=('bash|zsh|fish|powershell') ;;
    'login')
      children=()
      options=('--with-key' '--keychain' '--protect' '--no-protect')
      args=() ;;
    'logout')
      children=()
      options=()
      args=() ;;
    'whoami')
      children=()
      options=()
      args=() ;;
    'doctor')
      children=()
      options=()
      args=() ;;
    'profiles'|'profile')
      children=(list use show rename delete)
      options=()
      args=() ;;
    'profiles list'|'profiles ls'|'profile list'|'profile ls')
      children=()
      options=()
      args=() ;;
    'profiles use'|'profile use')
      children=()
      options=()
      args=('@profiles') ;;
    'profiles show'|'profile show')
      children=()
      options=()
      args=('@profiles') ;;
    'profiles rename'|'profile rename')
      children=()
      options=()
      args=('@profiles' '') ;;
    'profiles delete'|'profiles rm'|'profile delete'|'profile rm')
      children=()
      options=()
      args=('@profiles') ;;
    'config')
      children=(list get set unset path reset)
      options=()
      args=() ;;
    'config list'|'config ls')
      children=()
      options=()
      args=() ;;
    'config get'|'config show')
      children=()
      options=()
      args=('') ;;
    'config set')
      children=()
      options=()
      args=('' '') ;;
    'config unset')
      children=()
      options=()
      args=('') ;;
    'config path')
      children=()
      options=()
      args=() ;;
    'config reset')
      children=()
      options=()
      args=() ;;
    'help')
      children=()
      options=()
      args=('options|environment|exit-codes|output|bulk|sandbox|subscribers|inbox|topics|workflows|events|activity|contexts|integrations|environments|runs|sandbox|demo|api|schema|commands|completion|login|logout|whoami|doctor|profiles|config') ;;
    *) return 1 ;;
  esac
}

# Whether a word is a redirection; what follows it is a file.
_svc_redirects() {
  case "$1" in
    '<'|'>'|'>>'|'>|'|'<>'|'&>'|'&>>'|[0-9]'>'|[0-9]'>>'|[0-9]'<') return 0 ;;
    *) return 1 ;;
  esac
}

# Whether an option takes a value; sets source to where its values are.
_svc_takes() {
  local one
  for one in "${options[@]}" "${_svc_globals[@]}"; do
    if [[ $one == "$1="* ]]; then
      source=${one#"$1="}
      return 0
    fi
  done
  return 1
}

# Offers those of the candidates that begin with what is typed, written as the shell needs them.
_svc_offer() {
  local one reply typed=$current quoted='' prefix=''
  case "$typed" in
    \"*|\'*) typed=${typed:1} quoted=1 ;;
    *) typed=${typed//\\/} ;;
  esac
  if [[ -z $quoted && $COMP_WORDBREAKS == *[:=]* && $current == *[:=]* ]]; then
    prefix=${current%"${current##*[:=]}"}
  fi
  for one in "$@"; do
    [[ $one == "$typed"* ]] || continue
    if [[ -n $quoted ]]; then
      [[ $one == *[!A-Za-z0-9_.:@/+=,-]* ]] && continue
      reply=$one
    else
      printf -v reply %q "$one"
    fi
    COMPREPLY[${#COMPREPLY[@]}]=${reply#"$prefix"}
  done
}

_svc_offer_from() {
  local value rest
  local -a values
  values=()
  case "$1" in
    '') ;;
    @files) compopt -o default 2>/dev/null ;;
    @*)
      while IFS=$'\t' read -r value rest; do
        values[${#values[@]}]=$value
      done < <(command svc __complete "${1#@}" "${whose[@]}" 2>/dev/null </dev/null)
      _svc_offer "${values[@]}"
      ;;
    *)
      IFS='|' read -r -a values <<<"$1"
      _svc_offer "${values[@]}"
      ;;
  esac
}

_svc() {
  local line=$COMP_LINE word gap index count=0 current path='' option='' literal='' source=''
  local -a words children options args positional whose names
  words=() positional=() whose=() names=()
  COMPREPLY=()

  # Words that were split at a colon or an equals sign are joined again.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]} gap=''
    while [[ $line == [[:space:]]* ]]; do line=${line:1} gap=1; done
    line=${line#"$word"}
    if [[ -z $gap && $count -gt 0 ]]; then
      words[count - 1]=${words[count - 1]}$word
    else
      words[count]=$word
      count=$((count + 1))
    fi
  done
  current=${words[count - 1]}
  if _svc_redirects "${words[count - 2]}"; then
    compopt -o default 2>/dev/null
    return
  fi

  _svc_node ''
  for ((index = 1; index < count - 1; index++)); do
    word=${words[index]}
    if _svc_redirects "$word"; then
      index=$((index + 1))
    elif [[ -n $option ]]; then
      case "$option" in
        -p|--profile) whose=("${whose[@]}" --profile "$word") ;;
        --base-url) whose=("${whose[@]}" --base-url "$word") ;;
      esac
      option=''
    elif [[ -z $literal && $word == -- ]]; then
      literal=1
    elif [[ -z $literal && $word == -?* ]]; then
      case "$word" in
        --profile=*) whose=("${whose[@]}" --profile "${word#*=}") ;;
        --base-url=*) whose=("${whose[@]}" --base-url "${word#*=}") ;;
        *=*) ;;
        *) _svc_takes "$word" && option=$word ;;
      esac
    elif [[ ${#positional[@]} -eq 0 ]] && _svc_node "${path:+$path }$word"; then
      path=${path:+$path }$word
    else
      positional[${#positional[@]}]=$word
    fi
  done

  if [[ -n $option ]]; then
    _svc_takes "$option"
    _svc_offer_from "$source"
  elif [[ -z $literal && $current == --*=* ]]; then
    word=${current%%=*}
    _svc_takes "$word" || return
    current=${current#*=}
    _svc_offer_from "$source"
    if [[ $COMP_WORDBREAKS != *=* ]]; then
      COMPREPLY=("${COMPREPLY[@]/#/$word=}")
    fi
  elif [[ -z $literal && $current == -* ]]; then
    for word in "${options[@]}" "${_svc_globals[@]}"; do
      case "$word" in
        *:=*) names[${#names[@]}]=${word/:=/=} ;;
        *) names[${#names[@]}]=${word%%=*} ;;
      esac
    done
    _svc_offer "${names[@]}"
  elif [[ ${#children[@]} -gt 0 ]]; then
    [[ ${#positional[@]} -eq 0 ]] && _svc_offer "${children[@]}"
  else
    index=${#positional[@]} count=${#args[@]}
    if [[ $index -ge $count && $count -gt 0 && ${args[count - 1]} == *'*' ]]; then
      index=$((count - 1))
    fi
    [[ $index -lt $count ]] || return
    source=${args[index]%'*'}
    [[ $source == @steps ]] && whose=("${whose[@]}" --under "${positional[0]}")
    _svc_offer_from "$source"
  fi
}

complete -F _svc svc
