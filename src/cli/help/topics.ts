// The topics of `svc help <topic>` with their summaries. The pages are in pages.ts, which is loaded on demand.

export interface HelpTopic {
  summary: string;
}

export const helpTopics = {
  options: { summary: 'Global options' },
  environment: { summary: 'Environment variables, files and folders, and their precedence' },
  'exit-codes': { summary: 'Exit codes and their meaning' },
  output: { summary: 'Output formats, fields, jq and standard streams' },
  bulk: { summary: 'Bulk runs: files, batches, rejects, resuming' },
  sandbox: { summary: 'The local sandbox: data, clock, messages and faults' },
  'sandbox-api': { summary: 'The control routes of the sandbox, for programs in any language' },
} as const satisfies Record<string, HelpTopic>;

export type TopicName = keyof typeof helpTopics;

export const isHelpTopic = (word: string | undefined): word is TopicName =>
  word !== undefined && Object.hasOwn(helpTopics, word);
