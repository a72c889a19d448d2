// The text of `svc --help`, generated from the command tree by `npm run docs`.
export const rootHelp = `Administer a notification delivery service, or a local emulator of it (the
sandbox).

Usage: svc <noun> <verb> [arguments] [options]

Service:
  subscribers   List, import, change and delete subscribers, their credentials
                and preferences
  inbox         List, count and mark the in-app notifications of a subscriber
  messages      List and delete sent messages of all channels
  topics        List, create, rename and delete topics, add and remove
                subscribers
  workflows     List, change and delete workflows, keep them as files, copy them
                to environments
  diff          Show how two environments differ, or an environment and a folder
  events        Trigger workflows, also for every subscriber, and cancel events
  activity      Show what happened to triggered events
  contexts      List, create, change and delete contexts, the records that
                notifications refer to
  integrations  List, create, change and delete integrations of providers
  environments  List, create, change and delete environments, save their keys as
                profiles

Tool:
  runs        List, show, resume and remove bulk runs
  api         Send any request to the service
  schema      Print the operations of the service and their JSON Schemas
  commands    Print all commands of svc with their options
  completion  Set up tab completion for bash, zsh, fish and PowerShell
  login       Store the address and key of a service as a profile
  logout      Remove the key of a profile
  whoami      Show the active service, profile and environment
  doctor      Check configuration, key, network and service
  profiles    Manage profiles, the stored addresses and keys of services
  config      Show and change settings

Without an account:
  sandbox  Run a local emulator of the service
  demo     Take a tour in a temporary sandbox

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
  svc help sandbox-api  The control routes of the sandbox, for programs in any
                        language

First steps:
  svc demo                                # take a tour without an account
  svc sandbox start                       # start a local sandbox
  svc login --base-url https://…          # or connect to a real service
  svc subscribers bulk-import users.csv -p sandbox
`;
