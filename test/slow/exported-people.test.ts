// Exports any people from one environment, imports the files into another one, and exports them again.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportAll, importAll, readExport } from '../commands/subscribers/exported-people.ts';
import { openRig } from '../support/rig.ts';
import type { SandboxState } from '../support/sandbox-311.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const id = fc
  .stringMatching(/^[a-zA-Z0-9ü@:;,"' _.-]{1,14}$/)
  .map((value) => value.trim())
  .filter((value) => !/^\.*$/.test(value));
const channels = fc.record({ email: fc.boolean(), in_app: fc.boolean() }, { requiredKeys: [] });
const hours = fc.constant([{ start: '09:00 AM', end: '05:00 PM' }]);
const person = fc.record(
  {
    firstName: text,
    lastName: fc.option(text),
    email: fc.constantFrom('ada@example.com', 'grace@example.org'),
    data: fc.dictionary(fc.constantFrom('plan', 'a b'), fc.oneof(text, fc.integer(), fc.boolean())),
    preferences: fc.record(
      {
        global: fc.record(
          {
            channels: fc.record({ email: fc.constant(false) }, { requiredKeys: [] }),
            schedule: fc.record({
              isEnabled: fc.boolean(),
              weeklySchedule: fc.record({ monday: fc.record({ isEnabled: fc.boolean(), hours }) }),
            }),
          },
          { requiredKeys: [] },
        ),
        workflows: fc.record(
          { welcome: fc.record({ channels }), news: fc.record({ channels }) },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const steps = (['in_app', 'email'] as const).map((type) => ({
  ...{ stepId: type, type },
  controlValues: { subject: 'Hello', body: 'Hi' },
}));

const toState = (people: readonly object[], topics: readonly object[]) =>
  ({
    version: 1,
    environments: [
      {
        name: 'Development',
        workflows: [
          { workflowId: 'welcome', name: 'Welcome', steps },
          {
            ...{ workflowId: 'news', name: 'News', steps },
            preferences: { user: null, default: { channels: { email: { enabled: false } } } },
          },
        ],
        subscribers: people,
        topics,
      },
    ],
  }) as object as SandboxState;

it('an export of A, imported to B, is the export of B', async () => {
  const people = fc.uniqueArray(fc.tuple(id, person, fc.subarray(['a', 'b', 'c:d'])), {
    selector: ([name]) => name,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(people, async (given) => {
      const topics = ['a', 'b', 'c:d'].map((key) => ({
        key,
        subscribers: given.flatMap(([name, , keys]) => (keys.includes(key) ? [name] : [])),
      }));
      const subscribers = given.map(([subscriberId, fields]) => ({ subscriberId, ...fields }));
      const source = await openRig({ seed: toState(subscribers, topics) });
      const target = await openRig({
        seed: toState(
          [],
          topics.map(({ key }) => ({ key })),
        ),
      });
      await exportAll(source);
      await importAll(target, source.folder);
      await exportAll(target);
      expect(readExport(target)).toEqual(readExport(source));
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 6) },
  );
});
