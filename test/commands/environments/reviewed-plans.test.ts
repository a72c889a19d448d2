// Plans that are saved, reviewed and applied: --save-plan and --plan.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileMode } from '../../support/file-mode.ts';
import { printedError } from '../../support/printed-error.ts';
import { listWrites } from '../../support/requests.ts';
import { words } from '../../support/words.ts';
import {
  openEnvironments,
  writeResults as results,
  secrets,
  withVariables,
} from './environment-folder.ts';

interface PlanFile {
  format: number;
  command: string;
  origin: string;
  environment: { id: string; name: string };
  options: Record<string, unknown>;
  resources: {
    kind: string;
    id: string;
    action: string;
    changes: unknown[];
    fileHash: string | null;
    targetHash: string | null;
  }[];
}

/** A plan that creates and updates resources of every kind in staging. */
async function openPlanned(...more: string[]) {
  const rig = await openEnvironments();
  await rig.pull('a', 'development');
  await rig.push('a', 'staging');
  rig.files.edit('a/topics.yaml', 'name: News', 'name: Other');
  rig.files.edit('a/contexts.yaml', 'plan: pro', 'plan: free');
  rig.files.edit('a/integrations.yaml', 'name: Mail', 'name: Post');
  rig.files.edit('a/workflows/welcome.yaml', 'name: Welcome', 'name: Hi');
  rig.files.edit('a/workflows/layouts/frame.email.body.html', '<body>', '<body><hr>');
  const saved = await rig.svc([
    ...['environments', 'push', 'a', '-p', 'staging', '--save-plan', 'plan.json', ...more],
  ]);
  const apply = () =>
    rig.svc(['environments', 'push', '--plan', 'plan.json', '-p', 'staging', '--yes', '--json']);
  const read = () =>
    JSON.parse(readFileSync(path.join(rig.folder, 'plan.json'), 'utf8')) as PlanFile;
  return { ...rig, saved, apply, read };
}

describe('svc environments push', () => {
  it('names a folder or a plan that does not exist, and the command that creates it', async () => {
    const { svc } = await openEnvironments();
    const push = async (...args: string[]) =>
      (await svc(['environments', 'push', ...args, '-p', 'staging'])).stderr;
    const folder = await push('missing');
    expect(folder).toContain('missing does not contain the file environment.yaml.');
    expect(folder).toContain('svc environments pull missing');
    expect(await push('--plan', 'missing.json')).toContain(
      'The plan missing.json does not exist: create it with --save-plan.',
    );
  });
});

describe('svc environments push --save-plan', () => {
  it('writes the plan, sends no write and exits with 0', async () => {
    const { saved, read, folder } = await openPlanned();
    expect({ code: saved.code, writes: listWrites(saved.requests) }).toEqual({
      code: 0,
      writes: [],
    });
    const { resources, ...head } = read();
    expect(head).toMatchObject({
      format: 1,
      command: 'environments push',
      origin: 'http://sandbox.localhost',
      environment: { id: expect.stringMatching(/^[0-9a-f]{24}$/), name: 'Staging' },
      options: { folder: 'a' },
    });
    expect(resources.map(({ kind, id, action }) => `${action} ${kind} ${id}`)).toEqual([
      'update layout frame',
      'update integration sendgrid',
      'unchanged integration backup-mail',
      'unchanged integration in_app',
      'unchanged integration twilio',
      'update context tenant:acme',
      'update topic news',
      'unchanged topic unnamed',
      'update workflow welcome',
    ]);
    for (const { fileHash, targetHash } of resources)
      for (const hash of [fileHash, targetHash]) expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(fileMode(path.join(folder, 'plan.json'))).toBe('600');
  });

  it('exits with 10 together with --check if there is a difference', async () => {
    const { saved, svc, apply } = await openPlanned('--check');
    expect(saved.code).toBe(10);
    expect((await apply()).code).toBe(0);
    const same = ['environments', 'push', 'a', '-p', 'staging', '--save-plan', 'b.json', '--check'];
    expect((await svc(same)).code).toBe(0);
  });

  it('is not refused by --read-only and asks for no protected profile', async () => {
    const { svc, edit } = await openPlanned();
    edit(({ profiles }) => {
      if (profiles.staging) profiles.staging.protected = true;
    });
    const line = ['environments', 'push', 'a', '-p', 'staging', '--save-plan', 'b.json'];
    expect((await svc([...line, '--read-only'])).code).toBe(0);
  });

  it('contains no secrets, and its hashes leave out credentials', async () => {
    const { svc, folder, read } = await openPlanned();
    const line = ['environments', 'push', 'a', '-p', 'staging', '--with-credentials'];
    const env = { ...withVariables, SENDGRID_API_KEY: 'SG.another-secret' };
    const { stdout, stderr } = await svc([...line, '--save-plan', 'c.json', '--json'], { env });
    const text = readFileSync(path.join(folder, 'c.json'), 'utf8');
    for (const secret of [...Object.values(secrets), 'SG.another-secret'])
      expect(`${text}${stdout}${stderr}`).not.toContain(secret);
    const withCredentials = JSON.parse(text) as PlanFile;
    const plannedHash = ({ resources }: PlanFile) =>
      resources.find(({ id }) => id === 'sendgrid')?.fileHash;
    expect(plannedHash(withCredentials)).toBe(plannedHash(read()));
    const applied = await svc(
      ['environments', 'push', '--plan', 'c.json', '-p', 'staging', '--yes', '--json'],
      { env },
    );
    expect(applied.code).toBe(0);
    expect(applied.requests.find(({ line: text }) => text.startsWith('PUT /v1'))?.body).toEqual({
      name: 'Post',
      credentials: { apiKey: 'SG.another-secret', from: 'news@example.com', senderName: 'News' },
    });
  });
});

describe('svc environments push --plan', () => {
  it('applies the plan, and nothing more', async () => {
    const { apply, files, svc } = await openPlanned();
    // A new file is not in the plan.
    files.edit('a/topics.yaml', '- key: unnamed', '- key: later\n- key: unnamed');
    const applied = await apply();
    expect(applied.code).toBe(0);
    expect(results(applied.stdout)).toEqual(
      [
        'layout frame',
        'integration sendgrid',
        'context tenant:acme',
        'topic news',
        'workflow welcome',
      ].map((name) => [name, 'written', '']),
    );
    expect((await svc(['topics', 'get', 'later', '-p', 'staging'])).code).toBe(5);
    // The same plan has nothing left to do.
    const again = await apply();
    expect({ code: again.code, writes: listWrites(again.requests) }).toEqual({
      code: 0,
      writes: [],
    });
  });

  it('skips what has changed in the files, with what depends on it, and exits with 3', async () => {
    const { apply, files } = await openPlanned();
    files.edit('a/workflows/layouts/frame.email.body.html', '<hr>', '<br>');
    const { code, stdout } = await apply();
    expect(code).toBe(3);
    expect(results(stdout)).toEqual([
      ['layout frame', 'skipped', 'its file was changed after the plan was made'],
      ['integration sendgrid', 'written', ''],
      ['context tenant:acme', 'written', ''],
      ['topic news', 'written', ''],
      ['workflow welcome', 'skipped', 'it depends on layout frame, which has changed'],
    ]);
  });

  it('skips what has changed in the environment, and exits with 3', async () => {
    const { apply, svc } = await openPlanned();
    await svc(['topics', 'rename', 'news', 'By others', '-p', 'staging']);
    await svc(['contexts', 'delete', 'tenant:acme', '--yes', '-p', 'staging']);
    const { code, stdout, stderr } = await apply();
    expect(code).toBe(3);
    expect(results(stdout).filter(([, result]) => result === 'skipped')).toEqual([
      ['context tenant:acme', 'skipped', 'it was deleted after the plan was made'],
      ['topic news', 'skipped', 'it was changed after the plan was made'],
    ]);
    expect(printedError(stderr)).toMatchObject({ name: 'partial' });
  });

  it('skips a change of the primary integration if the one that was primary has changed', async () => {
    const { svc, files, pull, push } = await openEnvironments();
    await pull('a', 'development');
    const conditions = /(?<=primary: false\n) {2}conditions:[\s\S]*?(?= {2}credentials)/;
    const text = files.contents('a')['integrations.yaml'] ?? '';
    files.write('a/integrations.yaml', text.replace(conditions, ''));
    await push('a', 'staging');
    const mail = (name: string, primary: boolean) =>
      `name: ${name}\n  active: true\n  primary: ${primary}`;
    files.edit('a/integrations.yaml', mail('Mail', true), mail('Mail', false));
    files.edit('a/integrations.yaml', mail('Backup mail', false), mail('Backup mail', true));
    const line = ['environments', 'push', '-p', 'staging'];
    expect((await svc([...line, 'a', '--save-plan', 'plan.json'])).code).toBe(0);
    const byOthers = ['integrations', 'update', 'sendgrid', '--name', 'By others'];
    await svc([...byOthers, '-p', 'staging']);
    const { code, stdout, requests } = await svc(words`${line} --plan plan.json --yes --json`);
    expect({ code, writes: listWrites(requests) }).toEqual({ code: 3, writes: [] });
    expect(results(stdout)).toEqual([
      ['integration sendgrid', 'skipped', 'it was changed after the plan was made'],
      [
        ...['integration backup-mail', 'skipped'],
        'it depends on integration sendgrid, which has changed',
      ],
    ]);
  });

  it('skips a resource whose file is gone', async () => {
    const { apply, files } = await openPlanned('--delete');
    files.remove('a/workflows/welcome.yaml');
    const { code, stdout } = await apply();
    expect(code).toBe(3);
    expect(results(stdout).at(-1)).toEqual([
      'workflow welcome',
      'skipped',
      'its file was removed after the plan was made',
    ]);
  });

  it('of another environment, service or command is refused', async () => {
    const { svc, files, read } = await openPlanned();
    const line = ['environments', 'push', '--plan', 'plan.json', '--yes', '-p'];
    const other = await svc([...line, 'development']);
    expect({ code: other.code, writes: listWrites(other.requests) }).toEqual({
      code: 2,
      writes: [],
    });
    expect(other.stderr).toContain('The plan was made for environment Staging');
    files.write('plan.json', JSON.stringify({ ...read(), origin: 'https://other.example' }));
    expect(await svc([...line, 'staging'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The plan was made for https://other.example'),
    });
    files.write('plan.json', JSON.stringify({ ...read(), command: 'workflows push' }));
    expect((await svc([...line, 'staging'])).stderr).toContain('is a plan of `svc workflows push`');
  });

  it('that is not a plan is refused, with what to do', async () => {
    const { svc, files, read } = await openPlanned();
    const line = ['environments', 'push', '-p', 'staging', '--yes', '--plan'];
    const notPlan = 'plan.json is not a plan: create one with --save-plan.';
    for (const [text, message] of [
      ['{}', notPlan],
      ['null', notPlan],
      ['{"format":1}', notPlan],
      ['{"format":"2"}', notPlan],
      ['{', 'The plan plan.json cannot be read: '],
      [JSON.stringify({ ...read(), format: 2 }), 'plan.json has format 2, which this version'],
    ] as const) {
      files.write('plan.json', text);
      const { code, stderr, requests } = await svc([...line, 'plan.json']);
      expect({ code, stderr, requests }).toEqual({
        ...{ code: 2, requests: [] },
        stderr: expect.stringContaining(message),
      });
    }
    expect((await svc([...line, 'none.json'])).stderr).toContain(
      'The plan none.json does not exist: create it with --save-plan.',
    );
  });

  it('cannot be combined with the options that the plan contains', async () => {
    const { svc } = await openPlanned();
    const line = ['environments', 'push', '--plan', 'plan.json', '--yes', '-p', 'staging'];
    for (const more of [
      ['a'],
      ['--delete'],
      ['--only', 'topics'],
      ['--with-credentials'],
      ['--check'],
    ])
      expect(await svc([...line, ...more])).toMatchObject({ code: 2, requests: [] });
  });
});

describe('plans of workflows push and promote', () => {
  it('are applied as they were reviewed', async () => {
    const { svc, pull, files } = await openEnvironments();
    await pull('a', 'development');
    const line = ['workflows', 'push'];
    const target = ['-p', 'staging'];
    const saved = await svc([...line, 'a/workflows', ...target, '--save-plan', 'plan.json']);
    expect({ code: saved.code, writes: listWrites(saved.requests) }).toEqual({
      code: 0,
      writes: [],
    });
    files.edit('a/workflows/welcome.yaml', 'name: Welcome', 'name: Hi');
    const applied = await svc([...line, '--plan', 'plan.json', ...target, '--yes', '--json']);
    expect(applied.code).toBe(3);
    expect(results(applied.stdout)).toEqual([
      ['layout frame', 'written', ''],
      ['workflow welcome', 'skipped', 'its file was changed after the plan was made'],
    ]);
  });

  it('promote writes to the profile of the plan, whose protection applies', async () => {
    const { svc, edit } = await openEnvironments();
    const line = ['workflows', 'promote'];
    const saved = await svc([...line, 'welcome', '--to', 'staging', '--save-plan', 'plan.json']);
    expect({ code: saved.code, writes: listWrites(saved.requests) }).toEqual({
      code: 0,
      writes: [],
    });
    edit(({ profiles }) => {
      if (profiles.staging) profiles.staging.protected = true;
    });
    const apply = [...line, '--plan', 'plan.json', '--yes', '--json'];
    expect((await svc(apply)).stderr).toContain('--confirm staging');
    const applied = await svc([...apply, '--confirm', 'staging']);
    expect(applied.code).toBe(0);
    expect(results(applied.stdout)).toEqual([
      ['layout frame', 'written', ''],
      ['workflow welcome', 'written', ''],
    ]);
  });
});
