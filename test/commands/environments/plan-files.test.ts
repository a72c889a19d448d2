// The file of a plan: the environment that it names, what it contains, and what is read to apply it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { listWrites } from '../../support/requests.ts';
import { smsFile } from '../workflows/workflow-folder.ts';
import { openEnvironments, writeResults as results, withVariables } from './environment-folder.ts';

const save = ['environments', 'push', 'a', '-p', 'staging', '--json', '--save-plan', 'plan.json'];
const apply = ['environments', 'push', '--plan', 'plan.json', '-p', 'staging', '--yes', '--json'];

/** A folder with a topic, and a plan that creates it. */
async function openTopic(more = '') {
  const rig = await openEnvironments();
  rig.files.write('a/environment.yaml', '# svc environment, format 1\ncontains: [topics]\n');
  rig.files.write('a/topics.yaml', `# svc topics, format 1\n${more || '- key: one'}\n`);
  const read = () => readFileSync(path.join(rig.folder, 'plan.json'), 'utf8');
  const list = async () =>
    JSON.parse((await rig.svc(['environments', 'list', '--json', '--reveal'])).stdout) as {
      _id: string;
      name: string;
      apiKeys: object[];
    }[];
  return { ...rig, read, list };
}

describe('the environment of a plan', () => {
  it('is the one of the key; that of the profile counts if the service shows no key', async () => {
    const { svc, edit, list, read, answerBy } = await openTopic();
    const all = await list();
    const idOf = (name: string) => all.find((one) => one.name === name)?._id ?? '';
    const names = () => JSON.parse(read()).environment;
    edit(({ profiles }) => {
      if (profiles.staging) profiles.staging.environmentId = idOf('Development');
    });
    expect((await svc(save)).code).toBe(0);
    expect(names()).toEqual({ id: idOf('Staging'), name: 'Staging' });
    const hidden = all.map((one) => ({ ...one, apiKeys: [] }));
    answerBy(({ url }) =>
      url.pathname === '/v1/environments' ? { status: 200, body: { data: hidden } } : undefined,
    );
    expect((await svc([...save, '--force'])).code).toBe(0);
    expect(names()).toEqual({ id: idOf('Development'), name: 'Development' });
  });

  it('must be known', async () => {
    const { svc, edit, list, answerBy } = await openTopic();
    const hidden = (await list()).map((one) => ({ ...one, apiKeys: [] }));
    edit(({ profiles }) => {
      delete profiles.staging?.environmentId;
    });
    answerBy(({ url }) =>
      url.pathname === '/v1/environments' ? { status: 200, body: { data: hidden } } : undefined,
    );
    const { code, stderr } = await svc(save);
    expect(code).toBe(2);
    expect(printedError(stderr)).toMatchObject({
      message:
        'The environment of the API key cannot be determined in Staging (profile staging), so a plan cannot name it.',
      hint: 'Save a profile with the environment.',
      next: ['svc environments list --save-profiles --profile staging'],
    });
  });

  it('must be that of the key', async () => {
    const { svc, list } = await openTopic();
    expect((await svc(save)).code).toBe(0);
    const [idOfStaging, idOfDevelopment] = (await list()).map(({ _id }) => _id).reverse();
    const { code, stderr } = await svc([...apply, '-p', 'development']);
    expect(code).toBe(2);
    const { message, hint } = printedError(stderr);
    expect({ message, hint }).toEqual({
      message: `The plan was made for environment Staging (${idOfStaging}), but the API key belongs to Development (${idOfDevelopment}).`,
      hint: 'Select the environment of the plan with --profile, or make a new plan.',
    });
  });
});

describe('a plan file', () => {
  it('of another command is refused with the command that applies it', async () => {
    const { svc } = await openTopic();
    expect((await svc(save)).code).toBe(0);
    const { code, stderr, requests } = await svc(['workflows', 'push', ...apply.slice(2)]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(printedError(stderr)).toMatchObject({
      message: 'plan.json is a plan of `svc environments push`, not of `svc workflows push`.',
      next: ['svc environments push --plan plan.json --profile staging'],
    });
  });

  it('has one line for each resource, and can have none', async () => {
    const { svc, read, files } = await openTopic('[]');
    expect((await svc(save)).code).toBe(0);
    expect(read().endsWith('},\n  "resources": []\n}\n')).toBe(true);
    expect((await svc(apply)).code).toBe(0);
    files.write('a/topics.yaml', '# svc topics, format 1\n- key: one\n- key: two\n');
    expect((await svc([...save, '--force'])).code).toBe(0);
    const [, lines = ''] = /"resources": \[\n([\s\S]*)\n {2}\]\n\}\n$/.exec(read()) ?? [];
    expect(lines.split(',\n').map((line) => JSON.parse(line).id)).toEqual(['one', 'two']);
  });

  it.each([
    ['changes', [{ from: 1 }]],
    ['action', 'replace'],
    ['kind', 'subscriber'],
  ])('with other %s is refused', async (name, value) => {
    const { svc, read, files } = await openTopic();
    expect((await svc(save)).code).toBe(0);
    const plan = JSON.parse(read());
    files.write(
      'plan.json',
      JSON.stringify({ ...plan, resources: [{ ...plan.resources[0], [name]: value }] }),
    );
    const { code, stderr, requests } = await svc(apply);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('plan.json is not a plan: create one with --save-plan.');
  });
});

describe('svc environments push --plan', () => {
  it('makes the deletions of the plan, and no other ones', async () => {
    const { svc, pull, push, files } = await openEnvironments();
    await pull('a', 'development');
    await push('a', 'staging');
    files.remove('a/workflows/welcome.yaml');
    files.write('a/topics.yaml', '# svc topics, format 1\n- key: news\n  name: News\n');
    expect((await svc([...save, '--delete'])).code).toBe(0);
    files.remove('a/workflows/layouts');
    const { code, stdout } = await svc(apply);
    expect(code).toBe(3);
    expect(results(stdout)).toEqual([
      ['layout frame', 'skipped', 'its file was removed after the plan was made'],
      ['workflow welcome', 'written', ''],
      ['topic unnamed', 'written', ''],
    ]);
  });

  /** Saves the plan for a topic and the workflow `one`. */
  async function saveWithWorkflow() {
    const opened = await openTopic();
    const { svc, files } = opened;
    const contents = '# svc environment, format 1\ncontains: [topics, workflows]\n';
    files.write('a/environment.yaml', contents);
    files.write('a/workflows/one.yaml', smsFile('one'));
    expect((await svc(save)).code).toBe(0);
    return opened;
  }

  it('neither reads nor checks a file that is not in the plan', async () => {
    const { svc, files } = await saveWithWorkflow();
    files.write('a/workflows/two.yaml', smsFile('two'));
    const { code, requests } = await svc(apply);
    expect(code).toBe(0);
    expect(listWrites(requests)).toEqual(['POST /v2/topics', 'POST /v2/workflows']);
    expect(requests.map(({ line }) => line)).not.toContain('GET /v2/workflows/two');
  });

  it('does not check what has changed since', async () => {
    const { svc, files } = await saveWithWorkflow();
    files.edit('a/workflows/one.yaml', 'type: sms', 'type: trigger');
    const { code, stdout } = await svc(apply);
    expect(code).toBe(3);
    expect(results(stdout)).toEqual([
      ['topic one', 'written', ''],
      ['workflow one', 'skipped', 'its file was changed after the plan was made'],
    ]);
    expect((await svc(save.slice(0, 5))).code).toBe(2);
  });
});

describe('svc environments push', () => {
  it('reads neither workflows nor the mode of the server for topics', async () => {
    const { svc } = await openTopic();
    const { code, requests } = await svc([...save.slice(0, 6), '--check']);
    expect(code).toBe(10);
    expect(requests.map(({ line }) => line.replace(/\?.*/, ''))).toEqual(['GET /v2/topics']);
  });

  it('with --delete keeps a workflow whose file would be that of another one', async () => {
    const { svc, answerBy, files } = await openTopic();
    files.write('a/environment.yaml', '# svc environment, format 1\ncontains: [workflows]\n');
    const workflow = (workflowId: string) => ({
      ...{ _id: workflowId.padStart(24, '0'), workflowId, slug: workflowId, name: workflowId },
      ...{ origin: 'novu-cloud', status: 'ACTIVE', steps: [], updatedAt: 'now', createdAt: 'now' },
      ...{ tags: [], stepTypeOverviews: [] },
    });
    answerBy(({ method, url }) => {
      if (method !== 'GET') return undefined;
      const [, id] = /^\/v2\/workflows\/(.*)$/.exec(url.pathname) ?? [];
      if (id !== undefined) return { status: 200, body: { data: workflow(id) } };
      return url.pathname === '/v2/workflows'
        ? { status: 200, body: { data: { workflows: ['hi', 'HI'].map(workflow), totalCount: 2 } } }
        : undefined;
    });
    const { code, stdout } = await svc([...save.slice(0, 6), '--check', '--delete']);
    expect(code).toBe(10);
    expect(JSON.parse(stdout).plan).toEqual([
      { kind: 'workflow', id: 'hi', action: 'delete', changes: [] },
    ]);
  });

  it('says in one message which variables have no value', async () => {
    const { svc, pull, files } = await openEnvironments();
    await pull('a', 'development');
    const hint = 'Set them in the environment, or pass a file of NAME=value lines with --env-file.';
    const two = await svc(save, { env: { TWILIO_TOKEN: 'x', TWILIO_ACCOUNT_SID: 'y' } });
    expect(two.code).toBe(2);
    expect(printedError(two.stderr)).toMatchObject({
      message: '2 variables with credentials have no value. Nothing was written.',
      hint,
      details: [
        { field: 'SENDGRID_API_KEY', message: 'of integration sendgrid' },
        { field: 'BACKUP_MAIL_PASSWORD', message: 'of integration backup-mail' },
      ],
    });
    const one = await svc(save, { env: { ...withVariables, TWILIO_TOKEN: '' } });
    expect(one.code).toBe(2);
    expect(printedError(one.stderr)).toMatchObject({
      message: 'A variable with a credential has no value. Nothing was written.',
      hint,
    });
    files.write('a/integrations.yaml', '# svc integrations, format 1\n[]\n');
    const none = await svc([...save, '--with-credentials']);
    expect(none.code).toBe(2);
    expect(printedError(none.stderr)).toMatchObject({
      message:
        '--with-credentials has nothing to write: the integrations to push have no credentials.',
      hint: 'Add them to integrations.yaml, with a reference {$env: NAME} for each secret, or leave out the option.',
    });
  });

  it('hides the values of variables that the message of a refusal repeats, and no others', async () => {
    const { svc, pull, files, answerBy } = await openEnvironments();
    await pull('a', 'development', '--only', 'integrations');
    files.edit('a/integrations.yaml', 'from: news@example.com', 'from: { $env: SENDER }');
    const env = { ...withVariables, SENDER: 'other@example.com' };
    const message = `${env.SENDGRID_API_KEY}, ${env.SENDER} and News are odd`;
    answerBy(({ method }) =>
      method === 'PUT' ? { status: 422, body: { statusCode: 422, message } } : undefined,
    );
    const line = ['environments', 'push', 'a', '-p', 'development', '--yes', '--json'];
    const { code, stdout, stderr } = await svc(line, { env });
    expect({ code, isShown: stderr.includes(env.SENDER) }).toEqual({ code: 6, isShown: false });
    expect(results(stdout)[0]).toEqual([
      ...['integration sendgrid', 'failed', '********, ******** and News are odd'],
    ]);
  });
});
