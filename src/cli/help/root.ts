// The text of `svc --help`, generated from the command tree by `npm run docs`.
export const rootHelp = `Administer a Novu-compatible notification service, or a local emulator of it.
Usage: svc <noun> <verb> [arguments] [options]
First steps: svc sandbox start               # a local emulator, no account
             svc login --base-url https://…  # or your service

Service:
  subscribers   Import and change subscribers, credentials and preferences
  inbox         List, count and change the in-app notifications of a subscriber
  messages      List and delete sent messages of all channels
  topics        Change topics, add and remove subscribers
  workflows     Change workflows, keep them as files, copy them
  layouts       List, show and delete layouts of e-mails
  diff          Show how two environments differ, or an environment and files
  events        Trigger workflows for one or many, and cancel events
  activity      Show what happened to triggered events, and why
  contexts      Change contexts, the records that notifications refer to
  integrations  Change integrations of providers
  environments  Change environments, keep them as files, save keys

Tool:
  runs        List, show, resume and remove bulk runs
  sandbox     Run a local emulator of the service
  demo        Take a tour in a temporary sandbox
  api         Send any request to the service
  mcp         Offer the commands as tools to an assistant
  schema      Print the operations of the service and their schemas
  commands    Print all commands of svc with their options
  completion  Set up tab completion for bash, zsh, fish and PowerShell
  login       Store the address and key of a service as a profile
  logout      Remove the key of a profile
  whoami      Show the active service, profile and environment
  doctor      Check configuration, key, network and service
  upgrade     Find out what to do before the server is upgraded
  profiles    Manage profiles, the stored addresses and keys of services
  config      Show and change settings

Help: \`svc <command> --help\`, or \`svc help\` with a topic:
  importing, campaigns, deliveries, git, replay, testing, sandbox, sandbox-api,
  people, upgrade, ci, agents, security, output, exit-codes, options,
  environment, bulk
`;
