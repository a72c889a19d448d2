import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globalSwitches, mergePreferences } from '../../src/sandbox/engine/skip-rules.ts';
import { dialect319 } from '../../src/sandbox/store/dialect.ts';
import { channelTypes } from '../../src/service/schemas/vocabulary.ts';
import { ownPreferences, workflowSwitches } from '../../src/state-files/own-preferences.ts';

const partial = <T>(value: fc.Arbitrary<T>) =>
  fc.record(Object.fromEntries(channelTypes.map((channel) => [channel, value])), {
    requiredKeys: [],
  });
const level = fc.record(
  {
    all: fc.record({ enabled: fc.boolean(), readOnly: fc.boolean() }, { requiredKeys: [] }),
    channels: partial(fc.record({ enabled: fc.boolean() }, { requiredKeys: [] })),
  },
  { requiredKeys: [] },
);
const choices = fc.option(partial(fc.boolean()), { nil: undefined });

/** The response of the sandbox for one workflow. */
function respond(preferences: object, global: object | undefined, own: object | undefined) {
  const merged = mergePreferences(dialect319, { preferences } as never, global, own);
  return {
    global: { enabled: true, channels: globalSwitches(dialect319, global) },
    workflows: [{ ...merged, workflow: { slug: 's', identifier: 'w', name: 'W' } }],
  };
}

it('the choices that are found have the same effect as those of the subscriber', () => {
  fc.assert(
    fc.property(
      fc.record({ user: fc.option(level), default: level }),
      choices,
      choices,
      (preferences, global, own) => {
        const given = respond(preferences, global, own);
        const switches = workflowSwitches({ workflowId: 'w', preferences });
        const exported = ownPreferences(given as never, () => switches);
        const again = respond(
          preferences,
          exported?.global?.channels,
          exported?.workflows?.w?.channels,
        );
        expect(again.global).toEqual(given.global);
        expect(again.workflows[0]?.channels).toEqual(given.workflows[0]?.channels);
        // The same choices are found again.
        expect(ownPreferences(again as never, () => switches)).toEqual(exported);
      },
    ),
    { numRuns: 500 },
  );
});

it('a subscriber who has chosen nothing has no preferences', () => {
  const preferences = { default: { all: { enabled: true } } };
  const switches = workflowSwitches({ workflowId: 'w', preferences });
  expect(
    ownPreferences(respond(preferences, undefined, undefined) as never, () => switches),
  ).toBeUndefined();
});

it('a workflow that is not in the file has no preferences', () => {
  const given = respond({ default: {} }, undefined, { email: false });
  expect(ownPreferences(given as never, () => undefined)).toBeUndefined();
});

it('a schedule is kept without unknown members, and left out if it is not valid', () => {
  const scheduled = (schedule: unknown) =>
    ownPreferences(
      { global: { enabled: true, channels: {}, schedule }, workflows: [] } as never,
      () => undefined,
    );
  const hours = [{ start: '09:00 AM', end: '05:00 PM' }];
  expect(
    scheduled({
      ...{ isEnabled: true, id: 'x' },
      weeklySchedule: { monday: { isEnabled: true, hours: [{ ...hours[0], id: 'y' }] } },
    }),
  ).toEqual({
    global: {
      schedule: { isEnabled: true, weeklySchedule: { monday: { isEnabled: true, hours } } },
    },
  });
  expect(scheduled({ isEnabled: 'yes' })).toBeUndefined();
  expect(scheduled(null)).toBeUndefined();
});
