# Completion of svc for PowerShell, made from its commands by `npm run docs`.
# Load it with: svc completion powershell | Out-String | Invoke-Expression
# or install it with: svc completion powershell --install

$script:SvcGlobals = @("--help`tShow help", "-p=@profiles`tUse this profile", "--profile=@profiles`tUse this profile", "--base-url=`tAddress of the service", "--api-key-file=@files`tRead the API key from a file (- for standard input)", "--timeout=`tLongest time for one attempt", "--retries=`tMost retries of one request", "--max-wait=`tLongest wait before one retry", "--ca-file=@files`tTrust the certificates in this PEM file too", "--insecure-http`tAllow http:// beyond this machine", "--idempotency-key=`tSend this key, so that a repetition is recognised", "-o=table|json|ndjson|csv|tsv|yaml|ids`tOutput format", "--output=table|json|ndjson|csv|tsv|yaml|ids`tOutput format", "--json`tThe same as -o json", "--fields=`tOnly these fields, in every format", "--jq=`tRun a jq expression over the JSON", "--no-header`tLeave the header line out", "--csv-safe`tIn CSV, keep spreadsheets from running values as formulas", "--reveal`tShow secrets that are masked otherwise", "-q`tNo progress, hints or notes", "--quiet`tNo progress, hints or notes", "--color=auto|always|never`tWhen to use colours", "--debug`tLog requests to standard error, secrets redacted", "--debug:=body`tLog requests to standard error, secrets redacted", "-y`tAnswer yes to questions", "--yes`tAnswer yes to questions", "--confirm=`tConfirm a write to a protected profile by its name", "--no-input`tNever ask", "--dry-run`tShow the requests that would change something, or curl commands for them; send none", "--dry-run:=curl`tShow the requests that would change something, or curl commands for them; send none", "--read-only`tRefuse everything that would change something", "--no-color`tThe same as --color never")

$script:SvcNodes = @{
  '' = @{
    children = @("subscribers`tRecipients: import, create, credentials, preferences", "inbox`tIn-app notifications of a subscriber: list them, mark them", "topics`tGroups of subscribers: list, look up, rename, subscribe", "workflows`tNotification workflows and their steps", "events`tTrigger workflows, cancel what they started", "activity`tWhat became of triggered events", "contexts`tTyped records that notifications refer to", "integrations`tProviders that deliver: update, switch, delete", "environments`tStages of the application, each with its own keys", "runs`tBulk runs: what they did, resuming one", "sandbox`tThe whole service on this machine", "demo`tA tour on a sandbox of its own", "api`tSend a request of your own to the service", "schema`tThe operations of the service as data", "commands`tAll commands of svc as data", "completion`tTab completion for bash, zsh, fish and PowerShell", "login`tStore the address and key of a service as a profile", "logout`tForget the key of a profile", "whoami`tShow which service, profile and environment hold now", "doctor`tCheck configuration, key, network and service", "profiles`tStored services with their keys", "config`tSettings and where each comes from", "help`tHelp on a command or a topic")
    options = @("--version`tShow the version")
    args = @()
  }
  'subscribers' = @{
    children = @("bulk-import`tCreate or update subscribers from CSV, NDJSON or a JSON array, any number of them", "create`tCreate a subscriber, or update the given fields of one that exists", "credentials`tWhere a provider reaches a subscriber: chat addresses, device tokens", "preferences`tWhat a subscriber wants to get, by channel and by workflow, and when")
    options = @()
    args = @()
  }
  'subscriber' = 'subscribers'
  'subscribers bulk-import' = @{
    children = @()
    options = @("--map=`tFill a field from this column; a column can fill several fields", "--data-column=`tSend these columns as custom data", "--data-rest`tSend all unknown columns or keys as custom data", "--infer`tSend numbers, true, false and null in data as such, not as text", "--empty=skip|null`tSkip an empty cell or send null", "--format=csv|ndjson|json|lines`tFormat of the input; by default detected from file name and content", "--delimiter=`tDelimiter of CSV cells; by default detected", "--skip=`tSkip the first n rows", "--take=`tProcess at most n rows", "--spool`tCopy standard input to a file first, so that the run can be resumed", "--fail-on-empty`tExit with code 2 if the input has no rows, instead of a warning", "--validate-only`tValidate every row without sending", "--concurrency=`tMax concurrent requests; adapts to the service", "--rate=`tMax rows per second", "--max-errors=`tStop when more rows than this fail", "--resume=@runs`tResume a run that stopped early", "--rejects=@files`tFile for rejected rows; by default in the folder of the run", "--force`tOverwrite an existing rejects file")
    args = @('@files')
  }
  'subscribers import' = 'subscribers bulk-import'
  'subscriber bulk-import' = 'subscribers bulk-import'
  'subscriber import' = 'subscribers bulk-import'
  'subscribers create' = @{
    children = @()
    options = @("--first-name=`tFirst name", "--last-name=`tLast name", "--email=`tE-mail address", "--phone=`tPhone number", "--avatar=`tAddress of a picture", "--locale=`tLocale such as en or en-US", "--timezone=`tIANA time zone such as Europe/Berlin", "--data=`tCustom data, a JSON object")
    args = @('@subscribers')
  }
  'subscriber create' = 'subscribers create'
  'subscribers credentials' = @{
    children = @("set`tSet the credentials of a provider for a subscriber", "delete`tRemove the credentials of a provider from a subscriber, irreversibly")
    options = @()
    args = @()
  }
  'subscriber credentials' = 'subscribers credentials'
  'subscribers credentials set' = @{
    children = @()
    options = @("--provider=@providers`tId of the provider; required", "--force-provider`tSend a provider that svc does not know", "--integration=`tIdentifier of the integration, when the provider has several", "--webhook-url=`tAddress of the chat webhook: from @file, env:NAME, or as it is", "--channel=`tChannel, for Mattermost", "--device-token=`tA device token, added to those there are: from @file, env:NAME, or as it is", "--clear-device-tokens`tRemove all device tokens", "--alert-uid=`tFor Grafana on-call", "--title=`tFor Grafana on-call", "--image-url=`tFor Grafana on-call", "--state=`tFor Grafana on-call", "--external-url=`tFor Grafana on-call", "--body=`tThe whole request instead of these options")
    args = @('@subscribers')
  }
  'subscriber credentials set' = 'subscribers credentials set'
  'subscribers credentials delete' = @{
    children = @()
    options = @()
    args = @('@subscribers', '@providers')
  }
  'subscribers credentials rm' = 'subscribers credentials delete'
  'subscriber credentials delete' = 'subscribers credentials delete'
  'subscriber credentials rm' = 'subscribers credentials delete'
  'subscribers preferences' = @{
    children = @("get`tShow the preferences of a subscriber: workflow × channel, and the week", "update`tChange the preferences of a subscriber, global or for one workflow")
    options = @()
    args = @()
  }
  'subscriber preferences' = 'subscribers preferences'
  'subscribers preferences get' = @{
    children = @()
    options = @("--criticality=critical|nonCritical|all`tWhich workflows")
    args = @('@subscribers')
  }
  'subscribers preferences show' = 'subscribers preferences get'
  'subscriber preferences get' = 'subscribers preferences get'
  'subscriber preferences show' = 'subscribers preferences get'
  'subscribers preferences update' = @{
    children = @()
    options = @("--workflow=@workflows`tFor this workflow; else global", "--email=on|off`tSwitch e-mail on or off", "--sms=on|off`tSwitch SMS on or off", "--in-app=on|off`tSwitch the inbox on or off", "--chat=on|off`tSwitch chat on or off", "--push=on|off`tSwitch push on or off", "--schedule=on|off`tKeep to the hours, or do not", "--hours=`tHours of days: mon-fri=`"09:00 AM-05:00 PM`", sat=off", "--schedule-data=`tThe whole schedule", "--body=`tThe whole request instead of these options")
    args = @('@subscribers')
  }
  'subscriber preferences update' = 'subscribers preferences update'
  'inbox' = @{
    children = @("list`tList the in-app notifications of a subscriber, newest first", "mark`tMark in-app notifications read, unread, seen or unseen")
    options = @()
    args = @()
  }
  'inbox list' = @{
    children = @()
    options = @("--read`tOnly those that were read", "--unread`tOnly those that were not", "--seen`tOnly those that were seen", "--unseen`tOnly those that were not", "--payload=`tOnly those whose payload holds these members", "--limit=`tHow many in all", "--all`tEvery one there is", "--page-size=`tHow many one request asks for", "--page-info`tIn JSON, wrap the items with totals and cursors: {items, page}", "--page=`tStart with this page, from 0")
    args = @('@subscribers')
  }
  'inbox ls' = 'inbox list'
  'inbox mark' = @{
    children = @()
    options = @("--read`tOnly those that were read", "--unread`tOnly those that were not", "--seen`tOnly those that were seen", "--unseen`tOnly those that were not", "--payload=`tOnly those whose payload holds these members", "--all`tEvery notification that the filters match", "--format=csv|ndjson|json|lines`tFormat of the input; by default detected from file name and content", "--delimiter=`tDelimiter of CSV cells; by default detected", "--skip=`tSkip the first n rows", "--take=`tProcess at most n rows", "--spool`tCopy standard input to a file first, so that the run can be resumed", "--fail-on-empty`tExit with code 2 if the input has no rows, instead of a warning", "--validate-only`tValidate every row without sending", "--concurrency=`tMax concurrent requests; adapts to the service", "--rate=`tMax rows per second", "--max-errors=`tStop when more rows than this fail", "--resume=@runs`tResume a run that stopped early", "--rejects=@files`tFile for rejected rows; by default in the folder of the run", "--force`tOverwrite an existing rejects file")
    args = @('@subscribers', 'read|seen|unread|unseen', '*')
  }
  'topics' = @{
    children = @("list`tList topics", "get`tShow a topic", "rename`tRename a topic; its key stays", "subscribe`tSubscribe subscribers to a topic")
    options = @()
    args = @()
  }
  'topic' = 'topics'
  'topics list' = @{
    children = @()
    options = @("--key=`tOnly topics whose key contains this", "--name=`tOnly topics whose name contains this", "--limit=`tHow many in all", "--all`tEvery one there is", "--page-size=`tHow many one request asks for", "--page-info`tIn JSON, wrap the items with totals and cursors: {items, page}", "--order-by=`tSort by this field", "--order=asc|desc`tSorting direction", "--after=`tStart behind this cursor", "--before=`tEnd before this cursor, walking backwards", "--include-cursor`tInclude the item of the cursor")
    args = @()
  }
  'topics ls' = 'topics list'
  'topic list' = 'topics list'
  'topic ls' = 'topics list'
  'topics get' = @{
    children = @()
    options = @()
    args = @('@topics')
  }
  'topics show' = 'topics get'
  'topic get' = 'topics get'
  'topic show' = 'topics get'
  'topics rename' = @{
    children = @()
    options = @()
    args = @('@topics', '')
  }
  'topic rename' = 'topics rename'
  'topics subscribe' = @{
    children = @()
    options = @("--create`tCreate the topic if it does not exist", "--file=@files`tA list of subscribers: one id a line, or a CSV, NDJSON or JSON file", "--format=csv|ndjson|json|lines`tFormat of the input; by default detected from file name and content", "--delimiter=`tDelimiter of CSV cells; by default detected", "--skip=`tSkip the first n rows", "--take=`tProcess at most n rows", "--spool`tCopy standard input to a file first, so that the run can be resumed", "--fail-on-empty`tExit with code 2 if the input has no rows, instead of a warning", "--validate-only`tValidate every row without sending", "--concurrency=`tMax concurrent requests; adapts to the service", "--rate=`tMax rows per second", "--max-errors=`tStop when more rows than this fail", "--resume=@runs`tResume a run that stopped early", "--rejects=@files`tFile for rejected rows; by default in the folder of the run", "--force`tOverwrite an existing rejects file")
    args = @('@topics', '@subscribers*')
  }
  'topic subscribe' = 'topics subscribe'
  'workflows' = @{
    children = @("list`tList workflows", "get`tShow a workflow with its steps and their issues", "step`tShow one step of a workflow with its control values and issues")
    options = @()
    args = @()
  }
  'workflow' = 'workflows'
  'workflows list' = @{
    children = @()
    options = @("--query=`tOnly workflows whose name or identifier contains this", "--tag=`tOnly workflows with this tag", "--status=ACTIVE|INACTIVE|ERROR`tOnly workflows of this status", "--order-by=createdAt|updatedAt|name|lastTriggeredAt`tSort by this field", "--order=asc|desc`tSorting direction", "--limit=`tHow many in all", "--all`tEvery one there is", "--page-size=`tHow many one request asks for", "--page-info`tIn JSON, wrap the items with totals and cursors: {items, page}", "--offset=`tSkip this many")
    args = @()
  }
  'workflows ls' = 'workflows list'
  'workflow list' = 'workflows list'
  'workflow ls' = 'workflows list'
  'workflows get' = @{
    children = @()
    options = @("--environment-id=`tLook in this environment")
    args = @('@workflows')
  }
  'workflows show' = 'workflows get'
  'workflow get' = 'workflows get'
  'workflow show' = 'workflows get'
  'workflows step' = @{
    children = @()
    options = @()
    args = @('@workflows', '@steps')
  }
  'workflow step' = 'workflows step'
  'events' = @{
    children = @("trigger`tTrigger a workflow for one or more recipients, or many events from a file", "cancel`tCancel the pending jobs of transactions")
    options = @()
    args = @()
  }
  'event' = 'events'
  'events trigger' = @{
    children = @()
    options = @("--to=@subscribers`tA subscriber; created if unknown", "--to-data=`tA subscriber with fields, created or updated", "--to-topic=@topics`tAll subscribers of a topic", "--existing-only`tCheck that the subscribers exist, instead of creating them", "--payload=`tData for the templates", "-f=`tOne member of the payload; a.b=x nests", "--field=`tOne member of the payload; a.b=x nests", "-F=`tThe same with a JSON value", "--json-field=`tThe same with a JSON value", "--overrides=`tOverrides keyed by provider", "--context=@contexts`tA context; created if unknown", "--actor=`tWho caused it; left out of topics", "--tenant=`tThe tenant it belongs to", "--transaction-id=`tTransaction id; generated by default", "--wait`tWait until every job has a final status (settled, the default) or until every recipient got a message", "--wait:=settled`tWait until every job has a final status (settled, the default) or until every recipient got a message", "--wait:=delivered`tWait until every job has a final status (settled, the default) or until every recipient got a message", "--wait-timeout=`tLongest time to wait; implies --wait", "--require=in_app|email|sms|chat|push`tExit with 9 unless this channel reached every recipient; implies --wait", "--file=@files`tA file of events: NDJSON or a JSON array", "--recipients=@files`tTrigger one event per row; payload.* columns go to the payload", "--update-subscribers`tSend the other columns as fields of the subscriber", "--map=`tFill a field from this column; a column can fill several fields", "--data-column=`tSend these columns as custom data", "--data-rest`tSend all unknown columns or keys as custom data", "--infer`tSend numbers, true, false and null in data as such, not as text", "--empty=skip|null`tSkip an empty cell or send null", "--format=csv|ndjson|json|lines`tFormat of the input; by default detected from file name and content", "--delimiter=`tDelimiter of CSV cells; by default detected", "--skip=`tSkip the first n rows", "--take=`tProcess at most n rows", "--spool`tCopy standard input to a file first, so that the run can be resumed", "--fail-on-empty`tExit with code 2 if the input has no rows, instead of a warning", "--validate-only`tValidate every row without sending", "--concurrency=`tMax concurrent requests; adapts to the service", "--rate=`tMax rows per second", "--max-errors=`tStop when more rows than this fail", "--resume=@runs`tResume a run that stopped early", "--rejects=@files`tFile for rejected rows; by default in the folder of the run", "--force`tOverwrite an existing rejects file")
    args = @('@workflows')
  }
  'event trigger' = 'events trigger'
  'events cancel' = @{
    children = @()
    options = @("--run=@runs`tEvery transaction of a run of ``svc events trigger``", "--wait-timeout=`tLongest time to wait for jobs that the service has not created yet", "--format=csv|ndjson|json|lines`tFormat of the input; by default detected from file name and content", "--delimiter=`tDelimiter of CSV cells; by default detected", "--skip=`tSkip the first n rows", "--take=`tProcess at most n rows", "--spool`tCopy standard input to a file first, so that the run can be resumed", "--fail-on-empty`tExit with code 2 if the input has no rows, instead of a warning", "--validate-only`tValidate every row without sending", "--concurrency=`tMax concurrent requests; adapts to the service", "--rate=`tMax rows per second", "--max-errors=`tStop when more rows than this fail", "--resume=@runs`tResume a run that stopped early", "--rejects=@files`tFile for rejected rows; by default in the folder of the run", "--force`tOverwrite an existing rejects file")
    args = @('@transactions*')
  }
  'event cancel' = 'events cancel'
  'activity' = @{
    children = @("list`tList triggered events with their status, newest first", "get`tShow the timeline of a transaction: recipients, jobs and details")
    options = @()
    args = @()
  }
  'activity list' = @{
    children = @()
    options = @("--channel=in_app|email|sms|chat|push`tOnly events with a step of this channel", "--workflow=@workflows`tOnly events of this workflow", "--email=`tOnly events for this e-mail address", "--subscriber=@subscribers`tOnly events for this subscriber", "--severity=high|medium|low|none`tOnly events of this severity", "--topic=@topics`tOnly events that reached the subscriber by this topic", "--transaction=@transactions`tOnly events of this transaction", "--context=@contexts`tOnly events with exactly these contexts", "--since=`tOnly events after this moment", "--until=`tOnly events before this moment", "--follow`tGo on showing what comes, oldest first, until Ctrl-C", "--limit=`tHow many in all", "--all`tEvery one there is", "--page-size=`tHow many one request asks for", "--page-info`tIn JSON, wrap the items with totals and cursors: {items, page}", "--page=`tStart with this page, from 0")
    args = @()
  }
  'activity ls' = 'activity list'
  'activity get' = @{
    children = @()
    options = @("--follow`tWait until every job has a final status, and print what happens")
    args = @('@transactions')
  }
  'activity show' = 'activity get'
  'contexts' = @{
    children = @("list`tList contexts", "get`tShow a context")
    options = @()
    args = @()
  }
  'context' = 'contexts'
  'contexts list' = @{
    children = @()
    options = @("--id=`tOnly contexts with this id", "--type=@contextTypes`tOnly contexts of this type", "--search=`tOnly contexts whose type:id contains this", "--limit=`tHow many in all", "--all`tEvery one there is", "--page-size=`tHow many one request asks for", "--page-info`tIn JSON, wrap the items with totals and cursors: {items, page}", "--order-by=`tSort by this field", "--order=asc|desc`tSorting direction", "--after=`tStart behind this cursor", "--before=`tEnd before this cursor, walking backwards", "--include-cursor`tInclude the item of the cursor")
    args = @()
  }
  'contexts ls' = 'contexts list'
  'context list' = 'contexts list'
  'context ls' = 'contexts list'
  'contexts get' = @{
    children = @()
    options = @()
    args = @('@contexts', '')
  }
  'contexts show' = 'contexts get'
  'context get' = 'contexts get'
  'context show' = 'contexts get'
  'integrations' = @{
    children = @("update`tUpdate an integration", "enable`tActivate an integration", "disable`tDeactivate an integration; it delivers nothing until it is active again", "delete`tDelete an integration, irreversibly; shows those that remain")
    options = @()
    args = @()
  }
  'integration' = 'integrations'
  'integrations update' = @{
    children = @()
    options = @("--name=`tName in the web interface", "--identifier=`tIdentifier, unique in the environment", "--environment-id=`tMove it to this environment", "--active`tMake it active, which checks its credentials, or inactive", "--no-active`tMake it active, which checks its credentials, or inactive", "--check`tCheck the credentials, or do not", "--no-check`tCheck the credentials, or do not", "--credential=`tA credential: key=@file, key=env:NAME, key==text as it is, or key alone to be asked", "--configuration=`tinboundWebhookEnabled or inboundWebhookSigningKey", "--conditions=`tConditions, a JSON array", "--body=`tThe whole request instead of these options")
    args = @('@integrations')
  }
  'integration update' = 'integrations update'
  'integrations enable' = @{
    children = @()
    options = @()
    args = @('@integrations')
  }
  'integration enable' = 'integrations enable'
  'integrations disable' = @{
    children = @()
    options = @()
    args = @('@integrations')
  }
  'integration disable' = 'integrations disable'
  'integrations delete' = @{
    children = @()
    options = @()
    args = @('@integrations')
  }
  'integrations rm' = 'integrations delete'
  'integration delete' = 'integrations delete'
  'integration rm' = 'integrations delete'
  'environments' = @{
    children = @("list`tList the environments of the organization", "create`tCreate an environment in the organization")
    options = @()
    args = @()
  }
  'environment' = 'environments'
  'environments list' = @{
    children = @()
    options = @("--save-profiles`tStore one profile for each environment")
    args = @()
  }
  'environments ls' = 'environments list'
  'environment list' = 'environments list'
  'environment ls' = 'environments list'
  'environments create' = @{
    children = @()
    options = @("--color=`tColour of the environment, as hex; required", "--save-profile=`tStore its key as a profile with this name", "--parent=`tId of the parent environment")
    args = @('')
  }
  'environment create' = 'environments create'
  'runs' = @{
    children = @("list`tList bulk runs, newest first", "show`tShow a run: command, input, counts and rejects file", "resume`tResume a run that ended early", "delete`tDelete a run with its journal and rejects")
    options = @()
    args = @()
  }
  'run' = 'runs'
  'runs list' = @{
    children = @()
    options = @()
    args = @()
  }
  'runs ls' = 'runs list'
  'run list' = 'runs list'
  'run ls' = 'runs list'
  'runs show' = @{
    children = @()
    options = @()
    args = @('@runs')
  }
  'run show' = 'runs show'
  'runs resume' = @{
    children = @()
    options = @("--concurrency=`tMost requests at a time", "--rate=`tMax rows per second", "--max-errors=`tStop when more rows than this fail from here on")
    args = @('@runs')
  }
  'run resume' = 'runs resume'
  'runs delete' = @{
    children = @()
    options = @()
    args = @('@runs')
  }
  'runs rm' = 'runs delete'
  'run delete' = 'runs delete'
  'run rm' = 'runs delete'
  'sandbox' = @{
    children = @("start`tStart the sandbox and make a profile for it", "status`tShow whether the sandbox runs, and its contents", "stop`tStop the sandbox after its open requests", "reset`tReset the sandbox to its seed data; API keys are kept", "clock`tThe time in the sandbox: what it is, and moving it", "messages`tWhat the sandbox would have sent: captured messages of every channel", "faults`tWhat goes wrong on purpose, to see how a program copes", "seed`tReplace the state of the sandbox with a YAML or JSON file", "export`tWrite the state of the sandbox as one YAML file")
    options = @()
    args = @()
  }
  'sandbox start' = @{
    children = @()
    options = @("--port=`tPort to listen on; 0 takes a free one", "--host=`tAddress to listen on", "--allow-host=`tAnswer requests for this host name too; needed beyond loopback", "--data=@files`tKeep the data here; else in a folder of the profile", "--in-memory`tKeep no data: everything is gone when it stops", "--seed=@files`tWhat an empty sandbox begins with, and a reset goes back to", "--envelope`tWrap responses in {`"data`": …}, as some servers do", "--time=`tThe time in the sandbox at the start; else the real one", "--frozen`tTime stands still, but for ``svc sandbox clock``", "--detach`tRun in the background; return when it accepts connections", "--profile-name=`tName of the profile that it makes", "--no-profile`tMake no profile; without --data, delete the data at the stop", "--reuse`tIf the sandbox of the profile already runs, print its facts and end", "--latency=`tLet every request wait: 100ms", "--fail=`tRefuse this share of the requests, before anything is done: 5%", "--status=`tWhat a failed request is answered", "--rate-limit=free|pro|team|enterprise`tHold the rate limits of this plan", "--reset=`tCut the connection of this share, before anything is done", "--truncate=`tCut the connection in the middle of the answer", "--after-commit=`tDo the work, then fail or cut the connection", "--fault-seed=`tThe same seed makes the same faults")
    args = @()
  }
  'sandbox status' = @{
    children = @()
    options = @()
    args = @()
  }
  'sandbox stop' = @{
    children = @()
    options = @()
    args = @()
  }
  'sandbox reset' = @{
    children = @()
    options = @()
    args = @()
  }
  'sandbox clock' = @{
    children = @("show`tShow the time in the sandbox", "advance`tAdvance the time in the sandbox and run everything due in between", "set`tSet the time in the sandbox and run everything due until then")
    options = @()
    args = @()
  }
  'sandbox clock show' = @{
    children = @()
    options = @()
    args = @()
  }
  'sandbox clock advance' = @{
    children = @()
    options = @()
    args = @('')
  }
  'sandbox clock set' = @{
    children = @()
    options = @()
    args = @('')
  }
  'sandbox messages' = @{
    children = @("list`tList captured messages of every channel, newest first", "get`tShow a captured message with recipient and content")
    options = @()
    args = @()
  }
  'sandbox messages list' = @{
    children = @()
    options = @("--subscriber=@subscribers`tOnly messages to this subscriber", "--channel=in_app|email|sms|chat|push`tOnly messages of this channel", "--transaction=@transactions`tOnly messages of this transaction", "--limit=`tHow many in all", "--all`tEvery one there is", "--page-size=`tHow many one request asks for", "--page-info`tIn JSON, wrap the items with totals and cursors: {items, page}", "--page=`tStart with this page, from 0")
    args = @()
  }
  'sandbox messages ls' = 'sandbox messages list'
  'sandbox messages get' = @{
    children = @()
    options = @()
    args = @('')
  }
  'sandbox messages show' = 'sandbox messages get'
  'sandbox faults' = @{
    children = @("set`tInject faults: latency, errors, rate limits, cut responses", "show`tShow the injected faults", "clear`tRemove all injected faults")
    options = @()
    args = @()
  }
  'sandbox faults set' = @{
    children = @()
    options = @("--latency=`tLet every request wait: 100ms", "--fail=`tRefuse this share of the requests, before anything is done: 5%", "--status=`tWhat a failed request is answered", "--rate-limit=free|pro|team|enterprise`tHold the rate limits of this plan", "--reset=`tCut the connection of this share, before anything is done", "--truncate=`tCut the connection in the middle of the answer", "--after-commit=`tDo the work, then fail or cut the connection", "--fault-seed=`tThe same seed makes the same faults")
    args = @()
  }
  'sandbox faults show' = @{
    children = @()
    options = @()
    args = @()
  }
  'sandbox faults clear' = @{
    children = @()
    options = @()
    args = @()
  }
  'sandbox seed' = @{
    children = @()
    options = @()
    args = @('@files')
  }
  'sandbox export' = @{
    children = @()
    options = @("--file=@files`tWrite into this file, for its owner alone; else to standard output")
    args = @()
  }
  'demo' = @{
    children = @()
    options = @()
    args = @()
  }
  'api' = @{
    children = @()
    options = @("-f=`tA member of the body, or of the query with GET; a.b=x nests", "--field=`tA member of the body, or of the query with GET; a.b=x nests", "-F=`tThe same with a JSON value", "--json-field=`tThe same with a JSON value", "--body=`tThe whole body", "-H=`tA header more", "--request-header=`tA header more", "--include`tPrint the status and headers of the answer too", "--paginate`tWith GET, ask for page after page and print all items as one array")
    args = @('GET|POST|PUT|PATCH|DELETE', '')
  }
  'schema' = @{
    children = @()
    options = @()
    args = @('')
  }
  'commands' = @{
    children = @()
    options = @()
    args = @()
  }
  'completion' = @{
    children = @()
    options = @("--install`tInstall it for this user")
    args = @('bash|zsh|fish|powershell')
  }
  'login' = @{
    children = @()
    options = @("--with-key`tRead the API key from standard input", "--keychain`tKeep the key in the keychain of the system", "--protect`tEvery write to this profile needs its name; the default for an environment named Production", "--no-protect`tEvery write to this profile needs its name; the default for an environment named Production")
    args = @()
  }
  'logout' = @{
    children = @()
    options = @()
    args = @()
  }
  'whoami' = @{
    children = @()
    options = @()
    args = @()
  }
  'doctor' = @{
    children = @()
    options = @()
    args = @()
  }
  'profiles' = @{
    children = @("list`tList the stored profiles", "use`tMake a profile the current one", "show`tShow a profile, without its key", "rename`tRename a profile", "delete`tDelete a profile with its key")
    options = @()
    args = @()
  }
  'profile' = 'profiles'
  'profiles list' = @{
    children = @()
    options = @()
    args = @()
  }
  'profiles ls' = 'profiles list'
  'profile list' = 'profiles list'
  'profile ls' = 'profiles list'
  'profiles use' = @{
    children = @()
    options = @()
    args = @('@profiles')
  }
  'profile use' = 'profiles use'
  'profiles show' = @{
    children = @()
    options = @()
    args = @('@profiles')
  }
  'profile show' = 'profiles show'
  'profiles rename' = @{
    children = @()
    options = @()
    args = @('@profiles', '')
  }
  'profile rename' = 'profiles rename'
  'profiles delete' = @{
    children = @()
    options = @()
    args = @('@profiles')
  }
  'profiles rm' = 'profiles delete'
  'profile delete' = 'profiles delete'
  'profile rm' = 'profiles delete'
  'config' = @{
    children = @("list`tList the effective settings and where each value comes from", "get`tShow the effective value of a setting", "set`tStore a setting", "unset`tRemove a stored setting, so that its default applies", "path`tPrint the path of the configuration file", "reset`tDelete the configuration file: all profiles, keys and settings")
    options = @()
    args = @()
  }
  'config list' = @{
    children = @()
    options = @()
    args = @()
  }
  'config ls' = 'config list'
  'config get' = @{
    children = @()
    options = @()
    args = @('')
  }
  'config show' = 'config get'
  'config set' = @{
    children = @()
    options = @()
    args = @('', '')
  }
  'config unset' = @{
    children = @()
    options = @()
    args = @('')
  }
  'config path' = @{
    children = @()
    options = @()
    args = @()
  }
  'config reset' = @{
    children = @()
    options = @()
    args = @()
  }
  'help' = @{
    children = @()
    options = @()
    args = @('options|environment|exit-codes|output|bulk|sandbox|subscribers|inbox|topics|workflows|events|activity|contexts|integrations|environments|runs|sandbox|demo|api|schema|commands|completion|login|logout|whoami|doctor|profiles|config')
  }
}

function script:Get-SvcNode([string] $path) {
  $node = $script:SvcNodes[$path]
  if ($node -is [string]) { $node = $script:SvcNodes[$node] }
  return $node
}

# Where the values of an option are; nothing when it takes none.
function script:Get-SvcSource($node, [string] $name) {
  foreach ($one in @($node.options) + $script:SvcGlobals) {
    $entry = ($one -split "`t", 2)[0]
    if ($entry.StartsWith("$name=")) { return ,$entry.Substring($name.Length + 1) }
  }
}

function script:Get-SvcValues([string] $source, [string[]] $whose) {
  if ($source -eq '' -or $source -eq '@files') { return }
  if ($source.StartsWith('@')) { return & svc __complete $source.Substring(1) @whose 2>$null }
  return $source -split '\|'
}

Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $node = Get-SvcNode ''
  $path = ''
  $option = ''
  $literal = $false
  $positional = @()
  $whose = @()
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    Select-Object -Skip 1 | ForEach-Object { if ($_.Value) { "$($_.Value)" } else { "$_" } })
  foreach ($word in $words) {
    if ($option) {
      if ($option -in '-p', '--profile') { $whose += '--profile', $word }
      if ($option -eq '--base-url') { $whose += '--base-url', $word }
      $option = ''
    } elseif (-not $literal -and $word -eq '--') {
      $literal = $true
    } elseif (-not $literal -and $word -match '^-.') {
      if ($word -match '^(--profile|--base-url)=(.*)$') { $whose += $Matches[1], $Matches[2] }
      elseif ($word -notmatch '=' -and $null -ne (Get-SvcSource $node $word)) { $option = $word }
    } elseif ($positional.Count -eq 0 -and (Get-SvcNode "$path $word".Trim())) {
      $path = "$path $word".Trim()
      $node = Get-SvcNode $path
    } else {
      $positional += $word
    }
  }

  $prefix = ''
  $candidates = @()
  if ($option) {
    $candidates = Get-SvcValues (Get-SvcSource $node $option) $whose
  } elseif (-not $literal -and $wordToComplete -match '^(--[a-z-]+)=') {
    $prefix = $Matches[0]
    $candidates = Get-SvcValues (Get-SvcSource $node $Matches[1]) $whose
  } elseif (-not $literal -and $wordToComplete.StartsWith('-')) {
    $candidates = @($node.options) + $script:SvcGlobals | ForEach-Object {
      if ($_.Contains(':=')) { $_.Replace(':=', '=') } else { $_ -replace '=[^\t]*', '' }
    }
  } elseif ($node.children.Count -gt 0) {
    if ($positional.Count -eq 0) { $candidates = $node.children }
  } elseif ($node.args.Count -gt 0) {
    $index = $positional.Count
    if ($index -ge $node.args.Count -and $node.args[-1].EndsWith('*')) { $index = $node.args.Count - 1 }
    if ($index -lt $node.args.Count) {
      $source = $node.args[$index].TrimEnd('*')
      if ($source -eq '@steps') { $whose += '--under', $positional[0] }
      $candidates = Get-SvcValues $source $whose
    }
  }
  foreach ($one in $candidates) {
    $value, $tip = "$one" -split "`t", 2
    $text = "$prefix$value"
    if (-not $text.StartsWith($wordToComplete)) { continue }
    $written = if ($text -match '^[A-Za-z0-9_.:/@=+-]+$') { $text } else { "'" + $text.Replace("'", "''") + "'" }
    if (-not $tip) { $tip = $value }
    [System.Management.Automation.CompletionResult]::new($written, $value, 'ParameterValue', $tip)
  }
}
