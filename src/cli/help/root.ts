// The text of `svc --help`, generated from the command tree by `npm run docs`.
export const rootHelp = `Administer a notification delivery service, or its sandbox on this machine.

Usage: svc <noun> <verb> [arguments] [options]

Service:
  subscribers   Import and create subscribers, set credentials and preferences
  inbox         List and mark the in-app notifications of a subscriber
  topics        List, show and rename topics, subscribe subscribers to them
  workflows     List and show workflows and their steps
  events        Trigger workflows and cancel triggered events
  activity      Show what happened to triggered events
  contexts      List and show contexts, the records that notifications refer to
  integrations  Update, enable, disable and delete provider integrations
  environments  List and create environments, save their keys as profiles

Tool:
  runs        List, show, resume and remove bulk runs
  api         Send a custom request to the service
  schema      Print the operations of the service as data
  commands    Print all commands of svc as data
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
