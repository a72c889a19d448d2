// Control routes of fault injection: show, set and clear faults.
import type { z } from 'zod';
import { withPlainMessages } from '../../service/schemas/plain-messages.ts';
import { type FaultSettings, faultSettings } from '../control-client/fault-settings.ts';
import { unprocessable } from '../values/http-error.ts';
import { bodyLimit, type ControlOptions, type ControlRoute } from './route.ts';

const path = '/faults';
const members = Object.keys(faultSettings.shape).join(', ');

export const faultRoutes = ({ faults }: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path,
    description: { id: 'getFaults', summary: 'Show the injected faults', response: 'Faults' },
    handle: ({ environmentId }) => faults.of(environmentId).settings(),
  },
  {
    method: 'POST',
    path,
    description: {
      id: 'setFaults',
      summary:
        'Inject faults of requests, or of deliveries by a channel or provider; omitted members keep their values',
      body: 'FaultRequest',
      response: 'Faults',
      errors: [422],
    },
    async handle({ environmentId, body }) {
      const settings = await body(bodyLimit);
      const problems = faultProblems(settings);
      if (problems.length > 0) throw unprocessable(problems.join('; '));
      const plan = faults.of(environmentId);
      plan.set(settings as FaultSettings);
      return plan.settings();
    },
  },
  {
    method: 'DELETE',
    path,
    description: { id: 'clearFaults', summary: 'Remove all faults', response: 'Faults' },
    handle({ environmentId }) {
      const plan = faults.of(environmentId);
      plan.clear();
      return plan.settings();
    },
  },
];

/** The mistakes in the settings of faults. */
export const faultProblems = (settings: unknown): string[] =>
  faultSettings.safeParse(settings, withPlainMessages).error?.issues.map(errorText) ?? [];

function errorText(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `Unknown member: ${issue.keys.join(', ')}. The members are: ${members}.`;
  return [issue.path.join('.'), issue.message].join(' ').trim();
}
