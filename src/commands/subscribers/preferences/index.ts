import type { Group } from '../../../cli/command.ts';
import { copy } from './copy.ts';
import { exportPreferences } from './export.ts';
import { get } from './get.ts';
import { importPreferences } from './import.ts';
import { update } from './update.ts';

export const group: Group = {
  summary: 'Show and change which channels and workflows notify a subscriber, and at which hours',
  commands: { get, update, export: exportPreferences, import: importPreferences, copy },
};
