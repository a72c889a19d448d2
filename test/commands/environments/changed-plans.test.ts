// Pushes to an environment that is not as planned: a plan whose resources have changed, a deletion that was not made.
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { listWrites } from '../../support/requests.ts';
import { words } from '../../support/words.ts';
import type { WorkflowFolder } from '../workflows/workflow-folder.ts';
import { openEnvironments, writeResults as results, withVariables } from './environment-folder.ts';

/** A saved plan without a change, and a second folder with the same files. */
async function openUnchanged() {
  const rig = await openEnvironments();
  for (const folder of ['a', 'b']) await rig.pull(folder, 'development');
  await rig.push('a', 'staging');
  const line = ['environments', 'push', 'a', '-p', 'staging', '--save-plan', 'plan.json'];
  expect((await rig.svc(line)).code).toBe(0);
  const apply = (...more: string[]) =>
    rig.svc(words`environments push --plan plan.json -p staging --yes --json ${more}`, {
      env: withVariables,
    });
  return { ...rig, apply };
}

describe('svc environments push --plan', () => {
  /** A text of each kind that a test changes once more. */
  const texts = {
    'layout frame': ['workflows/layouts/frame.yaml', 'name: Frame'],
    'integration backup-mail': ['integrations.yaml', 'name: Backup mail'],
    'context tenant:acme': ['contexts.yaml', 'plan: pro'],
    'topic news': ['topics.yaml', 'key: news\n  name: '],
    'workflow welcome': ['workflows/welcome.yaml', 'name: Welcome'],
  } as const;

  describe.each(Object.entries(texts))('skips %s', (resource, [file, text]) => {
    const change = (files: WorkflowFolder, folder: string) =>
      files.edit(`${folder}/${file}`, text, `${text}x`);
    const skippedRow = (stdout: string) => results(stdout).find(([name]) => name === resource);

    it('if its file has changed, although nothing was planned for it', async () => {
      const { apply, files } = await openUnchanged();
      change(files, 'a');
      const { code, stdout, requests } = await apply();
      expect({ code, writes: listWrites(requests) }).toEqual({ code: 3, writes: [] });
      const reason = 'its file was changed after the plan was made';
      expect(skippedRow(stdout)).toEqual([resource, 'skipped', reason]);
    });

    it('if the environment has changed, although nothing was planned for it', async () => {
      const { apply, files, push } = await openUnchanged();
      change(files, 'b');
      expect((await push('b', 'staging')).code).toBe(0);
      const { code, stdout, requests } = await apply();
      expect({ code, writes: listWrites(requests) }).toEqual({ code: 3, writes: [] });
      const reason = 'it was changed after the plan was made';
      expect(skippedRow(stdout)).toEqual([resource, 'skipped', reason]);
    });

    it('if it was planned and its file or the environment has changed since', async () => {
      const { svc, apply, files, push } = await openUnchanged();
      change(files, 'a');
      const save = () =>
        svc(['environments', 'push', 'a', '-p', 'staging', '--save-plan', 'plan.json']);
      await save();
      change(files, 'b');
      change(files, 'b');
      await push('b', 'staging');
      const inTarget = await apply();
      expect(inTarget.code).toBe(3);
      expect(skippedRow(inTarget.stdout)?.[2]).toBe('it was changed after the plan was made');
      await save();
      change(files, 'a');
      change(files, 'a');
      const inFile = await apply();
      expect(inFile.code).toBe(3);
      expect(skippedRow(inFile.stdout)?.[2]).toBe('its file was changed after the plan was made');
    });
  });

  it('skips resources that have gone although nothing was planned for them', async () => {
    const { apply, files, svc } = await openUnchanged();
    await svc(['topics', 'delete', 'unnamed', '--yes', '-p', 'staging']);
    files.remove('a/workflows/welcome.yaml');
    const { code, stdout, requests } = await apply();
    expect({ code, writes: listWrites(requests) }).toEqual({ code: 3, writes: [] });
    expect(results(stdout)).toEqual([
      ['topic unnamed', 'skipped', 'it was deleted after the plan was made'],
      ['workflow welcome', 'skipped', 'its file was removed after the plan was made'],
    ]);
    expect((await apply('--dry-run')).code).toBe(3);
  });

  describe('skips an integration', () => {
    it.each([
      ['host', 'host: smtp.example.com', 'host: evil.example.com'],
      ['from', 'from: news@example.com', 'from: evil@example.com'],
      ['the name of a variable', '$env: SENDGRID_API_KEY', '$env: TWILIO_TOKEN'],
    ])('whose %s was changed in the file', async (_field, from, to) => {
      for (const isNew of [true, false]) {
        const { apply, files, svc } = await openUnchanged();
        if (isNew) files.edit('a/integrations.yaml', 'identifier: sendgrid', 'identifier: other');
        if (isNew) files.edit('a/integrations.yaml', 'primary: true', 'primary: false');
        if (isNew) files.edit('a/integrations.yaml', 'identifier: backup', 'identifier: other');
        const more = isNew ? [] : ['--with-credentials'];
        const env = { ...withVariables, SENDGRID_API_KEY: 'SG.2', BACKUP_MAIL_PASSWORD: 'p2' };
        const line = ['environments', 'push', 'a', '-p', 'staging', '--save-plan', 'plan.json'];
        expect((await svc([...line, ...more], { env })).code).toBe(0);
        files.edit('a/integrations.yaml', from, to);
        const { code, stdout, requests } = await apply();
        expect(code).toBe(3);
        const skipped = results(stdout).filter(([, result]) => result === 'skipped');
        expect(skipped).toHaveLength(1);
        expect(skipped[0]?.[2]).toBe('its file was changed after the plan was made');
        expect(JSON.stringify(requests.map(({ body }) => body ?? null))).not.toContain('evil');
      }
    });

    it('whose readable credentials were changed in the environment', async () => {
      const { apply, files, svc, push } = await openUnchanged();
      files.edit('a/integrations.yaml', 'name: Backup mail', 'name: Post');
      await svc(['environments', 'push', 'a', '-p', 'staging', '--save-plan', 'plan.json']);
      files.edit('b/integrations.yaml', 'host: smtp.example.com', 'host: other.example.com');
      await push('b', 'staging', '--with-credentials');
      const { code, stdout } = await apply();
      expect(code).toBe(3);
      expect(results(stdout)).toEqual([
        ['integration backup-mail', 'skipped', 'it was changed after the plan was made'],
      ]);
    });
  });
});

describe('svc workflows push --plan', () => {
  it.each([
    ['layout frame', 'layouts/frame.yaml', 'name: Frame'],
    ['workflow welcome', 'welcome.yaml', 'name: Welcome'],
  ])('skip an unchanged %s that has changed since', async (resource, file, text) => {
    const { svc, pull, files } = await openEnvironments();
    for (const folder of ['a', 'b']) await pull(folder, 'development');
    const push = (...more: string[]) =>
      svc(['workflows', 'push', ...more, '-p', 'staging', '--yes', '--json']);
    await push('a/workflows');
    await push('a/workflows', '--save-plan', 'plan.json');
    files.edit(`a/workflows/${file}`, text, `${text}x`);
    const inFile = await push('--plan', 'plan.json');
    expect({ code: inFile.code, results: results(inFile.stdout) }).toEqual({
      code: 3,
      results: [[resource, 'skipped', 'its file was changed after the plan was made']],
    });
    files.edit(`a/workflows/${file}`, `${text}x`, text);
    files.edit(`b/workflows/${file}`, text, `${text}y`);
    await push('b/workflows');
    const inTarget = await push('--plan', 'plan.json');
    expect({ code: inTarget.code, results: results(inTarget.stdout) }).toEqual({
      code: 3,
      results: [[resource, 'skipped', 'it was changed after the plan was made']],
    });
  });
});

describe('svc environments push --delete', () => {
  it('reads back what it deletes: a deletion that the service did not make is a failure', async () => {
    const { pull, push, files, answerBy } = await openEnvironments();
    await pull('a', 'development');
    files.write('a/topics.yaml', '# svc topics, format 1\n[]\n');
    answerBy(({ method, url }) =>
      method === 'DELETE' && url.pathname.startsWith('/v2/topics/')
        ? { status: 200, body: { data: { acknowledged: true } } }
        : undefined,
    );
    const line = ['--delete', '--only', 'topics', '--json'];
    const { code, stdout, stderr } = await push('a', 'development', ...line);
    expect(code).toBe(3);
    expect(JSON.parse(stdout).results).toMatchObject([
      { id: 'news', result: 'failed', message: 'the service still has it after the deletion' },
      { id: 'unnamed', result: 'skipped', message: 'the push stopped before it' },
    ]);
    expect(printedError(stderr)).toMatchObject({
      message: 'Wrote 0 of 2 resources in Development (profile development).',
      next: [],
    });
    answerBy(() => undefined);
    expect((await push('a', 'development', ...line)).code).toBe(0);
  });
});
