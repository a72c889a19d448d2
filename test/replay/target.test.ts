// `svc workflows replay --to`: the workflows of another environment.
import { expect, it } from 'vitest';
import type { SandboxState } from '../../src/sandbox/state/schema.ts';
import { openTwoEnvironments } from '../support/two-environments.ts';
import { words } from '../support/words.ts';
import { week } from './week.ts';

type Environment = SandboxState['environments'][number];

const [development = { name: 'Development' }] = week.environments;

/** The requests of the replay with the key of Production, whose events and people do not matter. */
async function replayTo(production: Partial<Environment>, options: string[] = []) {
  const subscribers = ['other', 'ada'].map((subscriberId) => ({ subscriberId }));
  const environments = [development, { name: 'Production', subscribers, ...production }];
  const { rig, keyOf } = await openTwoEnvironments({ seed: { ...week, environments } });
  const line = words`workflows replay --to production --since 8d -p development -o json`;
  const { stdout, requests, ...ran } = await rig.svc([...line, ...options]);
  const sent = requests.filter(({ headers }) =>
    headers.authorization?.endsWith(keyOf('production')),
  );
  return { ...ran, report: JSON.parse(stdout), sent: sent.map(({ line }) => line) };
}

const rename = (subject: string) =>
  JSON.parse(JSON.stringify(development.workflows).replace('Your trial ends', subject));

it('finds no difference between environments with the same workflows', async () => {
  const { workflows, layouts } = development;
  const { code, report, sent } = await replayTo({ workflows, layouts });
  expect({ code, changes: report.changes }).toEqual({ code: 0, changes: [] });
  expect(report).toMatchObject({ events: 11, after: expect.stringContaining('Production') });
  expect(sent.filter((line) => !/^GET \/v2\/(workflows|layouts)\b/.test(line))).toEqual([]);
});

it('compares with the workflows of the other environment, and changes nothing there', async () => {
  const workflows = rename('試用期間が終了します');
  const production = { workflows, layouts: development.layouts };
  const { code, report, sent } = await replayTo(production, ['--show-content', '--check']);
  expect(code).toBe(10);
  expect(report.changes).toMatchObject([
    {
      ...{ workflow: 'trial', step: 'mail', result: 'changed', steps: 1 },
      examples: [{ after: { subject: '試用期間が終了します' } }],
    },
  ]);
  expect(sent.every((line) => line.startsWith('GET '))).toBe(true);
});

it('loses every message of a workflow that the other environment lacks', async () => {
  const { report } = await replayTo({ workflows: [], layouts: [] });
  expect(report.totals).toEqual({ same: 5, changed: 0, gained: 0, lost: 10, moved: 0 });
  expect(new Set(report.changes.map(({ cause }: { cause: string }) => cause))).toEqual(
    new Set(['workflow removed']),
  );
});

it('rejects the profile of an unknown environment', async () => {
  const { rig } = await openTwoEnvironments({ seed: week });
  const { code, stderr } = await rig.svc(words`workflows replay --to unknown -p development`);
  expect(code).toBe(2);
  expect(stderr).toContain('unknown');
});
