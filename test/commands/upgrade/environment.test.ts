// `svc upgrade check`: what an upgrade affects in an environment, against sandboxes of both versions and a server 3.19.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SandboxState } from '../../../src/sandbox/index.ts';
import { openAssistant } from '../../support/assistant.ts';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { openRig, type Rig, type RunOptions, writeInput } from '../../support/rig.ts';
import { answered, openServer319 } from '../../support/server-319.ts';

interface Finding {
  id: string;
  severity: string;
  thing: string;
  message: string;
  next: string;
}

type Environment = SandboxState['environments'][number];

const state = (development: Partial<Environment> = {}): SandboxState =>
  ({
    version: 1,
    environments: [{ name: 'Development', integrations: [], workflows: [], ...development }],
  }) as SandboxState;

const integration = (
  identifier: string,
  credentials: object = { apiKey: `key-${identifier}` },
) => ({
  ...{ identifier, name: identifier, providerId: 'sendgrid', channel: 'email' },
  ...{ active: true, primary: false, credentials },
});

const workflow = (workflowId: string, controlValues: object) => ({
  ...{ workflowId, name: workflowId },
  steps: [{ stepId: 'in', name: 'In', type: 'in_app', controlValues }],
});

/** Runs the check and returns its findings. */
async function check(rig: Rig, line: string[] = [], options: RunOptions = {}) {
  const ran = await rig.svc(['upgrade', 'check', ...line, '--json'], options);
  return { ...ran, findings: JSON.parse(ran.stdout) as Finding[] };
}

const things = (findings: readonly Finding[], id: string) =>
  findings.filter((finding) => finding.id === id).map(({ thing }) => thing);

describe('an environment of a server 3.11', () => {
  it('without anything that an upgrade affects has no findings', async () => {
    const rig = await openRig({ seed: state() });
    const { code, findings, requests } = await check(rig);
    expect([code, findings]).toEqual([0, []]);
    expect(requests.every(({ line }) => line.startsWith('GET '))).toBe(true);
    const { stdout } = await rig.svc(['upgrade', 'check'], { tty: 'stdout' });
    expect(stdout).toMatch(/^http:.*, from 3\.11\.0 to 3\.19:\nNothing to do\.\n$/);
  });

  it('lists each integration whose credentials are stored, in detail and with exit code 10', async () => {
    const rig = await openRig({
      seed: state({
        integrations: [integration('one'), integration('two'), integration('none', {})],
      } as Partial<Environment>),
    });
    const { code, findings } = await check(rig);
    expect(code).toBe(10);
    expect(findings).toEqual(
      ['one', 'two'].map((id) => ({
        id: 'hidden-credentials',
        severity: 'must',
        thing: `integration ${id}`,
        message: 'From 3.17 on, no key can read its credentials. Keep them outside the service.',
        next: `svc integrations get ${id} --reveal --json`,
      })),
    );
    expect((await check(rig, ['--to', '3.15'])).findings).toEqual([]);
    const skipped = await check(rig, ['--skip', 'hidden-credentials']);
    expect([skipped.code, skipped.findings]).toEqual([0, []]);
  });

  it('compares credentials with a folder and the values of its references', async () => {
    const rig = await openRig({
      seed: state({
        integrations: [integration('one'), integration('two')],
      } as Partial<Environment>),
    });
    await rig.svc(['environments', 'pull', 'kept', '--only', 'integrations']);
    const unset = await check(rig, ['--dir', 'kept']);
    expect(unset.findings.map(({ message }) => message.split(': ')[1])).toEqual(
      Array(2).fill('kept refers to variables without a value.'),
    );
    writeInput(rig, 'secrets', 'ONE_API_KEY=key-one\nTWO_API_KEY=other\n');
    const [two, ...others] = (await check(rig, ['--dir', 'kept', '--env-file', 'secrets']))
      .findings;
    expect(others).toEqual([]);
    expect(two).toMatchObject({
      thing: 'integration two',
      message: expect.stringContaining('kept does not have these values.'),
    });
    const env = { ONE_API_KEY: 'key-one', TWO_API_KEY: 'key-two' };
    const equal = await check(rig, ['--dir', 'kept'], { env });
    expect([equal.code, equal.findings]).toEqual([0, []]);
  });

  it('lists environments whose keys no profile has', async () => {
    const rig = await openRig();
    expect(things((await check(rig)).findings, 'own-environment')).toEqual([
      'environment Production',
    ]);
    await rig.svc(['environments', 'list', '--save-profiles']);
    expect(things((await check(rig)).findings, 'own-environment')).toEqual([]);
    const config = (await rig.svc(['config', 'path'])).stdout.trim();
    const stored = JSON.parse(readFileSync(config, 'utf8'));
    const { key: _key, ...profile } = stored.profiles.production;
    const store = (production: object) =>
      writeFileSync(config, JSON.stringify({ ...stored, profiles: { production } }));
    store({ ...profile, keySource: 'keychain' });
    expect(things((await check(rig)).findings, 'own-environment')).toEqual([]);
    store(profile);
    expect(things((await check(rig)).findings, 'own-environment')).toEqual([
      'environment Production',
    ]);
  });

  it.each([
    'http://127.0.0.1:4000/api/novu',
    'http://10.1.2.3/api',
    'http://[fd00::1]/api',
    'http://app:4000/api',
    'https://app.internal/api',
  ])('lists a bridge at the private address %s', async (url) => {
    const rig = await openRig({ seed: state() });
    const setBridge = (address: string) => {
      rig.answerBy((request) =>
        request.url.pathname === '/v1/environments'
          ? answered(200, [{ ...environment, bridge: { url: address } }])
          : undefined,
      );
    };
    const environment = {
      ...{ _id: '67748580715b67c40eeeb148', name: 'Staging', _organizationId: 'o' },
      ...{ identifier: 'x', apiKeys: [{ key: testKey, _userId: 'u' }] },
    };
    setBridge(url);
    const { code, findings } = await check(rig);
    expect([code, things(findings, 'private-bridge')]).toEqual([10, ['environment Staging']]);
    expect(findings[0]?.message).toContain(url);
    setBridge('https://bridge.example.com/api');
    expect((await check(rig)).findings).toEqual([]);
  });

  it('reports one topic whose subscriptions have no identifier, and empty topics not', async () => {
    const topics = [
      { topicKey: 'empty', name: 'Empty', subscribers: [] },
      { topicKey: 'a', name: 'A', subscribers: ['u1'] },
      { topicKey: 'b', name: 'B', subscribers: ['u1'] },
    ].map(({ topicKey, ...topic }) => ({ key: topicKey, ...topic }));
    const subscribers = [{ subscriberId: 'u1' }];
    const rig = await openRig({ seed: state({ subscribers, topics } as Partial<Environment>) });
    const { findings } = await check(rig);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      id: 'subscription-identifiers',
      severity: 'should',
      next: 'svc help upgrade',
    });
    const none = await openRig({
      seed: state({ topics: topics.slice(0, 1) } as Partial<Environment>),
    });
    expect((await check(none)).findings).toEqual([]);
  });

  it('distinguishes workflows that only 3.19 rejects from those that have errors already', async () => {
    const rig = await openRig({
      seed: state({
        workflows: [
          workflow('fine', { subject: 'S', body: 'B' }),
          workflow('later', { body: 'B', redirect: { url: '//x', target: '_self' } }),
          workflow('now', { body: '{{nonsense.x}}' }),
          { ...workflow('refused', { subject: 'S', body: 'B' }), name: 'n'.repeat(129) },
          { workflowId: 'step', name: 'S', steps: [{ stepId: 'A b', name: 'A', type: 'sms' }] },
        ],
      } as Partial<Environment>),
    });
    const { code, findings } = await check(rig);
    expect(code).toBe(0);
    expect(findings.map(({ severity, thing }) => [severity, thing])).toEqual([
      ['should', 'workflow later'],
      ['note', 'workflow now'],
      ['note', 'workflow refused'],
      ['note', 'workflow step'],
    ]);
    expect(findings[0]?.message).toMatch(
      /^On 3\.19, it gets the status ERROR when it is saved: step in, .*redirect\.url: Invalid URL/,
    );
    expect(findings[1]?.message).toContain('also when it is activated: step in, body: Variable');
    expect(findings[2]?.message).toMatch(
      /^On 3\.19, it still cannot be saved: .*name must be shorter than or equal to 128 characters$/,
    );
    expect(findings[3]?.message).toContain(
      'it still cannot be saved: steps.0.stepId must be a valid slug',
    );
    expect(findings[0]?.next).toBe('svc workflows get later');
  });

  it('keeps the ids of workflows, steps and layouts, whatever they are', async () => {
    const digest = { type: 'regular', amount: 1, unit: 'hours' };
    const steps = [
      { stepId: 'collect', name: 'Other', type: 'digest', controlValues: digest },
      {
        ...{ stepId: 'mail', name: 'Mail', type: 'email' },
        controlValues: { subject: '{{steps.collect.eventCount}}', body: 'x', layoutId: '通知' },
      },
    ];
    const rig = await openRig({
      seed: state({
        layouts: [{ layoutId: '通知', name: 'L' }],
        workflows: [
          { workflowId: '通知', name: '通知', steps },
          { workflowId: 'Old id!', name: 'Old', steps: [] },
        ],
      } as Partial<Environment>),
    });
    const { code, findings } = await check(rig);
    expect([code, findings]).toEqual([0, []]);
  });

  it('has its findings as a table, for programs and as ids, the most urgent first', async () => {
    const rig = await openRig();
    const { findings } = await check(rig);
    const severities = findings.map(({ severity }) => severity);
    expect(severities).toEqual([
      ...severities.filter((severity) => severity === 'must'),
      ...severities.filter((severity) => severity === 'should'),
      ...severities.filter((severity) => severity === 'note'),
    ]);
    const table = await rig.svc(['upgrade', 'check'], { tty: 'stdout' });
    expect(table.code).toBe(10);
    expect(table.stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
    expect(table.stdout).toContain('5 must be done before the upgrade, 2 should be done, 0 notes.');
    const lines = await rig.svc(['upgrade', 'check', '-o', 'ndjson']);
    expect(
      lines.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(findings);
    const ids = await rig.svc(['upgrade', 'check', '-o', 'ids']);
    expect(ids.stdout).toBe('hidden-credentials\nown-environment\nsubscription-identifiers\n');
  });
});

describe('a newer server', () => {
  it('has nothing left to do, and nothing but its environments and its version is read', async () => {
    const rig = await openRig();
    await openServer319(rig);
    const { code, findings, requests } = await check(rig);
    expect([code, findings]).toEqual([0, []]);
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /v1/environments',
      'GET /v1/health-check',
    ]);
  });

  it('of 3.18 has no findings of earlier versions', async () => {
    const rig = await openRig();
    const { findings } = await check(rig, ['--from', '3.18']);
    expect(findings.filter(({ id }) => id !== 'workflow-status')).toEqual([]);
  });
});

it('refuses a version that is older than the present one', async () => {
  const rig = await openRig({ bare: true });
  for (const line of [
    ['--from', '3.18', '--to', '3.12', '--requests', '-'],
    ['--from', '3.19', '--to', '3.12', '--run', '--', 'true'],
  ]) {
    const { code, stderr } = await rig.svc(['upgrade', 'check', ...line], { stdin: '' });
    expect(code).toBe(2);
    expect(stderr).toContain(
      `Error: The present version, ${line[1]}, is newer than 3.12.\nPass a newer version with --to.\n`,
    );
  }
});

it('asks for the version of a server that does not report it', async () => {
  const rig = await openRig({ seed: state() });
  rig.answerBy(({ url }) =>
    url.pathname === '/v1/health-check' ? { status: 404, body: {} } : undefined,
  );
  const { code, stderr } = await rig.svc(['upgrade', 'check']);
  expect([code, stderr]).toEqual([
    2,
    'Error: The present version is unknown.\nPass it with --from.\n  svc upgrade check --from 3.11\n',
  ]);
  expect((await check(rig, ['--from', '3.11'])).findings).toEqual([]);
});

it('runs with a read-only profile, and names the profile in what helps', async () => {
  const rig = await openRig({ bare: true });
  const login = ['login', '--profile', 'live', '--base-url', baseUrl, '--api-key-file', '-'];
  await rig.svc(login, { stdin: testKey });
  await rig.svc(['profiles', 'read-only', 'live']);
  await rig.svc(['login', '--profile', 'other', ...login.slice(3)], { stdin: testKey });
  await rig.svc(['profiles', 'use', 'other']);
  const { code, findings } = await check(rig, ['-p', 'live']);
  expect(code).toBe(10);
  expect(findings[0]?.next).toBe(
    'svc integrations get sendgrid-email --reveal --json --profile live',
  );
});

it('without a service, and nothing else to check, fails as other commands do', async () => {
  const rig = await openRig({ bare: true });
  const { code } = await rig.svc(['upgrade', 'check']);
  expect(code).toBe(4);
});

it.each([
  [['--env-file', 'x'], '--env-file is only for --dir.'],
  [['--seed', 'x'], '--seed is only for --run.'],
  [['--run'], '--run and a command after -- belong together.'],
  [['--', 'npm', 'test'], '--run and a command after -- belong together.'],
])('rejects %j', async (line, message) => {
  const rig = await openRig();
  const { code, stderr, requests } = await rig.svc(['upgrade', 'check', ...line]);
  expect([code, requests]).toEqual([2, []]);
  expect(stderr).toContain(message);
});

it('is a tool that reads, without the parts that run a command', async () => {
  const rig = await openRig();
  const { client, call, end } = await openAssistant(rig, ['--tools', 'upgrade']);
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === 'upgrade_check');
  expect(tool?.annotations).toMatchObject({ readOnlyHint: true });
  const parameters = Object.keys(tool?.inputSchema.properties ?? {});
  expect(parameters).toContain('requests');
  expect(parameters.filter((name) => /^(run|seed|commands?)$/.test(name))).toEqual([]);
  const { items, exitCode } = await call('upgrade_check', { to: '3.19' });
  expect([exitCode, items.length]).toEqual([10, 7]);
  await end();
});
