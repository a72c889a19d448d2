// `--resume` of the exports.
import { flag } from '../../cli/options.ts';

export const resumeOption = {
  resume: flag('--resume', 'Continue an interrupted export of this file, if there is one'),
};
