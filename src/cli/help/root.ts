// The text of `svc --help`, generated from the command tree by `npm run docs`.
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

Tool:
  runs        Bulk runs: what they did, resuming one
  api         Send a request of your own to the service
  schema      The operations of the service as data
  commands    All commands of svc as data
  completion  Tab completion for bash, zsh, fish and PowerShell
  login       Store the address and key of a service as a profile
  logout      Forget the key of a profile
  whoami      Show which service, profile and environment hold now
  doctor      Check configuration, key, network and service
  profiles    Stored services with their keys
  config      Settings and where each comes from

Without an account:
  sandbox  The whole service on this machine
  demo     A tour on a sandbox of its own

Options:
  -h, --help             Show help; after a command, its own
  --version              Show the version
  -p, --profile <name>   Use this profile
  -o, --output <format>  table, json, ndjson, csv, tsv, yaml or ids; --json is
                         -o json
  --dry-run              Show what would be sent, and send no write
  -y, --yes              Answer yes to questions

More:
  svc help options      The options that every command takes
  svc help environment  Variables, files and folders, and what wins over what
  svc help exit-codes   The ways in which a command ends
  svc help output       Tables, data, ids, fields, jq, and what goes where
  svc help bulk         Sending many: files, batches, rejects, resuming
  svc help sandbox      The service on this machine, its clock, messages and
                        faults

First steps:
  svc demo                                # a tour that needs no account
  svc sandbox start                       # the service on this machine
  svc login --base-url https://…          # or a real one
  svc subscribers bulk-import users.csv -p sandbox
`;
