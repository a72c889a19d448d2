// Credentials of integrations in pushes and comparisons: fields that are not secret, references, and secrets that a write
// must not lose.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { filterWrites, listWrites } from '../../support/requests.ts';
import { openEnvironments, secrets, withVariables } from './environment-folder.ts';

interface PlanItem {
  id: string;
  action: string;
  credentials?: string;
  changes: { path: string; from?: unknown; to?: unknown }[];
}

/** The folder `a` is equal to development. */
async function openPulled() {
  const rig = await openEnvironments();
  await rig.pull('a', 'development');
  const edit = (from: string, to: string) => rig.files.edit('a/integrations.yaml', from, to);
  const line = ['environments', 'push', 'a', '-p', 'development', '--json'];
  const run = (more: readonly string[], env: Record<string, string> = withVariables) =>
    rig.svc([...line, ...more], { env });
  const planned = (stdout: string) =>
    (JSON.parse(stdout).plan as PlanItem[]).filter(({ action }) => action !== 'unchanged');
  return { ...rig, edit, run, planned };
}

const otherSender = ['from: news@example.com', 'from: other@example.com'] as const;
const senderChange = {
  ...{ path: 'credentials.from', from: 'news@example.com', to: 'other@example.com' },
};

describe('a credential that is not secret', () => {
  it('is compared by push, --check and diff, without --with-credentials and variables', async () => {
    const { edit, run, planned, svc } = await openPulled();
    expect((await run(['--check'], {})).code).toBe(0);
    edit(...otherSender);
    edit('host: smtp.example.com', 'host: mx.example.com');
    edit('secure: false', 'secure: true');
    const checked = await run(['--check'], {});
    expect(checked.code).toBe(10);
    expect(planned(checked.stdout)).toMatchObject([
      { id: 'sendgrid', credentials: 'differ', changes: [senderChange] },
      {
        id: 'backup-mail',
        changes: [
          { path: 'credentials.host', from: 'smtp.example.com', to: 'mx.example.com' },
          { path: 'credentials.secure', to: true },
        ],
      },
    ]);
    const compared = await svc(['diff', 'development', 'a', '--json']);
    expect(compared.code).toBe(10);
    expect(JSON.parse(compared.stdout).resources).toMatchObject([
      { id: 'backup-mail', action: 'changed', changes: [{ path: 'credentials.host' }, {}] },
      { id: 'sendgrid', action: 'changed', changes: [senderChange] },
    ]);
    const back = await svc(['diff', 'a', 'development', '--json', '--only', 'integrations']);
    expect(JSON.parse(back.stdout).resources[1].changes).toEqual([
      { path: 'credentials.from', from: 'other@example.com', to: 'news@example.com' },
    ]);
  });

  it('is compared between two environments, and secrets are not', async () => {
    const { push, edit, svc } = await openPulled();
    edit(...otherSender);
    await push('a', 'staging');
    const { stdout } = await svc(['diff', 'development', 'staging', '--json'], {});
    expect(JSON.parse(stdout).resources).toMatchObject([
      { kind: 'integration', id: 'sendgrid', changes: [senderChange] },
    ]);
  });

  it('is written with all credentials of the integration, and read back', async () => {
    const { edit, run, answerBy } = await openPulled();
    edit(...otherSender);
    const pushed = await run(['--yes']);
    expect(pushed.code).toBe(0);
    expect(filterWrites(pushed.requests).map(({ body }) => body)).toEqual([
      {
        credentials: {
          ...{ apiKey: secrets.sendgrid, from: 'other@example.com', senderName: 'News' },
        },
      },
    ]);
    expect((await run(['--check'])).code).toBe(0);
    // A service that confirms the write and stores nothing.
    edit('from: other@example.com', 'from: third@example.com');
    answerBy(({ method }) => (method === 'PUT' ? { status: 200, body: { _id: 'i' } } : undefined));
    const ignored = await run(['--yes']);
    expect(ignored.code).toBe(3);
    expect(JSON.parse(ignored.stdout).results).toMatchObject([
      {
        result: 'failed',
        message: 'the service stored other values than were sent: credentials.from',
      },
    ]);
  });

  it('is not written if a variable of the integration is missing', async () => {
    const { edit, run } = await openPulled();
    edit(...otherSender);
    edit('host: smtp.example.com', 'host: mx.example.com');
    const { code, stderr, requests } = await run(['--yes'], {});
    expect({ code, writes: listWrites(requests) }).toEqual({ code: 2, writes: [] });
    expect(printedError(stderr).details.map(({ field }) => field)).toEqual([
      'SENDGRID_API_KEY',
      'BACKUP_MAIL_PASSWORD',
    ]);
  });

  it('is not written if the file lacks a secret that the environment has', async () => {
    const { edit, run } = await openPulled();
    edit('    apiKey:\n      $env: SENDGRID_API_KEY\n', '');
    expect((await run(['--check'])).code).toBe(0);
    edit(...otherSender);
    for (const more of [['--yes'], ['--yes', '--with-credentials'], ['--dry-run']]) {
      const { code, stderr, requests } = await run(more);
      expect({ code, writes: listWrites(requests) }).toEqual({ code: 2, writes: [] });
      expect(printedError(stderr).details).toMatchObject([
        { field: 'integration sendgrid', message: expect.stringContaining('apiKey') },
      ]);
    }
  });

  it('does not make secrets count: only --with-credentials writes them', async () => {
    const { run, planned } = await openPulled();
    const env = { ...withVariables, SENDGRID_API_KEY: 'SG.new' };
    const checked = await run(['--check'], env);
    expect({ code: checked.code, planned: planned(checked.stdout) }).toEqual({
      code: 0,
      planned: [],
    });
    const pushed = await run(['--yes', '--with-credentials'], env);
    expect(filterWrites(pushed.requests)).toHaveLength(1);
  });
});

describe('a value that came from a reference', () => {
  it('is never printed, whatever the field; the name of the variable is', async () => {
    const { edit, run, svc, folder } = await openPulled();
    for (const [from, name] of [
      ['from: news@example.com', 'SENDER'],
      ['host: smtp.example.com', 'MAIL_HOST'],
      ['user: mailer', 'MAIL_USER'],
      ['senderName: News', 'SENDER_NAME'],
      ['port: "587"', 'MAIL_PORT'],
    ] as const)
      edit(from, `${from.split(':')[0]}: { $env: ${name} }`);
    const values = {
      ...{ SENDER: 'first-sender-value', MAIL_HOST: 'first-host-value', MAIL_PORT: '58769' },
      ...{ MAIL_USER: 'first-user-value', SENDER_NAME: 'first-name-value' },
    };
    const next = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value.replace('first', 'next')]),
    );
    const outputs: string[] = [];
    for (const given of [values, next, { ...next, MAIL_PORT: '58770' }])
      for (const more of [
        ['--check'],
        ['--dry-run'],
        ['--save-plan', 'plan.json'],
        ['--yes', '--debug=body'],
      ]) {
        const { stdout, stderr, code } = await run(more, { ...withVariables, ...given });
        expect({ more, code }).toEqual({ more, code: more[0] === '--check' ? 10 : 0 });
        outputs.push(
          stdout,
          stderr,
          readFileSync(path.join(folder, 'a/integrations.yaml'), 'utf8'),
        );
        if (existsSync(path.join(folder, 'plan.json')))
          outputs.push(readFileSync(path.join(folder, 'plan.json'), 'utf8'));
      }
    const text = outputs.join('\n');
    for (const value of [...Object.values(values), ...Object.values(next), '58770'])
      expect(text.split('\n').filter((line) => line.includes(value))).toEqual([]);
    for (const name of Object.keys(values)) expect(text).toContain(`"$env": "${name}"`);
    const shown = await svc(['environments', 'push', 'a', '-p', 'development', '--check'], {
      env: { ...withVariables, ...values },
      tty: true,
    });
    expect(shown.stdout).toContain('credentials.from: "********" → {"$env":"SENDER"}');
  });

  it('cannot be that of a variable of svc', async () => {
    const { edit, run, svc } = await openPulled();
    for (const name of ['SVC_API_KEY', 'svc_base_url']) {
      edit('from: news@example.com', `from: { $env: ${name} }`);
      const env = { ...withVariables, [name]: '' };
      for (const command of [run(['--yes'], env), svc(['diff', 'development', 'a'])]) {
        const { code, stderr, requests } = await command;
        expect({ code, requests }).toEqual({ code: 2, requests: [] });
        expect(stderr).toMatch(/integrations\.yaml:\d+:\d+: \[2\]\.credentials\.from .*svc itself/);
      }
      edit(`from: { $env: ${name} }`, 'from: news@example.com');
    }
  });

  it('gets another name in a pull of an integration that is called svc', async () => {
    const { svc, files, pull } = await openEnvironments();
    await svc([
      ...['integrations', 'create', 'sendgrid', '--channel', 'email', '--identifier', 'svc-mail'],
      ...['--credential', 'apiKey==SG.x', '-p', 'development'],
    ]);
    await pull('a', 'development');
    expect(files.read('a/integrations.yaml')).toContain('$env: _SVC_MAIL_API_KEY');
    expect((await svc(['diff', 'development', 'a'])).code).toBe(0);
  });
});

describe('a variable without a value', () => {
  it.each([['--dry-run'], ['--save-plan', 'plan.json']])('is refused with %s', async (...more) => {
    const { svc, pull, folder } = await openEnvironments();
    await pull('a', 'development');
    const line = ['environments', 'push', 'a', '-p', 'staging', '--json', ...more];
    const { code, stderr, requests } = await svc(line, { env: { TWILIO_TOKEN: 'x' } });
    expect({ code, writes: listWrites(requests) }).toEqual({ code: 2, writes: [] });
    expect(printedError(stderr).details.map(({ field }) => field)).toEqual([
      'SENDGRID_API_KEY',
      'BACKUP_MAIL_PASSWORD',
      'TWILIO_ACCOUNT_SID',
    ]);
    expect(existsSync(path.join(folder, 'plan.json'))).toBe(false);
    expect((await svc(line, { env: withVariables })).code).toBe(0);
  });
});
