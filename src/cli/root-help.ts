// The text of `svc --help`, made from the command tree by `npm run docs`.
export const rootHelp = `Administer a notification delivery service, or its sandbox on this machine.

Usage: svc <noun> <verb> [arguments] [options]

Service:
  subscribers   Recipients: import, create, credentials, preferences
  inbox         In-app notifications of a subscriber: list them, mark them
  topics        Groups of subscribers: list, look up, rename, subscribe
  workflows     Notification workflows and their steps
  events        Trigger workflows, cancel what they started
  activity      What became of triggered events
  contexts      Typed records that notifications refer to
  integrations  Providers that deliver: update, switch, delete
  environments  Stages of the application, each with its own keys

Without an account:
  sandbox  The whole service on this machine
  demo     A tour on a sandbox of its own

Tool:
  api         Send a request of your own to the service
  schema      The operations of the service as data
  commands    All commands of svc as data
  completion  Tab completion for bash, zsh, fish and PowerShell
  login       Store the address and key of a service as a profile
  logout      Forget the key of a profile
  whoami      Show which service, profile and environment hold now
  profiles    Stored services with their keys
  config      Settings and where each comes from

Options:
  -h, --help                   Show help; after a command, its own
  --version                    Show the version
  -p, --profile <name>         Use this profile (SVC_PROFILE)
      --base-url <url>         Address of the service (SVC_BASE_URL)
      --api-key-file <path>    Read the API key from a file (- for standard
                               input) (SVC_API_KEY)
      --timeout <duration>     Longest time for one attempt (default 30s;
                               SVC_TIMEOUT)
      --retries <n>            Most retries of one request (default 4;
                               SVC_RETRIES)
      --max-wait <duration>    Longest wait before one retry (default 60s;
                               SVC_MAX_WAIT)
      --ca-file <path>         Trust the certificates in this PEM file too
                               (SVC_CA_FILE)
      --insecure-http          Allow http:// beyond this machine
                               (SVC_INSECURE_HTTP)
      --idempotency-key <key>  Send this key, so that a repetition is recognised
  -o, --output <format>        Output format (table, json, ndjson, csv, tsv,
                               yaml, ids; SVC_OUTPUT)
      --json                   The same as -o json
      --fields <a,b.c>         Only these fields, in every format
      --jq <expression>        Run a jq expression over the JSON
      --no-header              Leave the header line out
      --csv-safe               In CSV, keep spreadsheets from running values as
                               formulas
      --reveal                 Show secrets that are masked otherwise
  -q, --quiet                  No progress, hints or notes (SVC_QUIET)
      --color <when>           When to use colours (auto, always, never)
      --debug[=body]           Log requests to standard error, secrets redacted
                               (body; SVC_DEBUG)
  -y, --yes                    Answer yes to questions
      --confirm <profile>      Confirm a write to a protected profile by its
                               name
      --no-input               Never ask (SVC_NO_INPUT)
      --dry-run[=curl]         Show the requests that would change something, or
                               curl commands for them; send none (curl)
      --read-only              Refuse everything that would change something
                               (SVC_READ_ONLY)

First steps:
  svc demo                                # a tour that needs no account
  svc sandbox start                       # the service on this machine
  svc login --base-url https://…          # or a real one
  svc subscribers bulk-import users.csv
`;
