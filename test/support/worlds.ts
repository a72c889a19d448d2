// Arbitrary contents of a sandbox, for properties: none, one or many of everything, with odd names. A world is a state
// file, whose past events give it messages and activity.
import fc from 'fast-check';
import type { EnvironmentState, SandboxState } from '../../src/sandbox/state/schema.ts';
import type { Mode } from '../../src/service/mode.ts';
import { missingCredentials } from '../../src/service/providers.ts';
import { hasPrimary, markStates, weekDays } from '../../src/service/schemas/vocabulary.ts';
import type { SandboxVersion } from '../../src/service/versions.ts';
import { anyObject as anyJson } from '../environment/any-workflow.ts';
import {
  anyPayload,
  anyStep,
  oddName,
  oddText,
  storedName,
  toJson,
  validStep,
} from './worlds-steps.ts';

type List<Name extends 'workflows' | 'subscribers' | 'integrations' | 'layouts' | 'topics'> =
  NonNullable<EnvironmentState[Name]>;

export interface World {
  mode: Mode;
  service: SandboxVersion;
  seed: SandboxState;
}

/** Multiplies the worlds of each property. The nightly tests set it. */
const rounds = Number(process.env.WORLD_ROUNDS ?? 1);
const seed = process.env.WORLD_SEED;

/**
 * Checks a property in so many worlds; a failure prints the seed, which WORLD_SEED repeats. Ends after a time limit, so
 * that a slow machine checks fewer worlds.
 */
export const inWorlds = <T>(
  count: number,
  worlds: fc.Arbitrary<T>,
  property: (world: T) => Promise<void>,
): Promise<void> =>
  fc.assert(fc.asyncProperty(worlds, property), {
    numRuns: count * rounds,
    interruptAfterTimeLimit: worldsTimeout(count) / 2,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  });

/** The time limit of a test of so many worlds, in milliseconds. */
export const worldsTimeout = (count: number): number => 20_000 + count * rounds * 1_000;

/** Identifiers that can be the name of a file. */
const plainIds = ['welcome', '42', '1e3', 'true', 'null', 'constructor', 'a-b', 'y'.repeat(60)];
const fileId = fc.constantFrom(...plainIds);
const topicKey = fc.constantFrom(...plainIds, '-rf', '--help', '__proto__', 'a:b@c.d+e', '..');
const contextName = fc.constantFrom(...plainIds, '-rf', '__proto__');

/** None, one or many, without duplicates. */
const several = <T>(item: fc.Arbitrary<T>, idOf: (item: T) => unknown) =>
  fc.oneof(
    fc.constant<T[]>([]),
    { weight: 2, arbitrary: item.map((one) => [one]) },
    { weight: 3, arbitrary: fc.uniqueArray(item, { minLength: 2, maxLength: 4, selector: idOf }) },
  );

/** None or several, of which some can be the same. */
const manyOf = <T>(item: fc.Arbitrary<T>) =>
  fc.oneof(fc.constant<T[]>([]), {
    weight: 5,
    arbitrary: fc.array(item, { minLength: 1, maxLength: 6 }),
  });

// The parts of an environment. `names` are texts that the service stores as they are.

const flag = fc.boolean();
/** The sandbox drops members with this name. */
const withoutPrototype = (value: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(value).replaceAll('"__proto__":', '"proto":'));
const anyObject = fc
  .dictionary(oddName, fc.oneof(oddText, fc.integer(), flag, fc.constant(null)), { maxKeys: 3 })
  .map(withoutPrototype);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, value);
const switches = fc.record({ email: flag, in_app: flag, sms: flag }, { requiredKeys: [] });
const hours = [{ start: '09:00 AM', end: '05:00 PM' }];
const schedule = fc
  .constantFrom(...weekDays)
  .map((day) => ({ isEnabled: true, weeklySchedule: { [day]: { isEnabled: true, hours } } }));

const workflowsOf = (
  ids: fc.Arbitrary<string>,
  names: fc.Arbitrary<string>,
  steps: typeof anyStep,
) => {
  const step = fc
    .record({ stepId: fileId, name: maybe(names), content: steps })
    .map(({ content: given, ...rest }) => ({ ...rest, ...given }));
  const workflow = fc.record({
    workflowId: ids,
    name: maybe(names),
    description: maybe(oddText),
    tags: maybe(fc.uniqueArray(names, { maxLength: 2 })),
    active: fc.constantFrom(undefined, true, true, false),
    severity: fc.constantFrom(undefined, 'high' as const),
    preferences: fc.constantFrom(
      undefined,
      { user: null, default: { channels: { email: { enabled: false } } } },
      { user: { all: { enabled: true, readOnly: true } } },
    ),
    steps: several(step, ({ stepId }) => stepId),
  });
  return several(workflow, ({ workflowId }) => workflowId);
};

const layoutsOf = (names: fc.Arbitrary<string>) => {
  const html = '<html><body>{{content}}</body></html>';
  const layout = fc.record({
    layoutId: fc.oneof(fc.constant('plain'), fileId),
    name: maybe(names),
    body: fc.constantFrom(html, `${html}\r\n\n`),
  });
  return several(layout, ({ layoutId }) => layoutId).map((layouts) =>
    layouts.map((one, index) => ({ ...one, isDefault: index === 0 })),
  );
};

const provider = fc.constantFrom(
  { providerId: 'sendgrid', channel: 'email' as const },
  { providerId: 'nodemailer', channel: 'email' as const },
  { providerId: 'twilio', channel: 'sms' as const },
  { providerId: 'slack', channel: 'chat' as const },
  { providerId: 'fcm', channel: 'push' as const },
);
const secret = fc.stringMatching(/^secret-[a-z0-9]{12}$/);
const children = [{ field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' }];
const conditions = [{ isNegated: false, type: 'GROUP', value: 'AND', children }];

/** A value that the service accepts. */
export const credentialValue = (name: string): string =>
  ({ host: 'smtp.example.com', port: '587' })[name] ?? `value of ${name}`;

/** Every environment has this one. */
const inApp = {
  ...{ identifier: 'inbox', providerId: 'novu', channel: 'in_app' as const },
  ...{ name: 'Inbox', active: true, credentials: { hmac: true } },
};

const integrationsOf = (names: fc.Arbitrary<string>): fc.Arbitrary<List<'integrations'>> => {
  const integration = fc.record({
    ...{ identifier: fileId, name: names, provider, active: flag, primary: flag },
    conditions: fc.constantFrom(undefined, undefined, conditions),
    credentials: fc.record(
      { apiKey: secret, password: secret, from: names, secure: flag },
      { requiredKeys: [] },
    ),
  });
  return several(integration, ({ identifier }) => identifier).map((given) => {
    const withPrimary = new Set<string>();
    const others = given.map(({ provider: of, primary, credentials, ...rest }) => {
      const mayBePrimary = rest.active && !rest.conditions && hasPrimary(of.channel);
      const isPrimary = primary && mayBePrimary && !withPrimary.has(of.channel);
      if (isPrimary) withPrimary.add(of.channel);
      // An active integration has the credentials that its provider requires.
      const missing = rest.active ? missingCredentials(of.providerId, credentials) : [];
      const added = Object.fromEntries(missing.map((name) => [name, credentialValue(name)]));
      return { ...rest, ...of, primary: isPrimary, credentials: { ...credentials, ...added } };
    });
    return [inApp, ...others];
  });
};

const contextsOf = (data: fc.Arbitrary<Record<string, unknown>>) =>
  several(
    fc.record({ type: contextName, id: contextName, data }),
    ({ type, id }) => `${type}:${id}`,
  );

const profile = {
  firstName: maybe(fc.option(oddText)),
  lastName: maybe(oddText),
  email: fc.constantFrom(
    undefined,
    null,
    'ada@example.com',
    'ada@example.com',
    'дмитрий@пример.рф',
  ),
  phone: fc.constantFrom(undefined, '+15550100', '+15550100', 'not a number'),
  avatar: fc.constantFrom(undefined, 'https://example.com/a.png', 'javascript:alert(1)'),
  locale: fc.constantFrom(undefined, 'en-US', 'ar'),
  timezone: fc.constantFrom(undefined, 'Europe/Berlin', 'Pacific/Kiritimati'),
  data: maybe(anyObject),
};

/** For the integrations that Development has by default. */
const devices = {
  chat: { webhookUrl: 'https://example.com/hook' },
  push: { deviceTokens: ['token-1', 'token-2'] },
};

const server = fc.constantFrom<Pick<World, 'mode' | 'service'>>(
  { mode: 'novu', service: '3.11' },
  { mode: 'specification', service: '3.11' },
  { mode: 'novu', service: '3.19' },
);

/** Picks one of a list that is known later. */
const pick = fc.nat(1_000);
const at = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length];

// Whole worlds.

/** Any content of a sandbox, with past events. */
export const anyWorld: fc.Arbitrary<World> = fc
  .record({
    server,
    environment: fc.record({
      workflows: workflowsOf(fc.oneof(fileId, oddName), oddName, anyStep),
      layouts: layoutsOf(oddName),
      integrations: fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        integrationsOf(oddName),
      ),
      contexts: contextsOf(anyObject),
    }),
    people: several(
      fc.record({
        ...{ subscriberId: oddName, ...profile },
        hasDevices: flag,
        choices: seldom(fc.record({ channels: switches, schedule: seldom(schedule) })),
        choice: seldom(fc.record({ workflow: pick, channels: switches })),
      }),
      ({ subscriberId }) => subscriberId,
    ),
    topics: several(
      fc.record({ key: topicKey, name: maybe(fc.option(oddText)), members: fc.array(pick) }),
      ({ key }) => key,
    ),
    others: several(
      fc.record({ name: oddName, color: fc.constantFrom('#123456', 'red') }),
      ({ name }) => name,
    ),
    events: manyOf(
      fc.record({
        ...{ workflow: pick, person: pick, topic: maybe(pick), payload: anyPayload },
        ago: fc.constantFrom('0s', '5m', '1h', '3d'),
        isCanceled: fc.constantFrom(false, false, false, true),
        markAs: fc.constantFrom(undefined, ...markStates),
      }),
    ),
  })
  .map(({ server: of, environment, people, topics, others, events }): World => {
    const { workflows } = environment;
    const started = workflows.filter(({ active, steps }) => active !== false && steps.length > 0);
    const hasDefaults = environment.integrations === undefined;
    const subscribers = people.map(({ choices, choice, hasDevices, ...person }) => {
      const workflow = choice && at(workflows, choice.workflow)?.workflowId;
      const ofWorkflow = workflow && { [workflow]: { channels: choice.channels } };
      const preferences = { global: choices, workflows: ofWorkflow };
      return {
        ...person,
        ...(choices || ofWorkflow ? { preferences } : {}),
        ...(hasDevices && hasDefaults ? { credentials: devices } : {}),
      };
    });
    const ids = subscribers.map(({ subscriberId }) => subscriberId);
    const development = {
      ...{ name: 'Development', ...environment, subscribers },
      topics: topics.map(({ members, ...topic }) => ({
        ...topic,
        subscribers: [...new Set(members.flatMap((index) => at(ids, index) ?? []))],
      })),
      events: events.flatMap(({ workflow, person, topic, isCanceled, ...event }) => {
        const name = at(started, workflow)?.workflowId;
        const topicKey = topic === undefined ? undefined : at(topics, topic)?.key;
        const to =
          topicKey === undefined ? (at(ids, person) ?? 'new') : { type: 'Topic', topicKey };
        return name === undefined
          ? []
          : [{ ...event, name, to, ...(isCanceled ? { cancelAfter: '0s' } : {}) }];
      }),
    };
    const further = others.filter(({ name }) => name !== 'Development');
    const environments = [
      development,
      ...further.map((one) => ({ ...one, parent: 'Development' })),
    ];
    return { ...of, seed: toJson({ version: 1 as const, environments }) as SandboxState };
  });

/** Any content that the files of an environment can have, which the service stores as it is given. */
export const anyPortableWorld: fc.Arbitrary<World> = fc
  .record({
    server,
    environment: fc.record({
      workflows: workflowsOf(fileId, storedName, validStep),
      layouts: layoutsOf(storedName),
      integrations: integrationsOf(storedName),
      topics: several(
        fc.record({ key: topicKey.filter((key) => key !== '..'), name: maybe(storedName) }),
        ({ key }) => key,
      ),
      contexts: contextsOf(anyJson.map(withoutPrototype)),
    }),
  })
  .map(({ server: of, environment }) => {
    const environments = [{ name: 'Development', ...environment }];
    return { ...of, seed: toJson({ version: 1 as const, environments }) as SandboxState };
  });
