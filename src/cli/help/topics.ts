// What `svc help <topic>` says: pages on what all commands share. The summaries alone are loaded with the
// top-level help; the pages are in help-pages.ts.

export interface HelpTopic {
  summary: string;
}

export const helpTopics = {
  options: { summary: 'The options that every command takes' },
  environment: { summary: 'Variables, files and folders, and what wins over what' },
  'exit-codes': { summary: 'The ways in which a command ends' },
  output: { summary: 'Tables, data, ids, fields, jq, and what goes where' },
  bulk: { summary: 'Sending many: files, batches, rejects, resuming' },
  sandbox: { summary: 'The service on this machine, its clock, messages and faults' },
} as const satisfies Record<string, HelpTopic>;

export type TopicName = keyof typeof helpTopics;

export const isHelpTopic = (word: string | undefined): word is TopicName =>
  word !== undefined && Object.hasOwn(helpTopics, word);
