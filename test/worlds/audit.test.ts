// An audit of any world in which no job gets lost finds nothing that is late.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openSandboxRig } from '../commands/sandbox/sandbox-rig.ts';
import type { RigOptions } from '../support/rig.ts';
import { anyWorld, inWorlds, type World, worldsTimeout } from '../support/worlds.ts';
import { toJson, validStep } from '../support/worlds-steps.ts';

type Rig = Awaited<ReturnType<typeof openSandboxRig>>;

async function expectNothing({ svc }: Rig, more: readonly string[] = []) {
  const line = ['activity', 'audit', '--since', '60d', '-o', 'ndjson', ...more];
  const { code, stdout, stderr } = await svc(line);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
}

/** A message that cannot be made or addressed reaches no person, without a fault. */
const kinds = ['overdue', 'without-jobs', 'lost-in-digest', 'twice'].flatMap((kind) => [
  '--only',
  kind,
]);

async function auditLater({ mode, service, seed }: World) {
  const rig = await openSandboxRig({}, { mode, service, seed });
  for (const span of ['0s', '7h', '3d', '40d']) {
    if (span !== '0s') await rig.svc(['sandbox', 'clock', 'advance', span]);
    await expectNothing(rig, kinds);
  }
}

it('nothing is late in any world', () => inWorlds(5, anyWorld, auditLater), worldsTimeout(10));

const cron = fc.constantFrom('0 9 * * *', '*/20 * * * *', '30 8 * * 1');
const step = fc.oneof(
  // Other members of an in-app step can be wrong in one version.
  {
    weight: 3,
    arbitrary: validStep.map((one) =>
      one.type === 'in_app' ? { ...one, controlValues: { body: 'Hi' } } : one,
    ),
  },
  cron.map((text) => ({ type: 'digest', controlValues: { type: 'timed', cron: text } })),
  fc
    .constantFrom('digest', 'delay')
    .map((type) => ({
      type,
      controlValues: { type: 'regular', amount: 1, unit: 'hours', extendToSchedule: true },
    })),
);
const hours = [{ start: '09:00 AM', end: '05:00 PM' }];
const weeklySchedule = { monday: { isEnabled: true, hours }, friday: { isEnabled: true, hours } };
const person = fc.record({
  timezone: fc.constantFrom(undefined, 'Europe/Berlin', 'Pacific/Kiritimati'),
  preferences: fc.constantFrom(undefined, {
    global: { schedule: { isEnabled: true, weeklySchedule } },
  }),
});
const undisturbed = fc.record({
  service: fc.constantFrom('3.11' as const, '3.19' as const),
  workflows: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  }),
  people: fc.array(person, { minLength: 1, maxLength: 3 }),
  spans: fc.array(fc.constantFrom('5m', '50m', '7h', '2d'), { minLength: 3, maxLength: 6 }),
  cancels: fc.boolean(),
});

async function auditWeek(week: typeof undisturbed extends fc.Arbitrary<infer Week> ? Week : never) {
  const { service, workflows, people, spans, cancels } = week;
  const environment = {
    name: 'Development',
    workflows: workflows.map((steps, index) => ({
      workflowId: `w${index}`,
      steps: steps.map((one, position) => ({ stepId: `s${position}`, ...one })),
    })),
    subscribers: people.map((one, index) => ({
      ...{ ...one, subscriberId: `p${index}`, email: 'ada@example.com', phone: '+15550100' },
      credentials: {
        chat: { webhookUrl: 'https://example.com/hook' },
        push: { deviceTokens: ['token'] },
      },
    })),
  };
  const seed = toJson({ version: 1, environments: [environment] }) as NonNullable<
    RigOptions['seed']
  >;
  const rig = await openSandboxRig({}, { service, seed });
  for (const [round, span] of spans.entries()) {
    for (const [index] of workflows.entries())
      for (const [other] of people.entries()) {
        const event = `events trigger w${index} --to p${other} --yes`.split(' ');
        const id = ['--transaction-id', `t-${round}-${index}-${other}`];
        await rig.svc([...event, ...id, '--payload', '{"name":"Ada"}']);
      }
    // The oldest event of a digest takes over when its first one is canceled.
    if (cancels && round === 1) await rig.svc('events cancel t-0-0-0 --yes'.split(' '));
    await rig.svc(['sandbox', 'clock', 'advance', span]);
    await expectNothing(rig);
  }
  await rig.svc(['sandbox', 'clock', 'advance', '40d']);
  await expectNothing(rig);
}

it(
  'an undisturbed week of any workflows has no finding',
  () => inWorlds(3, undisturbed, auditWeek),
  worldsTimeout(60),
);
