# Completion of svc for fish, made from its commands by `npm run docs`.
# Put it into ~/.config/fish/completions, or install it with: svc completion fish --install

function __svc_globals
  printf '%s\n' '--help'\t'Show help' '-p=@profiles'\t'Use this profile' '--profile=@profiles'\t'Use this profile' '--base-url='\t'Address of the service' '--api-key-file=@files'\t'Read the API key from a file (- for standard input)' '--timeout='\t'Longest time for one attempt' '--retries='\t'Most retries of one request' '--max-wait='\t'Longest wait before one retry' '--ca-file=@files'\t'Trust the certificates in this PEM file too' '--insecure-http'\t'Allow http:// beyond this machine' '--idempotency-key='\t'Send this key, so that a repetition is recognised' '-o=table|json|ndjson|csv|tsv|yaml|ids'\t'Output format' '--output=table|json|ndjson|csv|tsv|yaml|ids'\t'Output format' '--json'\t'The same as -o json' '--fields='\t'Only these fields, in every format' '--jq='\t'Run a jq expression over the JSON' '--no-header'\t'Leave the header line out' '--csv-safe'\t'In CSV, keep spreadsheets from running values as formulas' '--reveal'\t'Show secrets that are masked otherwise' '-q'\t'No progress, hints or notes' '--quiet'\t'No progress, hints or notes' '--color=auto|always|never'\t'When to use colours' '--debug'\t'Log requests to standard error, secrets redacted' '--debug:=body'\t'Log requests to standard error, secrets redacted' '-y'\t'Answer yes to questions' '--yes'\t'Answer yes to questions' '--confirm='\t'Confirm a write to a protected profile by its name' '--no-input'\t'Never ask' '--dry-run'\t'Show the requests that would change something, or curl commands for them; send none' '--dry-run:=curl'\t'Show the requests that would change something, or curl commands for them; send none' '--read-only'\t'Refuse everything that would change something' '--no-color'\t'The same as --color never'
end

# Prints children, options or args of a command; fails when there is none of that name.
function __svc_node
  switch "$argv[2]"
    case ''
      test $argv[1] = children; and printf '%s\n' 'subscribers'\t'Import and create subscribers, set credentials and preferences' 'inbox'\t'List and mark the in-app notifications of a subscriber' 'topics'\t'List, show and rename topics, subscribe subscribers to them' 'workflows'\t'List and show workflows and their steps' 'events'\t'Trigger workflows and cancel triggered events' 'activity'\t'Show what happened to triggered events' 'contexts'\t'List and show contexts, the records that notifications refer to' 'integrations'\t'Update, enable, disable and delete provider integrations' 'environments'\t'List and create environments, save their keys as profiles' 'runs'\t'List, show, resume and remove bulk runs' 'sandbox'\t'Run a local emulator of the service' 'demo'\t'Take a tour in a temporary sandbox' 'api'\t'Send a custom request to the service' 'schema'\t'Print the operations of the service as data' 'commands'\t'Print all commands of svc as data' 'completion'\t'Set up tab completion for bash, zsh, fish and PowerShell' 'login'\t'Store the address and key of a service as a profile' 'logout'\t'Remove the key of a profile' 'whoami'\t'Show the active service, profile and environment' 'doctor'\t'Check configuration, key, network and service' 'profiles'\t'Manage profiles, the stored addresses and keys of services' 'config'\t'Show and change settings' 'help'\t'Help on a command or a topic'
      test $argv[1] = options; and printf '%s\n' '--version'\t'Show the version'
    case 'subscribers' 'subscriber'
      test $argv[1] = children; and printf '%s\n' 'bulk-import'\t'Create or update any number of subscribers from CSV, NDJSON or a JSON array' 'create'\t'Create a subscriber, or update the given fields of an existing one' 'credentials'\t'Set and delete the chat addresses and device tokens by which providers reach a subscriber' 'preferences'\t'Show and change which channels and workflows notify a subscriber, and at which hours'
    case 'subscribers bulk-import' 'subscribers import' 'subscriber bulk-import' 'subscriber import'
      test $argv[1] = options; and printf '%s\n' '--map='\t'Fill a field from this column; a column can fill several fields' '--data-column='\t'Send these columns as custom data' '--data-rest'\t'Send all unknown columns or keys as custom data' '--infer'\t'Send numbers, true, false and null in data as such, not as text' '--empty=skip|null'\t'What an empty cell means' '--format=csv|ndjson|json|lines'\t'Format of the input; else guessed from name and content' '--delimiter='\t'Between CSV cells; else guessed' '--skip='\t'Skip the first n rows' '--take='\t'Process at most n rows' '--spool'\t'Keep a copy of standard input first, so that the run can be resumed' '--fail-on-empty'\t'Exit with 2 when the input has no rows, instead of warning' '--validate-only'\t'Check every row without sending' '--concurrency='\t'Max concurrent requests; adapts to the service' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail' '--resume=@runs'\t'Resume a run that ended early' '--rejects=@files'\t'Where rejected rows go; else in the folder of the run' '--force'\t'Replace a rejects file that exists'
      test $argv[1] = args; and printf '%s\n' '@files'
    case 'subscribers create' 'subscriber create'
      test $argv[1] = options; and printf '%s\n' '--first-name='\t'First name' '--last-name='\t'Last name' '--email='\t'E-mail address' '--phone='\t'Phone number' '--avatar='\t'URL of a picture' '--locale='\t'Locale such as en or en-US' '--timezone='\t'IANA time zone such as Europe/Berlin' '--data='\t'Custom data as a JSON object'
      test $argv[1] = args; and printf '%s\n' '@subscribers'
    case 'subscribers credentials' 'subscriber credentials'
      test $argv[1] = children; and printf '%s\n' 'set'\t'Set the credentials of a provider for a subscriber' 'delete'\t'Delete the credentials of a provider from a subscriber'
    case 'subscribers credentials set' 'subscriber credentials set'
      test $argv[1] = options; and printf '%s\n' '--provider=@providers'\t'Id of the provider; required' '--force-provider'\t'Send an unknown provider id anyway' '--integration='\t'Identifier of the integration, if the provider has several' '--webhook-url='\t'Webhook URL of the chat, as @file, env:NAME, or the text itself' '--channel='\t'Channel (Mattermost)' '--device-token='\t'Device token to add, as @file, env:NAME, or the text itself' '--clear-device-tokens'\t'Remove all device tokens' '--alert-uid='\t'Alert UID (Grafana OnCall)' '--title='\t'Title (Grafana OnCall)' '--image-url='\t'URL of an image (Grafana OnCall)' '--state='\t'State (Grafana OnCall)' '--external-url='\t'External URL (Grafana OnCall)' '--body='\t'The whole request body, instead of these options'
      test $argv[1] = args; and printf '%s\n' '@subscribers'
    case 'subscribers credentials delete' 'subscribers credentials rm' 'subscriber credentials delete' 'subscriber credentials rm'
      test $argv[1] = args; and printf '%s\n' '@subscribers' '@providers'
    case 'subscribers preferences' 'subscriber preferences'
      test $argv[1] = children; and printf '%s\n' 'get'\t'Show the preferences of a subscriber by workflow and channel, and the schedule' 'update'\t'Change the preferences of a subscriber, globally or for one workflow'
    case 'subscribers preferences get' 'subscribers preferences show' 'subscriber preferences get' 'subscriber preferences show'
      test $argv[1] = options; and printf '%s\n' '--criticality=critical|nonCritical|all'\t'Show only workflows of this criticality'
      test $argv[1] = args; and printf '%s\n' '@subscribers'
    case 'subscribers preferences update' 'subscriber preferences update'
      test $argv[1] = options; and printf '%s\n' '--workflow=@workflows'\t'Change the preferences for this workflow; global if omitted' '--email=on|off'\t'Turn e-mail on or off' '--sms=on|off'\t'Turn SMS on or off' '--in-app=on|off'\t'Turn the inbox on or off' '--chat=on|off'\t'Turn chat on or off' '--push=on|off'\t'Turn push on or off' '--schedule=on|off'\t'Turn the schedule on or off' '--hours='\t'Hours of some days, such as mon-fri="09:00 AM-05:00 PM" or sat=off' '--schedule-data='\t'The whole schedule as JSON' '--body='\t'The whole request body, instead of these options'
      test $argv[1] = args; and printf '%s\n' '@subscribers'
    case 'inbox'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List the in-app notifications of a subscriber, newest first' 'mark'\t'Mark in-app notifications read, unread, seen or unseen'
    case 'inbox list' 'inbox ls'
      test $argv[1] = options; and printf '%s\n' '--read'\t'Only those that were read' '--unread'\t'Only those that were not' '--seen'\t'Only those that were seen' '--unseen'\t'Only those that were not' '--payload='\t'Only those whose payload holds these members' '--limit='\t'How many in all' '--all'\t'Every one there is' '--page-size='\t'How many one request asks for' '--page-info'\t'In JSON, wrap the items with totals and cursors: {items, page}' '--page='\t'Start with this page, from 0'
      test $argv[1] = args; and printf '%s\n' '@subscribers'
    case 'inbox mark'
      test $argv[1] = options; and printf '%s\n' '--read'\t'Only those that were read' '--unread'\t'Only those that were not' '--seen'\t'Only those that were seen' '--unseen'\t'Only those that were not' '--payload='\t'Only those whose payload holds these members' '--all'\t'Every notification that the filters match' '--format=csv|ndjson|json|lines'\t'Format of the input; else guessed from name and content' '--delimiter='\t'Between CSV cells; else guessed' '--skip='\t'Skip the first n rows' '--take='\t'Process at most n rows' '--spool'\t'Keep a copy of standard input first, so that the run can be resumed' '--fail-on-empty'\t'Exit with 2 when the input has no rows, instead of warning' '--validate-only'\t'Check every row without sending' '--concurrency='\t'Max concurrent requests; adapts to the service' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail' '--resume=@runs'\t'Resume a run that ended early' '--rejects=@files'\t'Where rejected rows go; else in the folder of the run' '--force'\t'Replace a rejects file that exists'
      test $argv[1] = args; and printf '%s\n' '@subscribers' 'read|seen|unread|unseen' '*'
    case 'topics' 'topic'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List topics' 'get'\t'Show a topic' 'rename'\t'Rename a topic without changing its key' 'subscribe'\t'Add subscribers to a topic'
    case 'topics list' 'topics ls' 'topic list' 'topic ls'
      test $argv[1] = options; and printf '%s\n' '--key='\t'Only topics whose key contains this' '--name='\t'Only topics whose name contains this' '--limit='\t'How many in all' '--all'\t'Every one there is' '--page-size='\t'How many one request asks for' '--page-info'\t'In JSON, wrap the items with totals and cursors: {items, page}' '--order-by='\t'Sort by this field' '--order=asc|desc'\t'Sorting direction' '--after='\t'Start behind this cursor' '--before='\t'End before this cursor, walking backwards' '--include-cursor'\t'Include the item of the cursor'
    case 'topics get' 'topics show' 'topic get' 'topic show'
      test $argv[1] = args; and printf '%s\n' '@topics'
    case 'topics rename' 'topic rename'
      test $argv[1] = args; and printf '%s\n' '@topics' '-'
    case 'topics subscribe' 'topic subscribe'
      test $argv[1] = options; and printf '%s\n' '--create'\t'Create the topic if it does not exist' '--file=@files'\t'File of subscribers: one id per line, CSV, NDJSON or JSON' '--format=csv|ndjson|json|lines'\t'Format of the input; else guessed from name and content' '--delimiter='\t'Between CSV cells; else guessed' '--skip='\t'Skip the first n rows' '--take='\t'Process at most n rows' '--spool'\t'Keep a copy of standard input first, so that the run can be resumed' '--fail-on-empty'\t'Exit with 2 when the input has no rows, instead of warning' '--validate-only'\t'Check every row without sending' '--concurrency='\t'Max concurrent requests; adapts to the service' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail' '--resume=@runs'\t'Resume a run that ended early' '--rejects=@files'\t'Where rejected rows go; else in the folder of the run' '--force'\t'Replace a rejects file that exists'
      test $argv[1] = args; and printf '%s\n' '@topics' '@subscribers*'
    case 'workflows' 'workflow'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List workflows' 'get'\t'Show a workflow with its steps and their issues' 'step'\t'Show one step of a workflow with its control values and issues'
    case 'workflows list' 'workflows ls' 'workflow list' 'workflow ls'
      test $argv[1] = options; and printf '%s\n' '--query='\t'Only workflows whose name or identifier contains this' '--tag='\t'Only workflows with this tag' '--status=ACTIVE|INACTIVE|ERROR'\t'Only workflows with this status' '--order-by=createdAt|updatedAt|name|lastTriggeredAt'\t'Sort by this field' '--order=asc|desc'\t'Sorting direction' '--limit='\t'How many in all' '--all'\t'Every one there is' '--page-size='\t'How many one request asks for' '--page-info'\t'In JSON, wrap the items with totals and cursors: {items, page}' '--offset='\t'Skip the first n workflows'
    case 'workflows get' 'workflows show' 'workflow get' 'workflow show'
      test $argv[1] = options; and printf '%s\n' '--environment-id='\t'Read the workflow from this environment'
      test $argv[1] = args; and printf '%s\n' '@workflows'
    case 'workflows step' 'workflow step'
      test $argv[1] = args; and printf '%s\n' '@workflows' '@steps'
    case 'events' 'event'
      test $argv[1] = children; and printf '%s\n' 'trigger'\t'Trigger a workflow for one or more recipients, or many events from a file' 'cancel'\t'Cancel the pending jobs of transactions'
    case 'events trigger' 'event trigger'
      test $argv[1] = options; and printf '%s\n' '--to=@subscribers'\t'A subscriber; created if unknown' '--to-data='\t'A subscriber with fields, created or updated' '--to-topic=@topics'\t'All subscribers of a topic' '--existing-only'\t'Check that the subscribers exist, instead of creating them' '--payload='\t'Data for the templates' '-f='\t'One member of the payload; a.b=x nests' '--field='\t'One member of the payload; a.b=x nests' '-F='\t'The same with a JSON value' '--json-field='\t'The same with a JSON value' '--overrides='\t'Overrides keyed by provider' '--context=@contexts'\t'A context; created if unknown' '--actor='\t'Who caused it; left out of topics' '--tenant='\t'The tenant it belongs to' '--transaction-id='\t'Transaction id; generated by default' '--wait'\t'Wait until every job has a final status (settled, the default) or until every recipient got a message' '--wait:=settled'\t'Wait until every job has a final status (settled, the default) or until every recipient got a message' '--wait:=delivered'\t'Wait until every job has a final status (settled, the default) or until every recipient got a message' '--wait-timeout='\t'Longest time to wait; implies --wait' '--require=in_app|email|sms|chat|push'\t'Exit with 9 unless this channel reached every recipient; implies --wait' '--file=@files'\t'A file of events: NDJSON or a JSON array' '--recipients=@files'\t'Trigger one event per row; payload.* columns go to the payload' '--update-subscribers'\t'Send the other columns as fields of the subscriber' '--map='\t'Fill a field from this column; a column can fill several fields' '--data-column='\t'Send these columns as custom data' '--data-rest'\t'Send all unknown columns or keys as custom data' '--infer'\t'Send numbers, true, false and null in data as such, not as text' '--empty=skip|null'\t'What an empty cell means' '--format=csv|ndjson|json|lines'\t'Format of the input; else guessed from name and content' '--delimiter='\t'Between CSV cells; else guessed' '--skip='\t'Skip the first n rows' '--take='\t'Process at most n rows' '--spool'\t'Keep a copy of standard input first, so that the run can be resumed' '--fail-on-empty'\t'Exit with 2 when the input has no rows, instead of warning' '--validate-only'\t'Check every row without sending' '--concurrency='\t'Max concurrent requests; adapts to the service' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail' '--resume=@runs'\t'Resume a run that ended early' '--rejects=@files'\t'Where rejected rows go; else in the folder of the run' '--force'\t'Replace a rejects file that exists'
      test $argv[1] = args; and printf '%s\n' '@workflows'
    case 'events cancel' 'event cancel'
      test $argv[1] = options; and printf '%s\n' '--run=@runs'\t'Every transaction of a run of `svc events trigger`' '--wait-timeout='\t'Longest time to wait for jobs that the service has not created yet' '--format=csv|ndjson|json|lines'\t'Format of the input; else guessed from name and content' '--delimiter='\t'Between CSV cells; else guessed' '--skip='\t'Skip the first n rows' '--take='\t'Process at most n rows' '--spool'\t'Keep a copy of standard input first, so that the run can be resumed' '--fail-on-empty'\t'Exit with 2 when the input has no rows, instead of warning' '--validate-only'\t'Check every row without sending' '--concurrency='\t'Max concurrent requests; adapts to the service' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail' '--resume=@runs'\t'Resume a run that ended early' '--rejects=@files'\t'Where rejected rows go; else in the folder of the run' '--force'\t'Replace a rejects file that exists'
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
      test $argv[1] = children; and printf '%s\n' 'list'\t'List bulk runs, newest first' 'show'\t'Show a run: command, input, counts and rejects file' 'resume'\t'Resume a run that stopped early' 'delete'\t'Delete a run with its journal and rejects' 'prune'\t'Remove old runs with their journals and rejects'
    case 'runs list' 'runs ls' 'run list' 'run ls'
      test $argv[1] = options; and printf '%s\n' '--limit='\t'List at most the n newest runs'
    case 'runs show' 'run show'
      test $argv[1] = args; and printf '%s\n' '@runs'
    case 'runs resume' 'run resume'
      test $argv[1] = options; and printf '%s\n' '--concurrency='\t'Max concurrent requests' '--rate='\t'Max rows per second' '--max-errors='\t'Stop when more rows than this fail after the resume'
      test $argv[1] = args; and printf '%s\n' '@runs'
    case 'runs delete' 'runs rm' 'run delete' 'run rm'
      test $argv[1] = args; and printf '%s\n' '@runs'
    case 'runs prune' 'run prune'
      test $argv[1] = options; and printf '%s\n' '--older-than='\t'Remove only runs older than this' '--include-resumable'\t'Also remove runs that can still be resumed'
    case 'sandbox'
      test $argv[1] = children; and printf '%s\n' 'start'\t'Start the sandbox and create a profile for it' 'status'\t'Show whether the sandbox is running, and what it contains' 'stop'\t'Stop the sandbox after it has finished its open requests' 'reset'\t'Reset the sandbox to its seed data; API keys are kept' 'clock'\t'Show and move the time in the sandbox' 'messages'\t'Show the messages that the sandbox captured instead of sending' 'faults'\t'Inject faults to test how a program handles them' 'seed'\t'Replace the data of the sandbox with a YAML or JSON state file' 'export'\t'Export the state of the sandbox as a YAML file'
    case 'sandbox start'
      test $argv[1] = options; and printf '%s\n' '--port='\t'Port to listen on; 0 selects a free port' '--host='\t'Address to listen on' '--allow-host='\t'Also accept requests for this host name; required beyond loopback' '--data=@files'\t'Folder for the data' '--in-memory'\t'Keep the data in memory; it is lost when the sandbox stops' '--seed=@files'\t'State file to use as the initial data and for resets' '--envelope'\t'Wrap responses in {"data": …}, as some servers do' '--time='\t'Time in the sandbox at the start' '--frozen'\t'Freeze the clock; only `svc sandbox clock` moves it' '--detach'\t'Run in the background; return when it accepts connections' '--profile-name='\t'Name of the profile to create' '--no-profile'\t'Create no profile; without --data, delete the data on stop' '--reuse'\t'If the sandbox of the profile already runs, print its address and exit' '--latency='\t'Delay every request: 100ms' '--fail='\t'Reject this percentage of requests without processing them: 5%' '--status='\t'Status of the responses to failed requests' '--rate-limit=free|pro|team|enterprise'\t'Apply the rate limits of this plan' '--reset='\t'Close the connection for this percentage of requests, unprocessed' '--truncate='\t'Cut off this percentage of responses in the middle' '--after-commit='\t'Process this percentage of requests, then fail or close the connection' '--fault-seed='\t'Seed of the random sequence; the same seed repeats the same faults'
    case 'sandbox status'
    case 'sandbox stop'
    case 'sandbox reset'
    case 'sandbox clock'
      test $argv[1] = children; and printf '%s\n' 'show'\t'Show the time in the sandbox' 'advance'\t'Advance the time in the sandbox and run the jobs that come due' 'set'\t'Set the time in the sandbox and run the jobs due by then'
    case 'sandbox clock show'
    case 'sandbox clock advance'
      test $argv[1] = args; and printf '%s\n' '-'
    case 'sandbox clock set'
      test $argv[1] = args; and printf '%s\n' '-'
    case 'sandbox messages'
      test $argv[1] = children; and printf '%s\n' 'list'\t'List captured messages of every channel, newest first' 'get'\t'Show a captured message with its recipient and content'
    case 'sandbox messages list' 'sandbox messages ls'
      test $argv[1] = options; and printf '%s\n' '--subscriber=@subscribers'\t'Only messages to this subscriber' '--channel=in_app|email|sms|chat|push'\t'Only messages of this channel' '--transaction=@transactions'\t'Only messages of this transaction' '--limit='\t'How many in all' '--all'\t'Every one there is' '--page-size='\t'How many one request asks for' '--page-info'\t'In JSON, wrap the items with totals and cursors: {items, page}' '--page='\t'Start with this page; the first page is 0'
    case 'sandbox messages get' 'sandbox messages show'
      test $argv[1] = args; and printf '%s\n' '-'
    case 'sandbox faults'
      test $argv[1] = children; and printf '%s\n' 'set'\t'Inject faults: latency, errors, rate limits, truncated responses' 'show'\t'Show the injected faults' 'clear'\t'Remove all injected faults'
    case 'sandbox faults set'
      test $argv[1] = options; and printf '%s\n' '--latency='\t'Delay every request: 100ms' '--fail='\t'Reject this percentage of requests without processing them: 5%' '--status='\t'Status of the responses to failed requests' '--rate-limit=free|pro|team|enterprise'\t'Apply the rate limits of this plan' '--reset='\t'Close the connection for this percentage of requests, unprocessed' '--truncate='\t'Cut off this percentage of responses in the middle' '--after-commit='\t'Process this percentage of requests, then fail or close the connection' '--fault-seed='\t'Seed of the random sequence; the same seed repeats the same faults'
    case 'sandbox faults show'
    case 'sandbox faults clear'
    case 'sandbox seed'
      test $argv[1] = args; and printf '%s\n' '@files'
    case 'sandbox export'
      test $argv[1] = options; and printf '%s\n' '--file=@files'\t'Write to this file, readable only by you; default: standard output'
    case 'demo'
    case 'api'
      test $argv[1] = options; and printf '%s\n' '-f='\t'A member of the body, or of the query with GET; a.b=x nests' '--field='\t'A member of the body, or of the query with GET; a.b=x nests' '-F='\t'The same with a JSON value' '--json-field='\t'The same with a JSON value' '--body='\t'The whole body' '-H='\t'A header more' '--request-header='\t'A header more' '--include'\t'Print the status and headers of the answer too' '--paginate'\t'With GET, ask for page after page and print all items as one array'
      test $argv[1] = args; and printf '%s\n' 'GET|POST|PUT|PATCH|DELETE' '-'
    case 'schema'
      test $argv[1] = args; and printf '%s\n' '-'
    case 'commands'
    case 'completion'
      test $argv[1] = options; and printf '%s\n' '--install'\t'Install the script for the current user'
      test $argv[1] = args; and printf '%s\n' 'bash|zsh|fish|powershell'
    case 'login'
      test $argv[1] = options; and printf '%s\n' '--with-key'\t'Read the API key from standard input' '--keychain'\t'Store the key in the system keychain' '--protect'\t'Require the name of the profile for every write; the default for an environment named Production' '--no-protect'\t'Require the name of the profile for every write; the default for an environment named Production'
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
