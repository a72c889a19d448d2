// Plans of a push: the writes with their order, and the plans that are refused.
import { describe, expect, it } from 'vitest';
import { SvcError } from '../../src/core/errors.ts';
import type { CredentialState } from '../../src/environment/credentials.ts';
import { checkPlan, countActions, isDeletable, makePlan } from '../../src/environment/plan.ts';
import type { PlannedItem } from '../../src/environment/push-types.ts';
import type { Resource } from '../../src/environment/resource.ts';
import { mask } from '../../src/service/secret-fields.ts';
import {
  creation,
  deletion,
  found,
  integration,
  layout,
  topic,
  unchanged,
  update,
  workflow,
} from './resources.ts';

const apiKey = { $env: 'KEY' };
const complete = { apiKey, from: 'a@b.co', senderName: 'A' };

describe('the plan', () => {
  const planned = (...parameters: Parameters<typeof makePlan>) =>
    makePlan(...parameters).map(({ action, kind, id }) => `${action} ${kind} ${id}`);
  const isAny = () => true;

  it('lists the kinds in the order of writes, the primary integration first, deletions last', () => {
    const wanted = [
      ...[workflow('w'), topic('b'), topic('a'), layout('l'), integration('x')],
      integration('z', { primary: true }),
    ];
    expect(planned(wanted, [], {})).toEqual([
      ...['create layout l', 'create integration z', 'create integration x'],
      ...['create topic a', 'create topic b', 'create workflow w'],
    ]);
    const current = wanted.map((resource) => found(resource));
    expect(planned([topic('a')], current, { isDeletable: isAny })).toEqual([
      ...['unchanged topic a', 'delete workflow w', 'delete topic b'],
      ...['delete integration x', 'delete integration z', 'delete layout l'],
    ]);
    expect(planned([topic('a')], current, {})).toEqual(['unchanged topic a']);
  });

  const primary = integration('old', { primary: true });

  it.each([
    [{ primary: true }, primary, ['create new', 'update old']],
    [{ primary: false }, primary, ['create new']],
    [{ primary: true, channel: 'sms' }, primary, ['create new']],
    [{ primary: true }, integration('old'), ['create new']],
    [{ primary: true }, topic('old'), ['create new']],
  ])('of a new integration with %j takes the place of the primary one', (more, before, items) => {
    const plan = makePlan([integration('new', more)], [found(before)], {});
    expect(plan.map(({ action, id }) => `${action} ${id}`)).toEqual(items);
    const changes = [{ path: 'primary', from: true, to: false }];
    expect(plan.slice(1)).toMatchObject(items.slice(1).map(() => ({ changes })));
  });

  it('takes the place of the primary one by a deletion alone if it is deleted', () => {
    const [wanted, current] = [[integration('new', { primary: true })], [found(primary)]];
    expect(planned(wanted, current, { isDeletable: isAny })).toEqual([
      ...['create integration new', 'delete integration old'],
    ]);
  });

  it.each([
    ['a new one without credentials', {}, undefined, false, ['apiKey', 'from', 'senderName']],
    ['a new one without one of them', {}, { apiKey, from: 'a' }, false, ['senderName']],
    ['a new complete one', {}, complete, true, undefined],
    ['a new one of a provider that needs none', { providerId: 'x' }, undefined, true, undefined],
  ])(
    'creates %s, inactive if credentials are missing',
    (_which, more, credentials, isActive, missing) => {
      const given = integration('one', { active: true, primary: true, ...more }, credentials);
      const [item] = makePlan([given], [], { allowMissingCredentials: true });
      const value = { ...given.value, active: isActive, primary: isActive };
      expect(item).toStrictEqual({
        ...{ kind: 'integration', id: 'one', action: 'create', changes: [] },
        wanted: { ...given, value },
        ...(credentials ? { credentials: { state: 'differ', isWritten: true } } : {}),
        ...(missing ? { missing } : {}),
      });
      const [strict] = makePlan([given], [], {});
      expect(strict?.wanted).toEqual(given);
    },
  );

  it('does not change an existing integration without credentials', () => {
    const given = integration('one', { primary: true });
    const rules = { allowMissingCredentials: true };
    expect(planned([given], [found(given)], rules)).toEqual(['unchanged integration one']);
  });

  const hidden = { state: 'unknown' as CredentialState, changes: [], readable: [] };
  const change = { path: 'credentials.from', to: 'b' };
  it.each([
    ['cannot be compared', undefined, true, undefined, []],
    ['are hidden and kept', hidden, false, { state: 'unknown', isWritten: false }, []],
    [
      ...(['are hidden and written', hidden, true, { state: 'unknown', isWritten: true }] as const),
      [{ path: 'credentials', to: mask }],
    ],
    [
      ...(['are equal', { ...hidden, state: 'equal' as const }, true] as const),
      ...([{ state: 'equal', isWritten: false }, []] as const),
    ],
    [
      'differ in what is not secret',
      { state: 'differ' as const, changes: [change], readable: [change] },
      ...([false, { state: 'differ', isWritten: true }, [change]] as const),
    ],
  ])('of credentials that %s', (_how, compared, withCredentials, state, changes) => {
    const given = integration('one', {}, complete);
    const [item] = makePlan([given], [found(integration('one'))], {
      withCredentials,
      compareCredentials: () => compared,
    });
    expect(item?.credentials).toEqual(state);
    expect(item?.changes).toEqual(changes);
    expect(planned([given], [found(integration('one'))], { withCredentials })).toEqual([
      'unchanged integration one',
    ]);
  });

  it('counts the actions', () => {
    const [a, b] = [topic('a'), topic('b')];
    const plan = [creation(a), update(a, b), update(a, b), unchanged(a)];
    expect(countActions(plan)).toEqual({ create: 1, update: 2, delete: 0, unchanged: 1 });
    expect(countActions([deletion(a)])).toEqual({ create: 0, update: 0, delete: 1, unchanged: 0 });
  });

  it.each([
    ['a topic', true, topic('a'), {}],
    ['a topic with an identifier that no file can have', true, topic('a/b'), {}],
    ['a workflow', true, workflow('w'), {}],
    ['a workflow with an identifier that no file can have', false, workflow('a/b'), {}],
    ['a layout with an identifier that no file can have', false, layout('a/b'), {}],
    ['a workflow that is defined in code', false, workflow('w'), { origin: 'external' }],
    ['a layout of another origin', true, layout('l'), { origin: 'external' }],
    ['the default layout', false, layout('l'), { isPermanent: true }],
  ])('deletes %s: %s', (_which, expected, resource, more) => {
    expect(isDeletable(found(resource, more))).toBe(expected);
  });
});

/** The errors of a plan, as `resource: message`. */
async function problems(
  plan: readonly PlannedItem[],
  more: Partial<Parameters<typeof checkPlan>[0]> = {},
  layouts: readonly string[] = [],
) {
  const push = { wanted: [], target: { place: 'in X' }, ...more };
  const ids = async (kind: string) => (kind === 'layout' ? [...layouts] : []);
  try {
    await checkPlan(push, plan, { ids });
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    expect(error.message).toBe('The plan cannot be carried out. Nothing was written.');
    return error.details.fieldErrors?.map(({ field, message }) => `${field}: ${message}`);
  }
  return [];
}

describe('a plan', () => {
  const missing =
    'workflow mail: step mail-frame refers to layout `frame`, which does not exist in X; push layouts/frame.yaml, too';
  const mail = workflow('mail', ['frame']);
  const [frame, other] = [layout('frame'), topic('frame')];
  it.each<[string, PlannedItem[], string[], string[]]>([
    ['refers to no layout', [creation(mail)], [], [missing]],
    ['has been pushed and refers to no layout', [unchanged(mail)], [], [missing]],
    ['refers to a layout of the environment', [creation(mail)], ['frame'], []],
    ['refers to a new layout', [creation(frame), creation(mail)], [], []],
    ['refers to a deleted layout', [creation(mail), deletion(frame)], ['frame'], [missing]],
    ['refers to another kind', [creation(other), creation(mail)], [], [missing]],
    ['loses another kind', [creation(mail), deletion(other)], ['frame'], []],
  ])('whose workflow %s', async (_how, plan, layouts, expected) => {
    expect(await problems(plan, {}, layouts)).toEqual(expected);
  });

  it('with a problem of a file that is written has its message', async () => {
    const [a, b, c] = [topic('a'), topic('b'), topic('c')];
    const files = [a, b].map((resource) => ({ path: '', mode: undefined, resource }));
    const findErrors = async ({ resource: { id } }: { resource: Resource }) => [`${id} is odd`];
    const plan = [creation(a), unchanged(b), creation(c)];
    expect(await problems(plan, { wanted: files, findErrors })).toEqual(['topic a: a is odd']);
    expect(await problems(plan, { wanted: files })).toEqual([]);
  });

  it('removes no name of a topic and writes no workflow of code', async () => {
    const noName = topic('a', null);
    const problem = 'topic a: the service cannot remove the name of a topic';
    expect(await problems([update(topic('a'), noName)])).toEqual([problem]);
    expect(await problems([creation(noName)])).toEqual([]);
    expect(await problems([update(noName, topic('a'))])).toEqual([]);
    const current = found(workflow('w'), { origin: 'external' });
    expect(await problems([{ ...update(workflow('w'), workflow('w')), current }])).toEqual([
      'workflow w: is not edited in the service (origin external)',
    ]);
    expect(await problems([{ ...unchanged(workflow('w')), current }])).toEqual([]);
  });

  const children = [{ field: 'plan', value: 'pro', operator: 'ODD', on: 'payload' }];
  const conditions = [{ isNegated: false, type: 'GROUP', value: 'AND', children }];
  const noOperator =
    'integration one: conditions.0.children.0.operator must be one of: LARGER, SMALLER, LARGER_EQUAL, SMALLER_EQUAL, EQUAL, NOT_EQUAL, ALL_IN, ANY_IN, NOT_IN, BETWEEN, NOT_BETWEEN, LIKE, NOT_LIKE, IN';
  const stays =
    'integration one: it stays the primary one of email until another integration has `primary: true`';
  const before = integration('one', { primary: true });
  const another = integration('two', { primary: true });
  it.each<[string, PlannedItem[], string[]]>([
    [
      'creates an integration of the service itself',
      [creation(integration('one', { providerId: 'novu-email' }))],
      [
        'integration one: the service does not let requests create an integration of its own provider',
      ],
    ],
    ['creates odd conditions', [creation(integration('one', { conditions }))], [noOperator]],
    ['sets odd conditions', [update(before, integration('one', { conditions }))], [noOperator]],
    [
      'keeps odd conditions',
      [update(integration('one', { conditions }), integration('one', { conditions, name: 'x' }))],
      [],
    ],
    [
      'changes the provider and the channel',
      [update(integration('one'), integration('one', { providerId: 'twilio', channel: 'sms' }))],
      [
        'integration one: its providerId cannot change from sendgrid to twilio; use another identifier',
        'integration one: its channel cannot change from email to sms; use another identifier',
      ],
    ],
    ['takes the primary one from a channel', [update(before, integration('one'))], [stays]],
    ['deactivates it', [update(before, integration('one', { active: false }))], []],
    ['keeps it', [update(before, { ...before, value: { ...before.value, name: 'x' } })], []],
    ['changes no primary one', [update(integration('one'), integration('one'))], []],
    ['replaces it', [update(before, integration('one')), creation(another)], []],
    [
      'takes it and deletes a topic',
      [update(before, integration('one')), deletion(topic('a'))],
      [stays],
    ],
    [
      'replaces it by one of another channel',
      [
        update(before, integration('one')),
        unchanged(integration('two', { primary: true, channel: 'sms' })),
      ],
      [stays],
    ],
    [
      'replaces it by one that is not primary',
      [update(before, integration('one')), creation(integration('two', { active: false }))],
      [stays],
    ],
  ])('that %s', async (_what, plan, expected) => {
    expect(await problems(plan)).toEqual(expected);
  });

  it('sets conditions that the service accepts, in the place of the primary one', async () => {
    const valid = [{ ...conditions[0], children: [{ ...children[0], operator: 'EQUAL' }] }];
    expect(await problems([update(before, integration('one', { conditions: valid }))])).toEqual([]);
  });

  const lacks = (names: string) =>
    `integration one: sendgrid requires ${names}, which the file lacks; add them, or create the integration inactive with --allow-missing-credentials`;
  const loses = (names: string, them: string) =>
    `integration one: its credentials would lose ${names}: the service replaces all of them, and the file lacks ${them}; add {$env: NAME} for each`;
  const written = (
    stored: Record<string, unknown> | undefined,
    file: Record<string, string>,
    isWritten = true,
    providerId = 'sendgrid',
  ): PlannedItem => ({
    ...update(integration('one'), integration('one', { providerId }, file)),
    current: found(integration('one', { providerId }), { response: { credentials: stored } }),
    credentials: { state: 'differ', isWritten },
  });
  const secrets = { apiKey: 'a', token: 'b' };
  it.each<[string, PlannedItem, string[]]>([
    [
      'of a new active integration are missing',
      { ...creation(integration('one')), missing: ['apiKey', 'from'] },
      [lacks('apiKey and from')],
    ],
    [
      'of a new inactive integration are missing',
      { ...creation(integration('one', { active: false })), missing: ['apiKey'] },
      [],
    ],
    ['of a new active integration are complete', creation(integration('one')), []],
    ['lose a secret', written(secrets, { token: 'b' }), [loses('apiKey', 'it')]],
    ['lose two secrets', written(secrets, {}), [loses('apiKey and token', 'them')]],
    ['are not written', written(secrets, {}, false), []],
    ['keep the secrets', written(secrets, secrets), []],
    ['lose what is not secret', written({ from: 'a', secure: true }, {}), []],
    ['lose an empty secret', written({ apiKey: '' }, {}), []],
    [
      'may be stored, and the provider requires them',
      written(undefined, { from: 'a' }),
      [loses('apiKey and senderName', 'them')],
    ],
    ['may be stored, and no provider requires them', written(undefined, {}, true, 'x'), []],
  ])('whose credentials %s', async (_how, item, expected) => {
    expect(await problems([item])).toEqual(expected);
  });
});
