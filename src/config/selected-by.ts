// The options that select the service in a proposed command line, for commands that do not use all of them. Generated
// from the commands by `npm run docs`.
import type { Command } from '../cli/command.ts';

export const selectedBy: Record<string, NonNullable<Command['selectedBy']>> = {
  help: 'nothing',
  'workflows validate': 'nothing',
  'runs list': 'nothing',
  'runs merge': 'nothing',
  'runs delete': 'nothing',
  'runs prune': 'nothing',
  'sandbox start': 'nothing',
  'sandbox exec': 'nothing',
  demo: 'nothing',
  schema: 'nothing',
  commands: 'nothing',
  completion: 'nothing',
  login: 'address',
  logout: 'profile',
  'profiles list': 'nothing',
  'profiles use': 'nothing',
  'profiles show': 'profile',
  'profiles protect': 'nothing',
  'profiles unprotect': 'nothing',
  'profiles read-only': 'nothing',
  'profiles rename': 'nothing',
  'profiles delete': 'nothing',
  config: 'nothing',
};
