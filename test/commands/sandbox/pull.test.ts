import { readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileMode } from '../../support/file-mode.ts';
import { filterWrites } from '../../support/requests.ts';
import { openRig, parsed, type Rig, type RunOptions, writeInput } from '../../support/rig.ts';
import { allPersonalValues, data, personalState, secrets } from './personal-state.ts';
import { firstEnvironment, pullState, readFile, stateIn } from './pull-rig.ts';

describe('personal data', () => {
  it('and secrets are not in the file', async () => {
    const { text } = await pullState(personalState());
    const dropped = [...data.subscriber, ...data.context, ...data.addresses];
    for (const value of [...allPersonalValues, ...dropped, ...secrets])
      expect({ value, isThere: text.includes(value) }).toEqual({ value, isThere: false });
  });

  it('in data is kept with --keep-data, except addresses and phone numbers', async () => {
    const { text } = await pullState(personalState(), ['--sample', '9', '--keep-data']);
    for (const value of [...data.subscriber, ...data.context]) expect(text).toContain(value);
    for (const value of [...allPersonalValues, ...data.addresses, ...secrets])
      expect({ value, isThere: text.includes(value) }).toEqual({ value, isThere: false });
  });

  it('is kept with --with-personal-data, but not secrets', async () => {
    const { text, summary } = await pullState(personalState(), [
      ...['--sample', '9', '--with-personal-data'],
    ]);
    for (const value of [...allPersonalValues, ...data.subscriber, ...data.addresses])
      expect(text).toContain(value);
    for (const value of secrets)
      expect({ value, isThere: text.includes(value) }).toEqual({ value, isThere: false });
    expect(summary).toMatchObject({ personalData: 'kept', dropped: { credentials: 1 } });
    expect(text.split('\n')[0]).toContain('Contains personal data.');
  });

  it('gets the same valid replacement wherever it is in the file', async () => {
    const { state } = await pullState(personalState());
    const { subscribers, topics, contexts } = firstEnvironment(state);
    const [grace, jean, other, radia, plain] = subscribers;
    expect(grace?.email).toMatch(/^[a-z.]+\d{4}@example\.com$/);
    expect(grace?.phone).toMatch(/^\+999\d{12}$/);
    expect(grace?.avatar).toMatch(/^https:\/\/example\.com\/avatars\/[0-9a-f]+\.png$/);
    expect(grace?.firstName).toMatch(/^[A-Z][a-z]{7}$/);
    expect(other).toMatchObject({ firstName: jean?.firstName, lastName: grace?.firstName });
    // The id of one subscriber is the phone number of another one.
    expect(jean?.subscriberId).toBe(grace?.phone);
    expect(other?.subscriberId).toMatch(/^999\d{12}$/);
    expect(radia?.subscriberId).toMatch(/^user:[a-z.]+\d{4}@example\.com$/);
    expect(plain).toEqual({ subscriberId: 'plain-id', firstName: '', lastName: null });
    expect(topics[0]?.subscribers).toEqual([
      ...[grace?.subscriberId, jean?.subscriberId, 'plain-id'],
    ]);
    expect(topics[1]).toMatchObject({
      key: `watchers:${grace?.subscriberId}`,
      name: `Watchers of ${grace?.subscriberId}`,
    });
    expect(contexts[1]?.id).toMatch(/^999\d{12}$/);
    const ids = subscribers.map(({ subscriberId }) => subscriberId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('gets other replacements in the next file', async () => {
    const { rig, state } = await pullState(personalState());
    await rig.svc(['sandbox', 'pull', '--file', 'b.yaml', '--sample', '9']);
    const [one] = firstEnvironment(state).subscribers;
    const [other] = stateIn(rig, 'b.yaml').subscribers;
    expect(other?.email).not.toBe(one?.email);
    expect(other?.firstName).not.toBe(one?.firstName);
  });

  it('is counted in the summary', async () => {
    const { summary } = await pullState(personalState());
    expect(summary).toMatchObject({
      ...{ file: 'state.yaml', profile: null, compat: 'novu', personalData: 'replaced' },
      counts: {
        ...{ integrations: 5, layouts: 2, workflows: 4, steps: 5, subscribers: 5 },
        ...{ preferences: 2, topics: 3, subscriptions: 4, contexts: 2 },
      },
      replaced: {
        ...{ subscriberIds: 4, names: 8, emails: 3, phones: 3, avatars: 1, topicKeys: 2 },
        ...{ topicNames: 1, contextIds: 1 },
      },
      dropped: { subscriberData: 1, contextData: 1, credentials: 1, invalidFields: 0 },
      ...{ notOffered: [], leftOut: [] },
    });
  });
});

describe('the file', () => {
  it('is private, and the only thing that is written', async () => {
    const { rig } = await pullState(personalState());
    expect(fileMode(path.join(rig.folder, 'state.yaml'))).toBe('600');
    expect(readdirSync(rig.folder).filter((name) => name !== 'cache')).toEqual(['state.yaml']);
  });

  it('is replaced only after a confirmation', async () => {
    const rig = await openRig();
    const line = ['sandbox', 'pull', '--file', 'state.yaml'];
    await rig.svc(line);
    const mine = `${readFile(rig)}# mine\n`;
    writeInput(rig, 'state.yaml', mine);
    const refused = await rig.svc(line);
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
    expect(refused.stderr).toContain('to replace state.yaml.');
    expect(refused.stderr).toContain('--yes');
    expect(readFile(rig)).toBe(mine);
    expect((await rig.svc([...line, '--yes'])).code).toBe(0);
    expect(readFile(rig)).not.toContain('# mine');
    expect(stateIn(rig).workflows).toHaveLength(12);
  });

  it('must be a regular file in an existing folder', async () => {
    const rig = await openRig();
    symlinkSync('elsewhere', path.join(rig.folder, 'link.yaml'));
    const run = (...line: string[]) => rig.svc(['sandbox', 'pull', ...line]);
    expect((await run('--file', 'link.yaml', '--yes')).stderr).toContain('not a regular file');
    expect((await run('--file', rig.folder, '--yes')).code).toBe(2);
    expect((await run('--file', 'none/state.yaml')).code).toBe(8);
    expect((await run('--file', '-')).code).toBe(2);
    const missing = await run();
    expect({ code: missing.code, requests: missing.requests }).toEqual({ code: 2, requests: [] });
    expect(missing.stderr).toContain('--file is missing');
  });

  it.each<[string, (rig: Rig) => RunOptions]>([
    [
      'fails in the middle',
      (rig) => {
        rig.answerBy(({ url }) =>
          url.pathname === '/v2/contexts' ? { status: 400, body: { message: 'no' } } : undefined,
        );
        return {};
      },
    ],
    [
      'is interrupted in the middle',
      (rig) => {
        const controller = new AbortController();
        rig.answerBy(({ url }) => {
          if (url.pathname === '/v2/contexts') controller.abort('interrupted');
          return undefined;
        });
        return { shutdownSignal: controller.signal };
      },
    ],
  ])('is unchanged if the command %s', async (_how, prepare) => {
    const rig = await openRig();
    writeInput(rig, 'state.yaml', 'mine');
    const options = prepare(rig);
    const line = ['sandbox', 'pull', '--file', 'state.yaml', '--force', '--sample', '9'];
    expect([6, 130]).toContain((await rig.svc(line, options)).code);
    expect(readFile(rig)).toBe('mine');
    expect(readdirSync(rig.folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('that another program creates in the meantime is not replaced', async () => {
    const rig = await openRig();
    rig.answerBy(({ url }) => {
      if (url.pathname === '/v2/contexts') writeInput(rig, 'state.yaml', 'theirs');
      return undefined;
    });
    const { code, stderr } = await rig.svc(['sandbox', 'pull', '--file', 'state.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain('created by another program');
    expect(readFile(rig)).toBe('theirs');
  });

  it('is not written in a dry run, which reports the same', async () => {
    const { ran, rig } = await pullState(personalState());
    const dry = await rig.svc([
      ...['sandbox', 'pull', '--file', 'dry.yaml', '--json', '--sample', '100', '--dry-run'],
    ]);
    expect({ ...parsed(dry.stdout), file: 'state.yaml' }).toEqual(parsed(ran.stdout));
    expect(readdirSync(rig.folder)).not.toContain('dry.yaml');
  });
});

it('the command only reads, also with --read-only', async () => {
  const { svc } = await openRig();
  const line = ['sandbox', 'pull', '--file', 'state.yaml', '--sample', '9', '--read-only'];
  const { code, requests } = await svc(line);
  expect(code).toBe(0);
  expect(filterWrites(requests)).toEqual([]);
});

it('a terminal shows what the file contains and how to use it', async () => {
  const { svc } = await openRig({ seed: personalState() });
  const line = ['sandbox', 'pull', '--file', 'state.yaml', '--sample', '9'];
  const { code, stdout } = await svc(line, { tty: true, columns: 300 });
  expect(code).toBe(0);
  expect(stdout).toBe(
    [
      'Wrote http://sandbox.localhost to state.yaml:',
      '  4 workflows with 5 steps, 2 layouts, 5 integrations',
      '  5 subscribers, 2 with preferences; 3 topics with 4 subscriptions; 2 contexts',
      'Replaced: 4 subscriber ids, 8 names, 3 e-mail addresses, 3 phone numbers, 1 avatar, 2 topic keys, 1 topic name, 1 context id.',
      'Dropped: data of 1 subscriber, data of 1 context, credentials of 1 subscriber.',
      'Use it: svc sandbox start --seed state.yaml',
      '',
    ].join('\n'),
  );
});

describe('subscriptions of topics', () => {
  const subscription = {
    ...{ subscriberId: 'ada@acme.test', identifier: 'ada@acme.test:premium', name: '高級' },
    contextKeys: ['tenant:acme'],
    preferences: [
      {
        ...{ workflowId: 'welcome', enabled: true },
        condition: { '===': [{ var: 'payload.tier' }, 'premium'] },
      },
    ],
  };
  const seed = (service: '3.11' | '3.19') => ({
    version: 1 as const,
    service,
    environments: [
      {
        name: 'Development',
        workflows: [{ workflowId: 'welcome', name: 'Welcome', steps: [] }],
        subscribers: [{ subscriberId: 'ada@acme.test' }, { subscriberId: 'u2' }],
        topics: [
          { key: 'empty' },
          { key: 'news', subscribers: ['u2'], subscriptions: [subscription] },
        ],
      },
    ],
  });

  it('keep identifiers, names, contexts and choices, and the file names the version', async () => {
    const { state, summary } = await pullState(seed('3.19'), [
      ...['--sample', '9', '--with-personal-data'],
    ]);
    expect(state.service).toBe('3.19');
    expect(summary).toMatchObject({ service: '3.19', counts: { subscriptions: 2 } });
    expect(firstEnvironment(state).topics).toEqual([
      { key: 'empty', name: null, subscribers: [] },
      { key: 'news', name: null, subscribers: ['u2'], subscriptions: [subscription] },
    ]);
  });

  it('have no addresses of people', async () => {
    const { text, content } = await pullState(seed('3.19'), ['--sample', '9']);
    expect(text).not.toContain('acme.test');
    const [ada] = content.subscribers;
    expect(content.topics[1]?.subscriptions).toEqual([
      {
        ...subscription,
        subscriberId: ada?.subscriberId,
        identifier: `${ada?.subscriberId}:premium`,
      },
    ]);
  });

  it('are only the subscribers before 3.12', async () => {
    const { state, content } = await pullState(seed('3.11'), ['--sample', '9']);
    expect(state.service).toBe('3.11');
    expect(content.topics[1]?.subscribers).toHaveLength(2);
    expect(content.topics[1]).not.toHaveProperty('subscriptions');
  });
});
