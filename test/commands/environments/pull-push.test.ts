// `svc environments pull` and `svc environments push`: whole environments as files.
import { describe, expect, it } from 'vitest';
import { modes } from '../../../src/service/mode.ts';
import { printedError } from '../../support/printed-error.ts';
import { listWrites } from '../../support/requests.ts';
import { openEnvironments, withVariables } from './environment-folder.ts';

describe.each(modes)('with a server in the mode %s', (mode) => {
  it('a pull and a push change nothing', async () => {
    const { pull, push, files } = await openEnvironments({ mode });
    expect((await pull('a', 'development')).code).toBe(0);
    const before = files.contents('a');
    const pushed = await push('a', 'development', '--delete', '--with-credentials');
    expect({ code: pushed.code, writes: listWrites(pushed.requests) }).toEqual({
      code: 0,
      writes: [],
    });
    await pull('a', 'development');
    expect(files.contents('a')).toEqual(before);
  });

  it('a pull of A, a push to an empty B and a pull of B give the same bytes', async () => {
    const { pull, push, files } = await openEnvironments({ mode });
    await pull('a', 'development');
    const pushed = await push('a', 'staging', '--with-credentials', '--json');
    expect({ code: pushed.code, stderr: pushed.stderr }).toEqual({ code: 0, stderr: '' });
    expect((await pull('b', 'staging')).code).toBe(0);
    expect(files.contents('b')).toEqual(files.contents('a'));
  });
});

describe('the files', () => {
  it('name the kinds, contain no ids and no secrets, and refer to variables', async () => {
    const { pull, files } = await openEnvironments();
    const { stdout } = await pull('a', 'development');
    expect(Object.keys(files.contents('a'))).toEqual([
      '.gitattributes',
      'contexts.yaml',
      'environment.yaml',
      'integrations.yaml',
      'topics.yaml',
      'workflows/.gitattributes',
      'workflows/layouts/frame.email.body.html',
      'workflows/layouts/frame.yaml',
      'workflows/welcome.mail.body.html',
      'workflows/welcome.yaml',
    ]);
    expect(stdout).toContain('workflow\twelcome\tcreated\tworkflows/welcome.yaml\t\n');
    expect(files.read('a/environment.yaml')).toBe(
      '# svc environment, format 1\ncontains:\n  - layouts\n  - integrations\n  - contexts\n  - topics\n  - workflows\n',
    );
    expect(files.read('a/topics.yaml')).toBe(
      '# svc topics, format 1\n- key: news\n  name: News\n- key: unnamed\n',
    );
    expect(files.read('a/contexts.yaml')).toBe(
      '# svc contexts, format 1\n- type: tenant\n  id: acme\n  data:\n    plan: pro\n    seats: 3\n',
    );
    expect(files.read('a/integrations.yaml')).toMatchInlineSnapshot(`
      "# svc integrations, format 1
      - identifier: backup-mail
        providerId: nodemailer
        channel: email
        name: Backup mail
        active: true
        primary: false
        conditions:
          - isNegated: false
            type: GROUP
            value: AND
            children:
              - field: plan
                value: pro
                operator: EQUAL
                on: payload
        credentials:
          user: mailer
          password:
            $env: BACKUP_MAIL_PASSWORD
          host: smtp.example.com
          port: "587"
          from: b@example.com
          senderName: Backup
          secure: false
      - channel: in_app
        name: Inbox
        active: true
        credentials:
          hmac: true
      - identifier: sendgrid
        providerId: sendgrid
        channel: email
        name: Mail
        active: true
        primary: true
        credentials:
          apiKey:
            $env: SENDGRID_API_KEY
          from: news@example.com
          senderName: News
      - identifier: twilio
        providerId: twilio
        channel: sms
        name: Text messages
        active: false
        primary: false
        credentials:
          accountSid:
            $env: TWILIO_ACCOUNT_SID
          token:
            $env: TWILIO_TOKEN
          from: "+15550100"
      "
    `);
  });
});

describe('credentials', () => {
  it('of new integrations are needed, and every missing variable is named before a write', async () => {
    const { pull, svc } = await openEnvironments();
    await pull('a', 'development');
    const line = ['environments', 'push', 'a', '-p', 'staging', '--yes'];
    const { code, stderr, requests } = await svc(line, { env: { TWILIO_TOKEN: 'x' } });
    expect({ code, writes: listWrites(requests) }).toEqual({ code: 2, writes: [] });
    for (const name of ['SENDGRID_API_KEY', 'BACKUP_MAIL_PASSWORD', 'TWILIO_ACCOUNT_SID'])
      expect(stderr).toContain(name);
    expect(stderr).not.toContain('TWILIO_TOKEN');
  });

  it('come from --env-file, too, and arrive with their types', async () => {
    const { pull, svc, files } = await openEnvironments();
    await pull('a', 'development');
    files.write(
      'secrets.env',
      Object.entries(withVariables)
        .map(([name, value]) => `${name}="${value}"\n`)
        .join(''),
    );
    const pushed = await svc([
      ...['environments', 'push', 'a', '-p', 'staging', '--yes', '--env-file', 'secrets.env'],
    ]);
    expect(pushed.code).toBe(0);
    const { stdout } = await svc(['integrations', 'list', '-p', 'staging', '--json', '--reveal']);
    const all = JSON.parse(stdout) as { identifier: string; credentials: object }[];
    expect(all.find(({ identifier }) => identifier === 'backup-mail')?.credentials).toEqual({
      ...{ host: 'smtp.example.com', port: '587', user: 'mailer', secure: false },
      ...{ password: 'seed-secret-password-2', from: 'b@example.com', senderName: 'Backup' },
    });
  });

  it('of existing integrations are written only with --with-credentials; the plan compares them', async () => {
    const { pull, svc, files } = await openEnvironments();
    await pull('a', 'development');
    const checkState = async (env: Record<string, string>, ...more: string[]) => {
      const line = ['environments', 'push', 'a', '-p', 'development', '--check', '--json', ...more];
      const { stdout, code } = await svc(line, { env });
      const { plan } = JSON.parse(stdout) as {
        plan: { id: string; action: string; credentials?: string; changes: object[] }[];
      };
      const item = plan.find(({ id }) => id === 'sendgrid');
      return { code, action: item?.action, state: item?.credentials, changes: item?.changes };
    };
    const unchanged = { code: 0, action: 'unchanged', changes: [] };
    expect(await checkState({})).toEqual({ ...unchanged, state: 'unknown' });
    expect(await checkState(withVariables)).toEqual({ ...unchanged, state: 'equal' });
    const other = { ...withVariables, SENDGRID_API_KEY: 'SG.new' };
    expect(await checkState(other)).toEqual({ ...unchanged, state: 'differ' });
    expect(await checkState(other, '--with-credentials')).toEqual({
      ...{ code: 10, action: 'update', state: 'differ' },
      changes: [{ path: 'credentials.apiKey', from: '********', to: { $env: 'SENDGRID_API_KEY' } }],
    });
    const line = ['environments', 'push', 'a', '-p', 'development', '--yes', '--with-credentials'];
    const { requests } = await svc(line, { env: other });
    expect(listWrites(requests)).toHaveLength(1);
    expect(requests.find(({ line: text }) => text.startsWith('PUT'))?.body).toEqual({
      credentials: { apiKey: 'SG.new', from: 'news@example.com', senderName: 'News' },
    });
    files.edit('a/integrations.yaml', 'name: Mail', 'name: Post');
    const named = await svc(line.slice(0, -1));
    expect(named.requests.find(({ line: text }) => text.startsWith('PUT'))?.body).toEqual({
      name: 'Post',
    });
  });

  it('that are secret cannot be plain texts in a file', async () => {
    const { pull, push, files } = await openEnvironments();
    await pull('a', 'development');
    files.edit('a/integrations.yaml', '$env: SENDGRID_API_KEY', 'SG.plain');
    files.edit('a/integrations.yaml', 'apiKey:\n      SG.plain', 'apiKey: SG.plain');
    const { code, stderr, requests } = await push('a', 'staging');
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toMatch(/integrations\.yaml:\d+:\d+: \[2\]\.credentials\.apiKey is secret/);
    expect(stderr).not.toContain('SG.plain');
  });

  it('keep the references of the file in a pull', async () => {
    const { pull, files } = await openEnvironments();
    await pull('a', 'development');
    files.edit('a/integrations.yaml', 'SENDGRID_API_KEY', 'MAIL_KEY');
    files.edit('a/integrations.yaml', 'from: news@example.com', 'from: { $env: SENDER }');
    const { stdout } = await pull('a', 'development');
    expect(files.read('a/integrations.yaml')).toContain('$env: MAIL_KEY');
    expect(files.read('a/integrations.yaml')).toContain('$env: SENDER');
    expect(stdout).toContain('integration\tsendgrid\tunchanged');
  });
});

describe('integrations', () => {
  it('of the in-app channel are matched by the channel, and keep their identifier', async () => {
    const { pull, push, svc, files } = await openEnvironments();
    await pull('a', 'development');
    await push('a', 'staging');
    files.edit('a/integrations.yaml', 'name: Inbox', 'name: Our inbox');
    const { code, requests } = await push('a', 'staging', '--only', 'integrations', '--delete');
    expect(code).toBe(0);
    expect(listWrites(requests)).toHaveLength(1);
    const { stdout } = await svc(['integrations', 'list', '-p', 'staging', '--json']);
    const inApp = (
      JSON.parse(stdout) as { channel: string; name: string; identifier: string }[]
    ).filter(({ channel }) => channel === 'in_app');
    expect(inApp).toMatchObject([{ name: 'Our inbox' }]);
    expect(inApp[0]?.identifier).not.toBe('in-app-dev');
  });

  it('change places as the primary one; the one without a file is in the plan', async () => {
    const { pull, push, svc, files } = await openEnvironments();
    await pull('a', 'development', '--only', 'integrations');
    await push('a', 'staging');
    files.write('b/environment.yaml', '# svc environment, format 1\n');
    files.write(
      'b/integrations.yaml',
      '# svc integrations, format 1\n- { identifier: new-mail, providerId: sendgrid, channel: email, name: New, primary: true, credentials: { apiKey: { $env: SENDGRID_API_KEY }, from: a@b.co, senderName: A } }\n',
    );
    const planned = await push('b', 'staging', '--check', '--json');
    expect(planned.code).toBe(10);
    expect(JSON.parse(planned.stdout)).toMatchObject({
      plan: [
        { id: 'new-mail', action: 'create' },
        { id: 'sendgrid', action: 'update', changes: [{ path: 'primary', from: true, to: false }] },
      ],
    });
    const primaries = async () => {
      const { stdout } = await svc(['integrations', 'list', '-p', 'staging', '--json']);
      const all = JSON.parse(stdout) as { identifier: string; primary: boolean }[];
      return all.flatMap(({ identifier, primary }) => (primary ? [identifier] : []));
    };
    const pushed = await svc(['environments', 'push', 'b', '-p', 'staging', '--yes'], {
      ...{ env: withVariables, tty: true, columns: 400 },
    });
    expect(pushed.code).toBe(0);
    expect(await primaries()).toEqual(['new-mail']);
    const [, backup = ''] = /To restore .*: svc environments push (\S+)/.exec(pushed.stdout) ?? [];
    expect((await push(backup, 'staging')).code).toBe(0);
    expect(await primaries()).toEqual(['sendgrid']);
  });

  it('that cannot be what the file says are refused before a write', async () => {
    const { pull, push, files } = await openEnvironments();
    await pull('a', 'development', '--only', 'integrations');
    files.edit('a/integrations.yaml', 'providerId: sendgrid', 'providerId: mailgun');
    files.edit('a/integrations.yaml', 'primary: true', 'primary: false');
    const { code, stderr, requests } = await push('a', 'development');
    expect({ code, writes: listWrites(requests) }).toEqual({ code: 2, writes: [] });
    expect(stderr).toContain('its providerId cannot change from sendgrid to mailgun');
    expect(stderr).toContain('it stays the primary one of email until another integration');
  });
});

describe('svc environments push', () => {
  it('writes in the order layouts, integrations, contexts, topics, workflows, and deletes backwards', async () => {
    const { pull, push, files } = await openEnvironments();
    await pull('a', 'development');
    const created = await push('a', 'staging', '--json');
    const printedKinds = (stdout: string) => [
      ...new Set((JSON.parse(stdout).results as { kind: string }[]).map(({ kind }) => kind)),
    ];
    expect(printedKinds(created.stdout)).toEqual([
      'layout',
      'integration',
      'context',
      'topic',
      'workflow',
    ]);
    files.remove('a/workflows/welcome.yaml');
    files.remove('a/workflows/layouts');
    for (const kind of ['integrations', 'contexts', 'topics'])
      files.write(`a/${kind}.yaml`, `# svc ${kind}, format 1\n[]\n`);
    const deleted = await push('a', 'staging', '--delete', '--json');
    expect(deleted.code).toBe(0);
    // The default layout and the in-app integration stay.
    expect(
      JSON.parse(deleted.stdout).results.map(
        ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`,
      ),
    ).toEqual([
      'workflow welcome',
      'topic news',
      'topic unnamed',
      'context tenant:acme',
      'integration backup-mail',
      'integration sendgrid',
      'integration twilio',
    ]);
  });

  it('has --check with 10, and --only', async () => {
    const { pull, svc, files } = await openEnvironments();
    await pull('a', 'development');
    const check = (...more: string[]) =>
      svc(['environments', 'push', 'a', '-p', 'development', '--check', ...more]);
    expect((await check()).code).toBe(0);
    files.edit('a/topics.yaml', 'name: News', 'name: Other');
    expect((await check()).code).toBe(10);
    expect((await check('--only', 'workflows,contexts')).code).toBe(0);
    expect((await check('--only', 'topic')).stderr).toContain('Did you mean `topics`?');
  });

  it('skips what was changed after the plan, and stops when the service stores something else', async () => {
    const { pull, svc, files, answerBy } = await openEnvironments();
    await pull('a', 'development');
    files.edit('a/topics.yaml', 'name: News', 'name: Other');
    files.edit('a/contexts.yaml', 'plan: pro', 'plan: free');
    answerBy(({ method, url }) =>
      method === 'GET' && url.pathname === '/v2/topics/news'
        ? { status: 200, body: { data: { _id: 'x', key: 'news', name: 'By others' } } }
        : undefined,
    );
    const line = ['environments', 'push', 'a', '-p', 'development', '--yes', '--json'];
    const { code, stdout } = await svc(line);
    expect(code).toBe(3);
    expect(JSON.parse(stdout).results).toMatchObject([
      { kind: 'context', id: 'tenant:acme', result: 'written' },
      {
        kind: 'topic',
        id: 'news',
        result: 'skipped',
        message: 'it was changed after the plan was made',
      },
    ]);
    answerBy(({ method, url }) =>
      method === 'PATCH' && url.pathname === '/v2/topics/news'
        ? { status: 200, body: { data: { _id: 'x', key: 'news', name: 'Other' } } }
        : undefined,
    );
    const stopped = await svc(line);
    expect(stopped.code).toBe(3);
    expect(JSON.parse(stopped.stdout).results).toMatchObject([
      {
        id: 'news',
        result: 'failed',
        message: 'the service stored other values than were sent: name',
      },
    ]);
    expect(printedError(stopped.stderr).next[0]).toMatch(/^svc environments push \S+\/backup/);
  });

  it('prints the command that restores the previous versions of every kind', async () => {
    const { pull, push, svc, files } = await openEnvironments();
    await pull('a', 'development');
    const before = files.contents('a');
    files.edit('a/topics.yaml', 'name: News', 'name: Other');
    files.edit('a/contexts.yaml', 'plan: pro', 'plan: free');
    files.edit('a/integrations.yaml', 'name: Mail', 'name: Post');
    files.edit('a/workflows/welcome.yaml', 'name: Welcome', 'name: Hi');
    const { stdout } = await svc(['environments', 'push', 'a', '-p', 'development', '--yes'], {
      tty: 'stdout',
      columns: 200,
    });
    expect(stdout).toContain('This does not bring back credentials.');
    const [, line = ''] = /: svc (environments push .*)\n/.exec(stdout) ?? [];
    const restored = await svc([...line.split(' '), '--yes']);
    expect(restored.code).toBe(0);
    files.remove('a');
    await pull('a', 'development');
    expect(files.contents('a')).toEqual(before);
    expect((await push('a', 'development', '--check')).code).toBe(0);
  });

  it('asks after the plan, and for the name of a protected profile after it, too', async () => {
    const { pull, svc, edit } = await openEnvironments();
    await pull('a', 'development');
    edit(({ profiles }) => {
      if (profiles.staging) profiles.staging.protected = true;
    });
    const line = ['environments', 'push', 'a', '-p', 'staging', '--only', 'topics'];
    const refused = await svc(line);
    expect(refused).toMatchObject({ code: 2, requests: [] });
    expect(refused.stderr).toContain('--confirm staging');
    expect((await svc([...line, '--yes', '--confirm', 'staging'])).code).toBe(0);
  });
});
