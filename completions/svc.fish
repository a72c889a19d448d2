# Completion of svc for fish, made from its commands by `npm run docs`.
# Put it into ~/.config/fish/completions, or install it with: svc completion fish --install

function __svc_globals
  printf '%s\n' '--help'\t'Show help' '-p=@profiles'\t'Use this profile' '--profile=@profiles'\t'Use this profile' '--base-url='\t'Address of the service' '--api-key-file=@files'\t'Read the API key from a file (- for standard input)' '--timeout='\t'Longest time for one attempt' '--retries='\t'Most retries of one request' '--max-wait='\t'Longest wait before one retry' '--ca-file=@files'\t'Trust the certificates in this PEM file too' '--insecure-http'\t'Allow http:// beyond this machine' '--idempotency-key='\t'Send this key, so that a repetition is recognised' '-o=table|json|ndjson|csv|tsv|yaml|ids'\t'Output format' '--output=table|json|ndjson|csv|tsv|yaml|ids'\t'Output format' '--json'\t'The same as -o json' '--fields='\t'Only these fields, in every format' '--jq='\t'Run a jq expression over the JSON' '--no-header'\t'Leave the header line out' '--csv-safe'\t'In CSV, keep spreadsheets from running values as formulas' '--reveal'\t'Show secrets that are masked otherwise' '-q'\t'No progress, hints or notes' '--quiet'\t'No progress, hints or notes' '--color=auto|always|never'\t'When to use colours' '--debug'\t'Log requests to standard error, secrets redacted' '--debug:=body'\t'Log requests to standard error, secrets redacted' '-y'\t'Answer yes to questions' '--yes'\t'Answer yes to questions' '--confirm='\t'Confirm a write to a protected profile by its name' '--no-input'\t'Never ask' '--dry-run'\t'Show the requests that would change something, or curl commands for them; send none' '--dry-run:=curl'\t'Show the requests that would change something, or curl commands for them; send none' '--read-only'\t'Refuse everything that would change something' '--no-color'\t'The same as --color never'
end

# Prints children, options or args of a command; fails when there is none of that name.
function __svc_node
  switch "$argv[2]"
    case ''
      test $argv[1] = children; and printf '%s\n' 'subscribers'\t'Recipients: import, create, credentials, preferences' 'inbox'\t'In-app notifications of a subscriber: list them, mark them' 'topics'\t'Groups of subscribers: list, look up, rename, subscribe' 'workflows'\t'Notification workflows and their steps' 'events'\t'Trigger workflows, cancel what they started' 'activity'\t'What became of triggered events' 'contexts'\t'Typed records that notifications refer to' 'integrations'\t'Providers that deliver: update, switch, delete' 'environments'\t'Stages of the application, each with its own keys' 'runs'\t'Bulk runs: what they did, resuming one' 'sandbox'\t'The whole service on this machine' 'demo'\t'A tour on a sandbox of its own' 'api'\t'Send a request of your own to the service' 'schema'\t'The operations of the service as data' 'commands'\t'All commands of svc as data' 'completion'\t'Tab completion for bash, zsh, fish and PowerShell' 'login'\t'Store the address and key of a service as a profile' 'logout'\t'Forget the key of a profile' 'whoami'\t'Show which service, profile and environment hold now' 'doctor'\t'Check configuration, key, network and service' 'profiles'\t'Stored services with their keys' 'config'\t'Settings and where each comes from' 'help'\t'Help on a command or a topic'
      test $argv[1] = options; and printf '%s\n' '--version'\t'Show the version'
    case 'subscribers' 'subscriber'
      test $argv[1] = children; and printf '%s\n' 'bulk-import'\t'Create or update subscribers from CSV, NDJSON or a JSON array, any number of them' 'create'\t'Create a subscriber, or update the given fields of one that exists' 'credentials'\t'Where a provider reaches a subscriber: chat addresses, device tokens' 'preferences'\t'What a subscriber wants to get, by channel and by workflow, and when'
    case 'subscribers bulk-import' 'subscribers import' 'subscriber bulk-import' 'subscriber import'
      test $argv[1] = options; and printf '%s\n' '--map='\t'Fill a field from this column; a column can fill several fields' '--data-column='\t'Send these columns as custom data' '--data-rest'\t'Send all unknown columns or keys as custom data' '--infer'\t'Send numbers, true, false and null in data as such, not as text' '--empty=skip|null'\t'Skip an empty cell or send null' '--format=csv|ndjson|json|lines'\t'Format of the input; by default detected from file name and content' '--delimiter='\t'Delimiter of CSV cells; by default detected' '--skip='\t'Skip the first n rows' '--take='\t'Process at most n rows' '--spool'\t'Copy standard input to a file first, so that the run can be resumed' '--fail-on-empty'\t'Exit with code 2 if the input has no rows, instead of a warning' '--validate-only'\t'Validate every row without sending' '--concurrency='\t'Max concurrent requests; adapts to the service' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail' '--resume=@runs'\t'Resume a run that stopped early' '--rejects=@files'\t'File for rejected rows; by default in the folder of the run' '--force'\t'Overwrite an existing rejects file'
      test $argv[1] = args; and printf '%s\n' '@files'
    case 'subscribers create' 'subscriber create'
      test $argv[1] = options; and printf '%s\n' '--first-name='\t'First name' '--last-name='\t'Last name' '--email='\t'E-mail address' '--phone='\t'Phone number' '--avatar='\t'Address of a picture' '--locale='\t'Locale such as en or en-US' '--timezone='\t'IANA time zone such as Europe/Berlin' '--data='\t'Custom data, a JSON object'
      test $argv[1] = args; and printf '%s\n' '@subscribers'
    case 'subscribers credentials' 'subscriber credentials'
      test $argv[1] = children; and printf '%s\n' 'set'\t'Set the credentials of a provider for a subscriber' 'delete'\t'Remove the credentials of a provider from a subscriber, irreversibly'
    case 'subscribers credentials set' 'subscriber credentials set'
      test $argv[1] = options; and printf '%s\n' '--provider=@providers'\t'Id of the provider; required' '--force-provider'\t'Send a provider that svc does not know' '--integration='\t'Identifier of the integration, when the provider has several' '--webhook-url='\t'Address of the chat webhook: from @file, env:NAME, or as it is' '--channel='\t'Channel, for Mattermost' '--device-token='\t'A device token, added to those there are: from @file, env:NAME, or as it is' '--clear-device-tokens'\t'Remove all device tokens' '--alert-uid='\t'For Grafana on-call' '--title='\t'For Grafana on-call' '--image-url='\t'For Grafana on-call' '--state='\t'For Grafana on-call' '--external-url='\t'For Grafana on-call' '--body='\t'The whole request instead of these options'
      test $argv[1] = args; and printf '%s\n' '@subscribers'
    case 'subscribers credentials delete' 'subscribers credentials rm' 'subscriber credentials delete' 'subscriber credentials rm'
      test $argv[1] = args; and printf '%s\n' '@subscribers' '@providers'
    case 'subscribers preferences' 'subscriber preferences'
      test $argv[1] = children; and printf '%s\n' 'get'\t'Show the preferences of a subscriber: workflow × channel, and the week' 'update'\t'Change the preferences of a subscriber, global or for one workflow'
    case 'subscribers preferences get' 'subscribers preferences show' 'subscriber preferences get' 'subscriber preferences show'
      test $argv[1] = options; and printf '%s\n' '--criticality=critical|nonCritical|all'\t'Which workflows'
      test $argv[1] = args; and printf '%s\n' '@subscribers'
    case 'subscribers preferences update' 'subscriber preferences update'
      test $argv[1] = options; and printf '%s\n' '--workflow=@workflows'\t'For this workflow; else global' '--email=on|off'\t'Switch e-mail on or off' '--sms=on|off'\t'Switch SMS on or off' '--in-app=on|off'\t'Switch the inbox on or off' '--chat=on|off'\t'Switch chat on or off' '--push=on|off'\t'Switch push on or off' '--schedule=on|off'\t'Keep to the hours, or do not' '--hours='\t'Hours of days: mon-fri="09:00 AM-05:00 PM", sat=off' '--schedule-data='\t'The whole schedule' '--body='\t'The whole request instead of these options'
      test $argv[1] = args; and printf '%s\n' '@subscribers'
    case 'inbox'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List the in-app notifications of a subscriber, newest first' 'mark'\t'Mark in-app notifications read, unread, seen or unseen'
    case 'inbox list' 'inbox ls'
      test $argv[1] = options; and printf '%s\n' '--read'\t'Only those that were read' '--unread'\t'Only those that were not' '--seen'\t'Only those that were seen' '--unseen'\t'Only those that were not' '--payload='\t'Only those whose payload holds these members' '--limit='\t'How many in all' '--all'\t'Every one there is' '--page-size='\t'How many one request asks for' '--page-info'\t'In JSON, wrap the items with totals and cursors: {items, page}' '--page='\t'Start with this page, from 0'
      test $argv[1] = args; and printf '%s\n' '@subscribers'
    case 'inbox mark'
      test $argv[1] = options; and printf '%s\n' '--read'\t'Only those that were read' '--unread'\t'Only those that were not' '--seen'\t'Only those that were seen' '--unseen'\t'Only those that were not' '--payload='\t'Only those whose payload holds these members' '--all'\t'Every notification that the filters match' '--format=csv|ndjson|json|lines'\t'Format of the input; by default detected from file name and content' '--delimiter='\t'Delimiter of CSV cells; by default detected' '--skip='\t'Skip the first n rows' '--take='\t'Process at most n rows' '--spool'\t'Copy standard input to a file first, so that the run can be resumed' '--fail-on-empty'\t'Exit with code 2 if the input has no rows, instead of a warning' '--validate-only'\t'Validate every row without sending' '--concurrency='\t'Max concurrent requests; adapts to the service' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail' '--resume=@runs'\t'Resume a run that stopped early' '--rejects=@files'\t'File for rejected rows; by default in the folder of the run' '--force'\t'Overwrite an existing rejects file'
      test $argv[1] = args; and printf '%s\n' '@subscribers' 'read|seen|unread|unseen' '*'
    case 'topics' 'topic'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List topics' 'get'\t'Show a topic' 'rename'\t'Rename a topic; its key stays' 'subscribe'\t'Subscribe subscribers to a topic'
    case 'topics list' 'topics ls' 'topic list' 'topic ls'
      test $argv[1] = options; and printf '%s\n' '--key='\t'Only topics whose key contains this' '--name='\t'Only topics whose name contains this' '--limit='\t'How many in all' '--all'\t'Every one there is' '--page-size='\t'How many one request asks for' '--page-info'\t'In JSON, wrap the items with totals and cursors: {items, page}' '--order-by='\t'Sort by this field' '--order=asc|desc'\t'Sorting direction' '--after='\t'Start behind this cursor' '--before='\t'End before this cursor, walking backwards' '--include-cursor'\t'Include the item of the cursor'
    case 'topics get' 'topics show' 'topic get' 'topic show'
      test $argv[1] = args; and printf '%s\n' '@topics'
    case 'topics rename' 'topic rename'
      test $argv[1] = args; and printf '%s\n' '@topics' '-'
    case 'topics subscribe' 'topic subscribe'
      test $argv[1] = options; and printf '%s\n' '--create'\t'Create the topic if it does not exist' '--file=@files'\t'A list of subscribers: one id a line, or a CSV, NDJSON or JSON file' '--format=csv|ndjson|json|lines'\t'Format of the input; by default detected from file name and content' '--delimiter='\t'Delimiter of CSV cells; by default detected' '--skip='\t'Skip the first n rows' '--take='\t'Process at most n rows' '--spool'\t'Copy standard input to a file first, so that the run can be resumed' '--fail-on-empty'\t'Exit with code 2 if the input has no rows, instead of a warning' '--validate-only'\t'Validate every row without sending' '--concurrency='\t'Max concurrent requests; adapts to the service' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail' '--resume=@runs'\t'Resume a run that stopped early' '--rejects=@files'\t'File for rejected rows; by default in the folder of the run' '--force'\t'Overwrite an existing rejects file'
      test $argv[1] = args; and printf '%s\n' '@topics' '@subscribers*'
    case 'workflows' 'workflow'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List workflows' 'get'\t'Show a workflow with its steps and their issues' 'step'\t'Show one step of a workflow with its control values and issues'
    case 'workflows list' 'workflows ls' 'workflow list' 'workflow ls'
      test $argv[1] = options; and printf '%s\n' '--query='\t'Only workflows whose name or identifier contains this' '--tag='\t'Only workflows with this tag' '--status=ACTIVE|INACTIVE|ERROR'\t'Only workflows of this status' '--order-by=createdAt|updatedAt|name|lastTriggeredAt'\t'Sort by this field' '--order=asc|desc'\t'Sorting direction' '--limit='\t'How many in all' '--all'\t'Every one there is' '--page-size='\t'How many one request asks for' '--page-info'\t'In JSON, wrap the items with totals and cursors: {items, page}' '--offset='\t'Skip this many'
    case 'workflows get' 'workflows show' 'workflow get' 'workflow show'
      test $argv[1] = options; and printf '%s\n' '--environment-id='\t'Look in this environment'
      test $argv[1] = args; and printf '%s\n' '@workflows'
    case 'workflows step' 'workflow step'
      test $argv[1] = args; and printf '%s\n' '@workflows' '@steps'
    case 'events' 'event'
      test $argv[1] = children; and printf '%s\n' 'trigger'\t'Trigger a workflow for one or more recipients, or many events from a file' 'cancel'\t'Cancel the pending jobs of transactions'
    case 'events trigger' 'event trigger'
      test $argv[1] = options; and printf '%s\n' '--to=@subscribers'\t'A subscriber; created if unknown' '--to-data='\t'A subscriber with fields, created or updated' '--to-topic=@topics'\t'All subscribers of a topic' '--existing-only'\t'Check that the subscribers exist, instead of creating them' '--payload='\t'Data for the templates' '-f='\t'One member of the payload; a.b=x nests' '--field='\t'One member of the payload; a.b=x nests' '-F='\t'The same with a JSON value' '--json-field='\t'The same with a JSON value' '--overrides='\t'Overrides keyed by provider' '--context=@contexts'\t'A context; created if unknown' '--actor='\t'Who caused it; left out of topics' '--tenant='\t'The tenant it belongs to' '--transaction-id='\t'Transaction id; generated by default' '--wait'\t'Wait until every job has a final status (settled, the default) or until every recipient got a message' '--wait:=settled'\t'Wait until every job has a final status (settled, the default) or until every recipient got a message' '--wait:=delivered'\t'Wait until every job has a final status (settled, the default) or until every recipient got a message' '--wait-timeout='\t'Longest time to wait; implies --wait' '--require=in_app|email|sms|chat|push'\t'Exit with 9 unless this channel reached every recipient; implies --wait' '--file=@files'\t'A file of events: NDJSON or a JSON array' '--recipients=@files'\t'Trigger one event per row; payload.* columns go to the payload' '--update-subscribers'\t'Send the other columns as fields of the subscriber' '--map='\t'Fill a field from this column; a column can fill several fields' '--data-column='\t'Send these columns as custom data' '--data-rest'\t'Send all unknown columns or keys as custom data' '--infer'\t'Send numbers, true, false and null in data as such, not as text' '--empty=skip|null'\t'Skip an empty cell or send null' '--format=csv|ndjson|json|lines'\t'Format of the input; by default detected from file name and content' '--delimiter='\t'Delimiter of CSV cells; by default detected' '--skip='\t'Skip the first n rows' '--take='\t'Process at most n rows' '--spool'\t'Copy standard input to a file first, so that the run can be resumed' '--fail-on-empty'\t'Exit with code 2 if the input has no rows, instead of a warning' '--validate-only'\t'Validate every row without sending' '--concurrency='\t'Max concurrent requests; adapts to the service' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail' '--resume=@runs'\t'Resume a run that stopped early' '--rejects=@files'\t'File for rejected rows; by default in the folder of the run' '--force'\t'Overwrite an existing rejects file'
      test $argv[1] = args; and printf '%s\n' '@workflows'
    case 'events cancel' 'event cancel'
      test $argv[1] = options; and printf '%s\n' '--run=@runs'\t'Every transaction of a run of `svc events trigger`' '--wait-timeout='\t'Longest time to wait for jobs that the service has not created yet' '--format=csv|ndjson|json|lines'\t'Format of the input; by default detected from file name and content' '--delimiter='\t'Delimiter of CSV cells; by default detected' '--skip='\t'Skip the first n rows' '--take='\t'Process at most n rows' '--spool'\t'Copy standard input to a file first, so that the run can be resumed' '--fail-on-empty'\t'Exit with code 2 if the input has no rows, instead of a warning' '--validate-only'\t'Validate every row without sending' '--concurrency='\t'Max concurrent requests; adapts to the service' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail' '--resume=@runs'\t'Resume a run that stopped early' '--rejects=@files'\t'File for rejected rows; by default in the folder of the run' '--force'\t'Overwrite an existing rejects file'
      test $argv[1] = args; and printf '%s\n' '@transactions*'
    case 'activity'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List triggered events with their status, newest first' 'get'\t'Show the timeline of a transaction: recipients, jobs and details'
    case 'activity list' 'activity ls'
      test $argv[1] = options; and printf '%s\n' '--channel=in_app|email|sms|chat|push'\t'Only events with a step of this channel' '--workflow=@workflows'\t'Only events of this workflow' '--email='\t'Only events for this e-mail address' '--subscriber=@subscribers'\t'Only events for this subscriber' '--severity=high|medium|low|none'\t'Only events of this severity' '--topic=@topics'\t'Only events that reached the subscriber by this topic' '--transaction=@transactions'\t'Only events of this transaction' '--context=@contexts'\t'Only events with exactly these contexts' '--since='\t'Only events after this moment' '--until='\t'Only events before this moment' '--follow'\t'Go on showing what comes, oldest first, until Ctrl-C' '--limit='\t'How many in all' '--all'\t'Every one there is' '--page-size='\t'How many one request asks for' '--page-info'\t'In JSON, wrap the items with totals and cursors: {items, page}' '--page='\t'Start with this page, from 0'
    case 'activity get' 'activity show'
      test $argv[1] = options; and printf '%s\n' '--follow'\t'Wait until every job has a final status, and print what happens'
      test $argv[1] = args; and printf '%s\n' '@transactions'
    case 'contexts' 'context'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List contexts' 'get'\t'Show a context'
    case 'contexts list' 'contexts ls' 'context list' 'context ls'
      test $argv[1] = options; and printf '%s\n' '--id='\t'Only contexts with this id' '--type=@contextTypes'\t'Only contexts of this type' '--search='\t'Only contexts whose type:id contains this' '--limit='\t'How many in all' '--all'\t'Every one there is' '--page-size='\t'How many one request asks for' '--page-info'\t'In JSON, wrap the items with totals and cursors: {items, page}' '--order-by='\t'Sort by this field' '--order=asc|desc'\t'Sorting direction' '--after='\t'Start behind this cursor' '--before='\t'End before this cursor, walking backwards' '--include-cursor'\t'Include the item of the cursor'
    case 'contexts get' 'contexts show' 'context get' 'context show'
      test $argv[1] = args; and printf '%s\n' '@contexts' '-'
    case 'integrations' 'integration'
      test $argv[1] = children; and printf '%s\n' 'update'\t'Update an integration' 'enable'\t'Activate an integration' 'disable'\t'Deactivate an integration; it delivers nothing until it is active again' 'delete'\t'Delete an integration, irreversibly; shows those that remain'
    case 'integrations update' 'integration update'
      test $argv[1] = options; and printf '%s\n' '--name='\t'Name in the web interface' '--identifier='\t'Identifier, unique in the environment' '--environment-id='\t'Move it to this environment' '--active'\t'Make it active, which checks its credentials, or inactive' '--no-active'\t'Make it active, which checks its credentials, or inactive' '--check'\t'Check the credentials, or do not' '--no-check'\t'Check the credentials, or do not' '--credential='\t'A credential: key=@file, key=env:NAME, key==text as it is, or key alone to be asked' '--configuration='\t'inboundWebhookEnabled or inboundWebhookSigningKey' '--conditions='\t'Conditions, a JSON array' '--body='\t'The whole request instead of these options'
      test $argv[1] = args; and printf '%s\n' '@integrations'
    case 'integrations enable' 'integration enable'
      test $argv[1] = args; and printf '%s\n' '@integrations'
    case 'integrations disable' 'integration disable'
      test $argv[1] = args; and printf '%s\n' '@integrations'
    case 'integrations delete' 'integrations rm' 'integration delete' 'integration rm'
      test $argv[1] = args; and printf '%s\n' '@integrations'
    case 'environments' 'environment'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List the environments of the organization' 'create'\t'Create an environment in the organization'
    case 'environments list' 'environments ls' 'environment list' 'environment ls'
      test $argv[1] = options; and printf '%s\n' '--save-profiles'\t'Store one profile for each environment'
    case 'environments create' 'environment create'
      test $argv[1] = options; and printf '%s\n' '--color='\t'Colour of the environment, as hex; required' '--save-profile='\t'Store its key as a profile with this name' '--parent='\t'Id of the parent environment'
      test $argv[1] = args; and printf '%s\n' '-'
    case 'runs' 'run'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List bulk runs, newest first' 'show'\t'Show a run: command, input, counts and rejects file' 'resume'\t'Resume a run that ended early' 'delete'\t'Delete a run with its journal and rejects'
    case 'runs list' 'runs ls' 'run list' 'run ls'
    case 'runs show' 'run show'
      test $argv[1] = args; and printf '%s\n' '@runs'
    case 'runs resume' 'run resume'
      test $argv[1] = options; and printf '%s\n' '--concurrency='\t'Most requests at a time' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail from here on'
      test $argv[1] = args; and printf '%s\n' '@runs'
    case 'runs delete' 'runs rm' 'run delete' 'run rm'
      test $argv[1] = args; and printf '%s\n' '@runs'
    case 'sandbox'
      test $argv[1] = children; and printf '%s\n' 'start'\t'Start the sandbox and make a profile for it' 'status'\t'Show whether the sandbox runs, and its contents' 'stop'\t'Stop the sandbox after its open requests' 'reset'\t'Reset the sandbox to its seed data; API keys are kept' 'clock'\t'The time in the sandbox: what it is, and moving it' 'messages'\t'What the sandbox would have sent: captured messages of every channel' 'faults'\t'What goes wrong on purpose, to see how a program copes' 'seed'\t'Replace the state of the sandbox with a YAML or JSON file' 'export'\t'Write the state of the sandbox as one YAML file'
    case 'sandbox start'
      test $argv[1] = options; and printf '%s\n' '--port='\t'Port to listen on; 0 takes a free one' '--host='\t'Address to listen on' '--allow-host='\t'Answer requests for this host name too; needed beyond loopback' '--data=@files'\t'Keep the data here; else in a folder of the profile' '--in-memory'\t'Keep no data: everything is gone when it stops' '--seed=@files'\t'What an empty sandbox begins with, and a reset goes back to' '--envelope'\t'Wrap responses in {"data": …}, as some servers do' '--time='\t'The time in the sandbox at the start; else the real one' '--frozen'\t'Time stands still, but for `svc sandbox clock`' '--detach'\t'Run in the background; return when it accepts connections' '--profile-name='\t'Name of the profile that it makes' '--no-profile'\t'Make no profile; without --data, delete the data at the stop' '--reuse'\t'If the sandbox of the profile already runs, print its facts and end' '--latency='\t'Let every request wait: 100ms' '--fail='\t'Refuse this share of the requests, before anything is done: 5%' '--status='\t'What a failed request is answered' '--rate-limit=free|pro|team|enterprise'\t'Hold the rate limits of this plan' '--reset='\t'Cut the connection of this share, before anything is done' '--truncate='\t'Cut the connection in the middle of the answer' '--after-commit='\t'Do the work, then fail or cut the connection' '--fault-seed='\t'The same seed makes the same faults'
    case 'sandbox status'
    case 'sandbox stop'
    case 'sandbox reset'
    case 'sandbox clock'
      test $argv[1] = children; and printf '%s\n' 'show'\t'Show the time in the sandbox' 'advance'\t'Advance the time in the sandbox and run everything due in between' 'set'\t'Set the time in the sandbox and run everything due until then'
    case 'sandbox clock show'
    case 'sandbox clock advance'
      test $argv[1] = args; and printf '%s\n' '-'
    case 'sandbox clock set'
      test $argv[1] = args; and printf '%s\n' '-'
    case 'sandbox messages'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List captured messages of every channel, newest first' 'get'\t'Show a captured message with recipient and content'
    case 'sandbox messages list' 'sandbox messages ls'
      test $argv[1] = options; and printf '%s\n' '--subscriber=@subscribers'\t'Only messages to this subscriber' '--channel=in_app|email|sms|chat|push'\t'Only messages of this channel' '--transaction=@transactions'\t'Only messages of this transaction' '--limit='\t'How many in all' '--all'\t'Every one there is' '--page-size='\t'How many one request asks for' '--page-info'\t'In JSON, wrap the items with totals and cursors: {items, page}' '--page='\t'Start with this page, from 0'
    case 'sandbox messages get' 'sandbox messages show'
      test $argv[1] = args; and printf '%s\n' '-'
    case 'sandbox faults'
      test $argv[1] = children; and printf '%s\n' 'set'\t'Inject faults: latency, errors, rate limits, cut responses' 'show'\t'Show the injected faults' 'clear'\t'Remove all injected faults'
    case 'sandbox faults set'
      test $argv[1] = options; and printf '%s\n' '--latency='\t'Let every request wait: 100ms' '--fail='\t'Refuse this share of the requests, before anything is done: 5%' '--status='\t'What a failed request is answered' '--rate-limit=free|pro|team|enterprise'\t'Hold the rate limits of this plan' '--reset='\t'Cut the connection of this share, before anything is done' '--truncate='\t'Cut the connection in the middle of the answer' '--after-commit='\t'Do the work, then fail or cut the connection' '--fault-seed='\t'The same seed makes the same faults'
    case 'sandbox faults show'
    case 'sandbox faults clear'
    case 'sandbox seed'
      test $argv[1] = args; and printf '%s\n' '@files'
    case 'sandbox export'
      test $argv[1] = options; and printf '%s\n' '--file=@files'\t'Write into this file, for its owner alone; else to standard output'
    case 'demo'
    case 'api'
      test $argv[1] = options; and printf '%s\n' '-f='\t'A member of the body, or of the query with GET; a.b=x nests' '--field='\t'A member of the body, or of the query with GET; a.b=x nests' '-F='\t'The same with a JSON value' '--json-field='\t'The same with a JSON value' '--body='\t'The whole body' '-H='\t'A header more' '--request-header='\t'A header more' '--include'\t'Print the status and headers of the answer too' '--paginate'\t'With GET, ask for page after page and print all items as one array'
      test $argv[1] = args; and printf '%s\n' 'GET|POST|PUT|PATCH|DELETE' '-'
    case 'schema'
      test $argv[1] = args; and printf '%s\n' '-'
    case 'commands'
    case 'completion'
      test $argv[1] = options; and printf '%s\n' '--install'\t'Install it for this user'
      test $argv[1] = args; and printf '%s\n' 'bash|zsh|fish|powershell'
    case 'login'
      test $argv[1] = options; and printf '%s\n' '--with-key'\t'Read the API key from standard input' '--keychain'\t'Keep the key in the keychain of the system' '--protect'\t'Every write to this profile needs its name; the default for an environment named Production' '--no-protect'\t'Every write to this profile needs its name; the default for an environment named Production'
    case 'logout'
    case 'whoami'
    case 'doctor'
    case 'profiles' 'profile'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List the stored profiles' 'use'\t'Make a profile the current one' 'show'\t'Show a profile, without its key' 'rename'\t'Rename a profile' 'delete'\t'Delete a profile with its key'
    case 'profiles list' 'profiles ls' 'profile list' 'profile ls'
    case 'profiles use' 'profile use'
      test $argv[1] = args; and printf '%s\n' '@profiles'
    case 'profiles show' 'profile show'
      test $argv[1] = args; and printf '%s\n' '@profiles'
    case 'profiles rename' 'profile rename'
      test $argv[1] = args; and printf '%s\n' '@profiles' '-'
    case 'profiles delete' 'profiles rm' 'profile delete' 'profile rm'
      test $argv[1] = args; and printf '%s\n' '@profiles'
    case 'config'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List the effective settings and where each value comes from' 'get'\t'Show the effective value of a setting' 'set'\t'Store a setting' 'unset'\t'Remove a stored setting, so that its default applies' 'path'\t'Print the path of the configuration file' 'reset'\t'Delete the configuration file: all profiles, keys and settings'
    case 'config list' 'config ls'
    case 'config get' 'config show'
      test $argv[1] = args; and printf '%s\n' '-'
    case 'config set'
      test $argv[1] = args; and printf '%s\n' '-' '-'
    case 'config unset'
      test $argv[1] = args; and printf '%s\n' '-'
    case 'config path'
    case 'config reset'
    case 'help'
      test $argv[1] = args; and printf '%s\n' 'options|environment|exit-codes|output|bulk|sandbox|subscribers|inbox|topics|workflows|events|activity|contexts|integrations|environments|runs|sandbox|demo|api|schema|commands|completion|login|logout|whoami|doctor|profiles|config'
    case '*'
      return 1
  end
  return 0
end

# Where the values of an option are; fails when it takes none.
function __svc_takes
  for one in (__svc_node options "$argv[1]") (__svc_globals)
    set -l entry (string split -m 1 \t -- $one)[1]
    if string match -q -- "$argv[2]=*" $entry
      string replace -- "$argv[2]=" '' $entry
      return 0
    end
  end
  return 1
end

function __svc_values
  switch "$argv[1]"
    case '' -
    case '@files'
      __fish_complete_path "$argv[2]"
    case '@*'
      command svc __complete (string sub -s 2 -- $argv[1]) $argv[3..-1] 2>/dev/null </dev/null
    case '*'
      string split '|' -- $argv[1]
  end
end

function __svc_complete
  set -l node ''
  set -l option ''
  set -l literal
  set -l positional
  set -l whose
  set -l current (commandline -ct)
  set -l before (commandline -opc)
  for word in $before[2..-1]
    if test -n "$option"
      switch $option
        case -p --profile
          set whose $whose --profile "$word"
        case --base-url
          set whose $whose --base-url "$word"
      end
      set option ''
    else if test -z "$literal" -a "$word" = --
      set literal 1
    else if test -z "$literal"; and string match -q -- '-?*' "$word"
      switch "$word"
        case '--profile=*'
          set whose $whose --profile (string replace -- '--profile=' '' "$word")
        case '--base-url=*'
          set whose $whose --base-url (string replace -- '--base-url=' '' "$word")
        case '*=*'
        case '*'
          __svc_takes "$node" "$word" >/dev/null; and set option "$word"
      end
    else if test (count $positional) -eq 0; and __svc_node none (string trim -- "$node $word")
      set node (string trim -- "$node $word")
    else
      set positional $positional "$word"
    end
  end

  if test -n "$option"
    __svc_values (__svc_takes "$node" "$option") "$current" $whose
  else if test -z "$literal"; and string match -qr -- '^--[a-z-]+=' "$current"
    set -l name (string split -m 1 = -- "$current")
    set -l source (__svc_takes "$node" $name[1]); or return
    for value in (__svc_values "$source" "$name[2]" $whose)
      printf '%s=%s\n' $name[1] $value
    end
  else if test -z "$literal"; and string match -q -- '-*' "$current"
    for one in (__svc_node options "$node") (__svc_globals)
      switch $one
        case '*:=*'
          string replace -- ':=' '=' $one
        case '*'
          string replace -r -- '=[^\t]*' '' $one
      end
    end
  else
    set -l children (__svc_node children "$node")
    if test (count $children) -gt 0
      test (count $positional) -eq 0; and printf '%s\n' $children
      return
    end
    set -l args (__svc_node args "$node")
    set -l index (math (count $positional) + 1)
    if test $index -gt (count $args) -a (count $args) -gt 0; and string match -q -- '*\*' $args[-1]
      set index (count $args)
    end
    test $index -le (count $args); or return
    set -l source (string replace -r -- '\*$' '' $args[$index])
    test "$source" = @steps; and set whose $whose --under "$positional[1]"
    __svc_values "$source" "$current" $whose
  end
end

complete -c svc -e
complete -c svc -f -a '(__svc_complete)'
