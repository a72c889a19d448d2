// The options of commands that write a file.
import { flag } from './options.ts';

export const forceOption = {
  force: flag('--force', 'Replace a file that svc did not write for this purpose', { tool: false }),
};

export const resumeOption = {
  resume: flag('--resume', 'Continue an interrupted export of this file, if there is one'),
};
