// The nouns: what the top-level help shows, and how each group is loaded when it is named.
import type { LazyGroup } from '../cli/command.ts';

const service = 'Service';
const tool = 'Tool';
const local = 'Without an account';

export const commandTree: Record<string, LazyGroup> = {
  subscribers: {
    section: service,
    summary: 'Recipients: import, create, credentials, preferences',
    alias: 'subscriber',
    load: async () => (await import('./subscribers/index.ts')).group,
  },
  inbox: {
    section: service,
    summary: 'In-app notifications of a subscriber: list them, mark them',
    load: async () => (await import('./inbox/index.ts')).group,
  },
  topics: {
    section: service,
    summary: 'Groups of subscribers: list, look up, rename, subscribe',
    alias: 'topic',
    load: async () => (await import('./topics/index.ts')).group,
  },
  workflows: {
    section: service,
    summary: 'Notification workflows and their steps',
    alias: 'workflow',
    load: async () => (await import('./workflows/index.ts')).group,
  },
  events: {
    section: service,
    summary: 'Trigger workflows, cancel what they started',
    alias: 'event',
    load: async () => (await import('./events/index.ts')).group,
  },
  activity: {
    section: service,
    summary: 'What became of triggered events',
    load: async () => (await import('./activity/index.ts')).group,
  },
  contexts: {
    section: service,
    summary: 'Typed records that notifications refer to',
    alias: 'context',
    load: async () => (await import('./contexts/index.ts')).group,
  },
  integrations: {
    section: service,
    summary: 'Providers that deliver: update, switch, delete',
    alias: 'integration',
    load: async () => (await import('./integrations/index.ts')).group,
  },
  environments: {
    section: service,
    summary: 'Stages of the application, each with its own keys',
    alias: 'environment',
    load: async () => (await import('./environments/index.ts')).group,
  },
  sandbox: {
    section: local,
    summary: 'The whole service on this machine',
    load: async () => (await import('./sandbox/index.ts')).group,
  },
  demo: {
    section: local,
    summary: 'A tour on a sandbox of its own',
    load: async () => (await import('./demo/demo.ts')).demo,
  },
  api: {
    section: tool,
    summary: 'Send a request of your own to the service',
    load: async () => (await import('./api/api.ts')).api,
  },
  schema: {
    section: tool,
    summary: 'The operations of the service as data',
    load: async () => (await import('./schema/schema.ts')).schema,
  },
  commands: {
    section: tool,
    summary: 'All commands of svc as data',
    load: async () => (await import('./schema/commands.ts')).commands,
  },
  completion: {
    section: tool,
    summary: 'Tab completion for bash, zsh, fish and PowerShell',
    load: async () => (await import('./completion/completion.ts')).completion,
  },
  login: {
    section: tool,
    summary: 'Store the address and key of a service as a profile',
    load: async () => (await import('./session/login.ts')).login,
  },
  logout: {
    section: tool,
    summary: 'Forget the key of a profile',
    load: async () => (await import('./session/logout.ts')).logout,
  },
  whoami: {
    section: tool,
    summary: 'Show which service, profile and environment hold now',
    load: async () => (await import('./session/whoami.ts')).whoami,
  },
  doctor: {
    section: tool,
    summary: 'Check configuration, key, network and service',
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  profiles: {
    section: tool,
    summary: 'Stored services with their keys',
    alias: 'profile',
    load: async () => (await import('./profiles/index.ts')).group,
  },
  config: {
    section: tool,
    summary: 'Settings and where each comes from',
    load: async () => (await import('./config/index.ts')).group,
  },
};
