// Pushes, pulls and comparisons with a server that shows no credentials (3.17 and later).
import { expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { filterWrites, listWrites } from '../../support/requests.ts';
import type { Ran } from '../../support/rig.ts';
import { openServer319 } from '../../support/server-319.ts';
import { openEnvironments, secrets } from './environment-folder.ts';

/** Development has the seed; staging has only an in-app integration. */
async function openHidden() {
  const rig = await openEnvironments();
  const server = await openServer319(rig);
  const bodies = (requests: Ran['requests']) =>
    filterWrites(requests).map(({ body }) => body as Record<string, unknown>);
  return { ...rig, server, bodies };
}

const sentCredentials = (bodies: readonly Record<string, unknown>[]) =>
  bodies.flatMap(({ credentials }) => (credentials === undefined ? [] : [credentials]));

it('a pull keeps the references and values of the file, and says so once', async () => {
  const rig = await openEnvironments();
  await rig.pull('a', 'development');
  rig.files.edit('a/integrations.yaml', 'SENDGRID_API_KEY', 'MAIL_KEY');
  const before = rig.files.contents('a');
  await openServer319(rig);
  const { code, stdout, stderr } = await rig.svc(
    ['environments', 'pull', 'a', '-p', 'development'],
    { tty: 'stderr', columns: 500 },
  );
  expect(code).toBe(0);
  expect(rig.files.contents('a')).toEqual(before);
  expect(stdout).toContain('integration\tsendgrid\tunchanged');
  expect(stderr.match(/shows no credentials/g)).toHaveLength(1);
  const checked = await rig.push('a', 'development', '--check', '--json');
  expect(checked.code).toBe(0);
  expect(JSON.parse(checked.stdout).plan).toContainEqual({
    ...{ kind: 'integration', id: 'sendgrid', action: 'unchanged', changes: [] },
    credentials: 'unknown',
  });
  expect((await rig.svc(['diff', 'development', 'a'])).code).toBe(0);
});

it('a pull to a new folder refers to a variable for each credential that a provider requires', async () => {
  const { pull, push, files, server } = await openHidden();
  const { code, stdout } = await pull('a', 'development', '--json');
  expect(code).toBe(0);
  const text = files.read('a/integrations.yaml');
  expect(text).toContain(
    '    apiKey:\n      $env: SENDGRID_API_KEY\n    from:\n      $env: SENDGRID_FROM\n    senderName:\n      $env: SENDGRID_SENDER_NAME\n',
  );
  expect(text).toContain('$env: TWILIO_ACCOUNT_SID');
  const reasons = (JSON.parse(stdout) as { id: string; reason: string | null }[]).flatMap(
    ({ id, reason }) => (reason === null ? [] : [[id, reason]]),
  );
  expect(reasons.map(([id]) => id)).toEqual(['backup-mail', 'sendgrid', 'twilio']);
  expect(reasons[1]?.[1]).toBe(
    'its credentials are not readable; it refers to SENDGRID_API_KEY, SENDGRID_FROM and SENDGRID_SENDER_NAME',
  );
  // The references are kept, and needed for a new environment.
  await pull('a', 'development');
  expect(files.read('a/integrations.yaml')).toBe(text);
  const refused = await push('a', 'staging');
  expect({ code: refused.code, writes: listWrites(refused.requests) }).toEqual({
    code: 2,
    writes: [],
  });
  expect(server.integrations.filter(({ identifier }) => identifier === 'sendgrid')).toHaveLength(1);
});

it('also refers to the credentials that only newer servers require, and never erases them', async () => {
  const { pull, push, svc, files, server } = await openHidden();
  const [sendgrid] = server.integrations.filter(({ identifier }) => identifier === 'sendgrid');
  if (!sendgrid) throw new Error('the sandbox has no sendgrid');
  const slack = { ...sendgrid, _id: '7'.repeat(24), identifier: 'team', providerId: 'slack' };
  server.integrations.push({ ...slack, channel: 'chat', primary: false });
  await pull('a', 'development', '--only', 'integrations');
  const text = files.read('a/integrations.yaml');
  const names = ['APPLICATION_ID', 'CLIENT_ID', 'SECRET_KEY', 'SIGNING_SECRET'];
  for (const name of names) expect(text).toContain(`$env: TEAM_${name}`);
  files.edit('a/integrations.yaml', '    signingSecret:\n      $env: TEAM_SIGNING_SECRET\n', '');
  files.write('team.env', names.map((name) => `TEAM_${name}=x\n`).join(''));
  const pushed = await push('a', 'development', '--with-credentials', '--env-file', 'team.env');
  expect({ code: pushed.code, writes: listWrites(pushed.requests) }).toEqual({
    ...{ code: 2, writes: [] },
  });
  expect(pushed.stderr).toContain('its credentials would lose signingSecret');
  const given = ['applicationId==x', 'clientId==x', 'secretKey==x'];
  const line = ['integrations', 'update', 'team', '-p', 'development'];
  const updated = await svc([...line, ...given.flatMap((one) => ['--credential', one])]);
  expect({ code: updated.code, writes: listWrites(updated.requests) }).toEqual({
    ...{ code: 2, writes: [] },
  });
  expect(updated.stderr).toContain('slack requires signingSecret, which is not given');
});

it('a pull does not replace a file that it cannot read, whose references would be lost', async () => {
  const { pull, files } = await openHidden();
  await pull('a', 'development');
  for (const [from, to] of [
    ['channel: email', "channel: ''"],
    ["channel: ''", 'channel: [email'],
  ] as const) {
    files.edit('a/integrations.yaml', from, to);
    const before = files.contents('a');
    const { code, stderr } = await pull('a', 'development');
    expect(code).toBe(2);
    expect(stderr).toMatch(/integrations\.yaml:\d+:\d+: /);
    expect(files.contents('a')).toEqual(before);
  }
});

it('a pull of an environment with an in-app integration only says nothing', async () => {
  const { svc, files } = await openHidden();
  const { stderr } = await svc(['environments', 'pull', 'a', '-p', 'staging'], { tty: 'stderr' });
  expect(stderr).not.toContain('credentials');
  expect(files.read('a/integrations.yaml')).not.toContain('credentials');
});

it('a push writes only what differs, and credentials whole or not at all', async () => {
  const rig = await openEnvironments();
  await rig.pull('a', 'development');
  const server = await openServer319(rig);
  const { push, files } = rig;
  files.edit('a/integrations.yaml', 'name: Mail', 'name: Post');
  const named = await push('a', 'development');
  expect(named.code).toBe(0);
  expect(filterWrites(named.requests).map(({ body }) => body)).toEqual([{ name: 'Post' }]);
  expect(server.find('sendgrid')?.credentials).toMatchObject({ apiKey: secrets.sendgrid });
  const written = await push('a', 'development', '--with-credentials', '--json');
  expect(written.code).toBe(0);
  const sent = sentCredentials(
    filterWrites(written.requests).map(({ body }) => body as Record<string, unknown>),
  );
  expect(sent).toContainEqual({
    ...{ apiKey: secrets.sendgrid, from: 'news@example.com', senderName: 'News' },
  });
  expect(sent).not.toContainEqual({});
  // Without a field that the provider requires, the write would erase it.
  files.edit('a/integrations.yaml', '    senderName: News\n', '');
  files.edit('a/integrations.yaml', '    apiKey:\n      $env: SENDGRID_API_KEY\n', '');
  const partial = await push('a', 'development', '--with-credentials', '--json');
  expect({ code: partial.code, writes: listWrites(partial.requests) }).toEqual({
    code: 2,
    writes: [],
  });
  expect(printedError(partial.stderr).details).toMatchObject([
    { field: 'integration sendgrid', message: expect.stringContaining('apiKey and senderName') },
  ]);
});

it('--with-credentials with nothing to write is an error', async () => {
  const { pull, push, svc, files, bodies } = await openHidden();
  await pull('a', 'development');
  const text = files.read('a/integrations.yaml');
  files.write('a/integrations.yaml', text.replace(/ {2}credentials:\n( {4}.*\n)+/g, ''));
  for (const more of [[], ['--dry-run'], ['--check'], ['--only', 'topics']]) {
    const { code, stderr, requests } = await push(
      'a',
      'development',
      '--with-credentials',
      ...more,
    );
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('no credentials');
  }
  // An empty object counts as absent: it never erases what the service has.
  files.edit('a/integrations.yaml', 'name: Mail', 'name: Post\n  credentials: {}');
  const line = ['environments', 'push', 'a', '-p', 'development', '--yes'];
  const { code, requests } = await svc(line);
  expect({ code, bodies: bodies(requests) }).toEqual({ code: 0, bodies: [{ name: 'Post' }] });
});

it('an active integration without required credentials is refused, or created inactive', async () => {
  const { push, svc, files, server } = await openHidden();
  files.write('b/environment.yaml', '# svc environment, format 1\ncontains: [integrations]\n');
  const item = (id: string, more: string) =>
    `- { identifier: ${id}, providerId: sendgrid, channel: email, ${more} }\n`;
  files.write(
    'b/integrations.yaml',
    `# svc integrations, format 1\n${item('one', 'primary: true, credentials: { from: a@b.co }')}${item('off', 'active: false')}${item('two', 'active: true')}`,
  );
  const refused = await push('b', 'staging', '--json');
  expect({ code: refused.code, writes: listWrites(refused.requests) }).toEqual({
    code: 2,
    writes: [],
  });
  const { details } = printedError(refused.stderr);
  expect(details.map(({ field }) => field)).toEqual(['integration one', 'integration two']);
  expect(details[0]?.message).toContain('apiKey and senderName');
  expect(details[0]?.message).toContain('--allow-missing-credentials');
  const line = ['environments', 'push', 'b', '-p', 'staging', '--allow-missing-credentials'];
  const planned = await svc([...line, '--save-plan', 'plan.json'], { tty: 'stdout', columns: 200 });
  expect(planned.stdout).toContain(
    'credentials: without apiKey and senderName, so it is created inactive',
  );
  const applied = await svc(
    ['environments', 'push', '--plan', 'plan.json', '-p', 'staging', '--yes'],
    { tty: 'stdout', columns: 200 },
  );
  expect(applied.code).toBe(0);
  expect(applied.stdout).toContain(
    'Created 3 integrations inactive, without required credentials: off, one and two.',
  );
  expect(
    ['one', 'two', 'off'].map((id) => {
      const { active, primary } = server.find(id) ?? {};
      return { active, primary };
    }),
  ).toEqual(Array(3).fill({ active: false, primary: false }));
});

it('the command that restores a deleted integration creates it inactive', async () => {
  const { pull, push, svc, files, server } = await openHidden();
  await pull('a', 'development', '--only', 'integrations');
  const text = files.read('a/integrations.yaml');
  files.write('a/integrations.yaml', text.replace(/- identifier: sendgrid\n(?: .*\n)+/, ''));
  const line = ['environments', 'push', 'a', '-p', 'development', '--yes', '--delete'];
  const { code, stdout } = await svc(line, { tty: 'stdout', columns: 300 });
  expect(code).toBe(0);
  expect(server.find('sendgrid')).toBeUndefined();
  const [, restore = ''] =
    /: svc (environments push .*--allow-missing-credentials.*)\n/.exec(stdout) ?? [];
  const restored = await svc([...restore.split(' '), '--yes']);
  expect(restored.code).toBe(0);
  expect(server.find('sendgrid')).toMatchObject({ active: false, primary: false });
  // Without a deletion, the option is not needed.
  files.write('a/integrations.yaml', text.replace('name: Mail', 'name: Post'));
  const updated = await push('a', 'development', '--json');
  expect(updated.stdout).not.toContain('--allow-missing-credentials');
});
