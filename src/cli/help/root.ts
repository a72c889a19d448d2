// The text of `svc --help`, made from the command tree by `npm run docs`.
export const rootHelp = `Administer a notification delivery service, or a local sandbox of it.

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
  -h, --help             Show help for svc or for a command
  --version              Show the version
  -p, --profile <name>   Use this profile
  -o, --output <format>  table, json, ndjson, csv, tsv, yaml or ids; --json is
                         -o json
  --dry-run              Print the write requests without sending them
  -y, --yes              Answer yes to all questions

More:
  svc help options      Global options
  svc help environment  Environment variables, files and folders, and their
                        precedence
  svc help exit-codes   Exit codes and their meaning
  svc help output       Output formats, fields, jq and standard streams
  svc help bulk         Bulk runs: files, batches, rejects, resuming
  svc help sandbox      The local sandbox: data, clock, messages and faults

First steps:
  svc demo                                # take a tour without an account
  svc sandbox start                       # start a local sandbox
  svc login --base-url https://…          # or connect to a real service
  svc subscribers bulk-import users.csv -p sandbox
`;
