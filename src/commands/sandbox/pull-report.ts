// Reports what `svc sandbox pull` has written, replaced, dropped and left out.

import { counted } from '../../core/counts.ts';
import { shellWord } from '../../core/shell-word.ts';
import * as result from '../../output/result.ts';
import type { Mode } from '../../service/mode.ts';
import { environmentName } from '../shared/environments.ts';
import type { PullRun } from './pull-run.ts';

interface Outcome {
  run: PullRun;
  file: string;
  isDry: boolean;
  mode: Mode;
  /** Personal data is replaced. */
  isReplaced: boolean;
  /** The command line selects subscribers. */
  hasSelection: boolean;
}

export function pullReport({ run, file, isDry, mode, isReplaced, hasSelection }: Outcome) {
  const { service, filter, counts, leftOut, notOffered } = run;
  const from = environmentName(service.place);
  const { replaced, dropped } = filter;
  const { integrations, layouts, workflows, steps, subscribers, preferences } = counts;
  const { topics, subscriptions, contexts } = counts;
  return result.report({
    value: {
      ...{ file, from, profile: service.profile, compat: mode },
      personalData: isReplaced ? 'replaced' : 'kept',
      counts: {
        ...{ integrations, layouts, workflows, steps, subscribers, preferences },
        ...{ topics, subscriptions, contexts },
      },
      ...{ replaced, dropped, notOffered, leftOut },
    },
    lines: [
      `${isDry ? 'Would write' : 'Wrote'} ${from} to ${file}:`,
      `  ${counted(workflows, 'workflow')} with ${counted(steps, 'step')}, ${counted(layouts, 'layout')}, ${counted(integrations, 'integration')}`,
      `  ${counted(subscribers, 'subscriber')}, ${preferences} with preferences; ${counted(topics, 'topic')} with ${counted(subscriptions, 'subscription')}; ${counted(contexts, 'context')}`,
      ...sumLine('Replaced', [
        [replaced.subscriberIds, 'subscriber id'],
        [replaced.names, 'name'],
        [replaced.emails, 'e-mail address'],
        [replaced.phones, 'phone number'],
        [replaced.avatars, 'avatar'],
        [replaced.topicKeys, 'topic key'],
        [replaced.topicNames, 'topic name'],
        [replaced.contextIds, 'context id'],
      ]),
      ...sumLine('Dropped', [
        [dropped.subscriberData, 'subscriber', 'data of '],
        [dropped.contextData, 'context', 'data of '],
        [dropped.credentials, 'subscriber', 'credentials of '],
        [dropped.invalidFields, 'invalid field'],
      ]),
      ...(isReplaced ? [] : ['The file contains personal data.']),
      ...notOffered,
      ...leftOut.map(({ kind, id, reason }) => `Left out ${kind} ${id}: ${reason}`),
      ...(hasSelection
        ? []
        : ['The file has no subscribers. Select some with --sample, --subscriber or --topic.']),
      ...(isDry ? [] : [`Use it: svc sandbox start --seed ${shellWord(file)}`]),
    ],
    ids: [file],
    ...(leftOut.length > 0 ? { end: leftOutEnd(run) } : {}),
  });
}

type Sum = readonly [count: number, noun: string, before?: string];

/** `Replaced: 3 names, 2 phone numbers.`; nothing if all are 0. */
function sumLine(title: string, sums: readonly Sum[]): string[] {
  const parts = sums
    .filter(([count]) => count > 0)
    .map(([count, noun, before = '']) => before + counted(count, noun));
  return parts.length > 0 ? [`${title}: ${parts.join(', ')}.`] : [];
}

const leftOutEnd = ({ leftOut }: PullRun) =>
  result.exit('partial', {
    message: `Left out ${counted(leftOut.length, 'resource')}.`,
    fieldErrors: leftOut.map(({ kind, id, reason }) => ({
      field: `${kind} ${id}`,
      message: reason,
    })),
  });
