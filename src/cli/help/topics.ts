// The topics of `svc help <topic>` with their summaries. The pages are in pages.ts, which is loaded on demand.

export interface HelpTopic {
  summary: string;
  /** The pages of the documentation that have the whole of it. */
  documents?: readonly string[];
}

export const helpTopics = {
  importing: { summary: 'Import files of subscribers', documents: ['docs/importing.md'] },
  campaigns: { summary: 'Send to many people, with a canary', documents: ['docs/campaigns.md'] },
  deliveries: {
    summary: 'Find out why a message did not arrive',
    documents: ['docs/deliveries.md'],
  },
  git: { summary: 'Environments as files in Git', documents: ['docs/environments-in-git.md'] },
  replay: { summary: 'Try a change of workflows on past events', documents: ['docs/replay.md'] },
  testing: { summary: 'Test an application', documents: ['docs/testing.md'] },
  sandbox: {
    summary: 'The local sandbox: data, clock, messages and faults',
    documents: ['docs/sandbox.md', 'docs/state.md'],
  },
  'sandbox-api': { summary: 'The control routes of the sandbox, for programs in any language' },
  people: { summary: 'The data of people', documents: ['docs/people.md'] },
  upgrade: {
    summary: 'Upgrade the server to a new version',
    documents: ['docs/upgrading.md', 'docs/compatibility.md'],
  },
  ci: { summary: 'CI jobs and scripts', documents: ['docs/ci.md'] },
  agents: { summary: 'How an assistant uses svc, as a skill file' },
  security: { summary: 'Keys, protection and masked secrets', documents: ['docs/security.md'] },
  output: { summary: 'Output formats, fields, jq and standard streams' },
  'exit-codes': { summary: 'Exit codes and their meaning' },
  options: { summary: 'Global options' },
  environment: { summary: 'Environment variables, files and folders, and their precedence' },
  bulk: { summary: 'Bulk runs: files, batches, rejects, resuming' },
} as const satisfies Record<string, HelpTopic>;

export type TopicName = keyof typeof helpTopics;

export const isHelpTopic = (word: string | undefined): word is TopicName =>
  word !== undefined && Object.hasOwn(helpTopics, word);
