// The topics of `svc help <topic>` with their summaries. The pages are in pages.ts, which is loaded on demand.

export interface HelpTopic {
  summary: string;
  /** The page of the documentation that has the whole of it. */
  document?: string;
}

export const helpTopics = {
  importing: { summary: 'Import files of subscribers', document: 'docs/importing.md' },
  campaigns: { summary: 'Send to many people, with a canary', document: 'docs/campaigns.md' },
  deliveries: { summary: 'Find out why a message did not arrive', document: 'docs/deliveries.md' },
  git: { summary: 'Environments as files in Git', document: 'docs/environments-in-git.md' },
  replay: { summary: 'Try a change of workflows on past events', document: 'docs/replay.md' },
  testing: { summary: 'Test an application', document: 'docs/testing.md' },
  sandbox: {
    summary: 'The local sandbox: data, clock, messages and faults',
    document: 'docs/sandbox.md',
  },
  'sandbox-api': { summary: 'The control routes of the sandbox, for programs in any language' },
  people: { summary: 'The data of people', document: 'docs/people.md' },
  upgrade: { summary: 'Upgrade the server to a new version', document: 'docs/upgrading.md' },
  ci: { summary: 'CI jobs and scripts', document: 'docs/ci.md' },
  agents: { summary: 'How an assistant uses svc, as a skill file' },
  security: { summary: 'Keys, protection and masked secrets', document: 'docs/security.md' },
  output: { summary: 'Output formats, fields, jq and standard streams' },
  'exit-codes': { summary: 'Exit codes and their meaning' },
  options: { summary: 'Global options' },
  environment: { summary: 'Environment variables, files and folders, and their precedence' },
  bulk: { summary: 'Bulk runs: files, batches, rejects, resuming' },
} as const satisfies Record<string, HelpTopic>;

export type TopicName = keyof typeof helpTopics;

export const isHelpTopic = (word: string | undefined): word is TopicName =>
  word !== undefined && Object.hasOwn(helpTopics, word);
