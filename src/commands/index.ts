// The top-level commands: their lines in `svc --help`, and how each group is loaded when a command line names it.
import type { CommandTree } from '../cli/command.ts';

const service = 'Service';
const tool = 'Tool';

export const commandTree: CommandTree = {
  subscribers: {
    section: service,
    summary: 'Import and change subscribers, credentials and preferences',
    alias: 'subscriber',
    load: async () => (await import('./subscribers/index.ts')).group,
  },
  inbox: {
    section: service,
    summary: 'List, count and change the in-app notifications of a subscriber',
    load: async () => (await import('./inbox/index.ts')).group,
  },
  messages: {
    section: service,
    summary: 'List and delete sent messages of all channels',
    alias: 'message',
    load: async () => (await import('./messages/index.ts')).group,
  },
  topics: {
    section: service,
    summary: 'Change topics, add and remove subscribers',
    alias: 'topic',
    load: async () => (await import('./topics/index.ts')).group,
  },
  workflows: {
    section: service,
    summary: 'Change workflows, keep them as files, copy them',
    alias: 'workflow',
    load: async () => (await import('./workflows/index.ts')).group,
  },
  layouts: {
    section: service,
    summary: 'List, show and delete layouts of e-mails',
    alias: 'layout',
    load: async () => (await import('./layouts/index.ts')).group,
  },
  diff: {
    section: service,
    summary: 'Show how two environments differ, or an environment and files',
    load: async () => (await import('./diff/diff.ts')).diff,
  },
  events: {
    section: service,
    summary: 'Trigger workflows for one or many, and cancel events',
    alias: 'event',
    load: async () => (await import('./events/index.ts')).group,
  },
  activity: {
    section: service,
    summary: 'Show what happened to triggered events, and why',
    load: async () => (await import('./activity/index.ts')).group,
  },
  contexts: {
    section: service,
    summary: 'Change contexts, the records that notifications refer to',
    alias: 'context',
    load: async () => (await import('./contexts/index.ts')).group,
  },
  integrations: {
    section: service,
    summary: 'Change integrations of providers',
    alias: 'integration',
    load: async () => (await import('./integrations/index.ts')).group,
  },
  environments: {
    section: service,
    summary: 'Change environments, keep them as files, save keys',
    alias: 'environment',
    load: async () => (await import('./environments/index.ts')).group,
  },
  runs: {
    section: tool,
    summary: 'List, show, resume and remove bulk runs',
    alias: 'run',
    load: async () => (await import('./runs/index.ts')).group,
  },
  sandbox: {
    section: tool,
    summary: 'Run a local emulator of the service',
    load: async () => (await import('./sandbox/index.ts')).group,
  },
  demo: {
    section: tool,
    summary: 'Take a tour in a temporary sandbox',
    tools: false,
    load: async () => (await import('./demo/demo.ts')).demo,
  },
  api: {
    section: tool,
    summary: 'Send any request to the service',
    tools: false,
    load: async () => (await import('./api/api.ts')).api,
  },
  mcp: {
    section: tool,
    summary: 'Offer the commands as tools to an assistant',
    tools: false,
    load: async () => (await import('./mcp/mcp.ts')).mcp,
  },
  schema: {
    section: tool,
    summary: 'Print the operations of the service and their schemas',
    load: async () => (await import('./schema/schema.ts')).schema,
  },
  commands: {
    section: tool,
    summary: 'Print all commands of svc with their options',
    load: async () => (await import('./schema/commands.ts')).commands,
  },
  completion: {
    section: tool,
    summary: 'Set up tab completion for bash, zsh, fish and PowerShell',
    tools: false,
    load: async () => (await import('./completion/completion.ts')).completion,
  },
  login: {
    section: tool,
    summary: 'Store the address and key of a service as a profile',
    tools: false,
    load: async () => (await import('./session/login.ts')).login,
  },
  logout: {
    section: tool,
    summary: 'Remove the key of a profile',
    tools: false,
    load: async () => (await import('./session/logout.ts')).logout,
  },
  whoami: {
    section: tool,
    summary: 'Show the active service, profile and environment',
    load: async () => (await import('./session/whoami.ts')).whoami,
  },
  doctor: {
    section: tool,
    summary: 'Check configuration, key, network and service',
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  upgrade: {
    section: tool,
    summary: 'Find out what to do before the server is upgraded',
    load: async () => (await import('./upgrade/index.ts')).group,
  },
  profiles: {
    section: tool,
    summary: 'Manage profiles, the stored addresses and keys of services',
    alias: 'profile',
    tools: false,
    load: async () => (await import('./profiles/index.ts')).group,
  },
  config: {
    section: tool,
    summary: 'Show and change settings',
    tools: false,
    load: async () => (await import('./config/index.ts')).group,
  },
};
