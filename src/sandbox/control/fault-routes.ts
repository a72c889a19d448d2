// Control routes of fault injection: show, set and clear faults.
import type { z } from 'zod';
import { withPlainMessages } from '../../service/schemas/plain-messages.ts';
import { faultSettings } from '../control-client/fault-settings.ts';
import { unprocessable } from '../values/http-error.ts';
import type { ControlOptions, ControlRoute } from './route.ts';

const path = '/faults';
const bodyLimit = 1_000;
const members = Object.keys(faultSettings.shape).join(', ');

export const faultRoutes = ({ faults }: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path,
    description: { id: 'getFaults', summary: 'Show the injected faults', response: 'Faults' },
    handle: faults.settings,
  },
  {
    method: 'POST',
    path,
    description: {
      id: 'setFaults',
      summary: 'Inject faults; omitted members keep their values',
      body: 'Faults',
      response: 'Faults',
      errors: [422],
    },
    async handle({ body }) {
      const parsed = faultSettings.safeParse(await body(bodyLimit), withPlainMessages);
      if (!parsed.success) {
        throw unprocessable(parsed.error.issues.map(errorText).join('; '));
      }
      faults.set(parsed.data);
      return faults.settings();
    },
  },
  {
    method: 'DELETE',
    path,
    description: { id: 'clearFaults', summary: 'Remove all faults', response: 'Faults' },
    handle() {
      faults.clear();
      return faults.settings();
    },
  },
];

function errorText(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `Unknown member: ${issue.keys.join(', ')}. The members are: ${members}.`;
  return [issue.path.join('.'), issue.message].join(' ').trim();
}
