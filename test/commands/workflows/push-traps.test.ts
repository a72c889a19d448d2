// The silent effects of naive requests, which a push avoids. Each test fails if the request is sent
// as the file or the response suggests.
import { describe, expect, it } from 'vitest';
import { filterWrites, listWrites } from '../../support/requests.ts';
import { parsed, type Rig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import { emailBlock, firstLine, openStaging, openWorkflowRig } from './workflow-folder.ts';

const api = async ({ svc }: Pick<Rig, 'svc'>, ...line: string[]) =>
  JSON.parse((await svc(['api', ...line, '--json'])).stdout).data;

const readWorkflow = (rig: Pick<Rig, 'svc'>, id: string, ...more: string[]) =>
  api(rig, 'GET', `/v2/workflows/${id}`, ...more);

const push = ['workflows', 'push', '--yes', '--json'];

const sms = (id: string, body = 'Hello') =>
  `${firstLine}\nworkflowId: ${id}\nsteps:\n  - { stepId: text, type: sms, controlValues: { body: ${body} } }\n`;

describe('svc workflows push', () => {
  it('updates a workflow that exists, instead of creating a second one with a suffix', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/hello.yaml', sms('hello'));
    await rig.svc(push);
    rig.files.write('workflows/hello.yaml', sms('hello', 'Bye'));
    const { requests } = await rig.svc(push);
    expect(listWrites(requests)).toEqual(['PUT /v2/workflows/hello']);
    const { stdout } = await rig.svc(['workflows', 'list', '--query', 'hello', '-o', 'ids']);
    expect(stdout).toBe('hello\n');
  });

  it('stores that a workflow is translated', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/hello.yaml', `${sms('hello')}isTranslationEnabled: true\n`);
    expect(await rig.svc(push)).toMatchObject({ code: 0 });
    const { stdout } = await rig.svc(['workflows', 'get', 'hello', '--json']);
    expect(parsed(stdout)).toMatchObject({ isTranslationEnabled: true });
    expect((await rig.svc([...push.slice(0, 2), '--check'])).code).toBe(0);
  });

  it('removes its own copy if the identifier was taken after the last read', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/welcome.yaml', sms('welcome'));
    const missing = { status: 404, body: { message: 'Workflow cannot be found', statusCode: 404 } };
    rig.answerBy(({ method, url }) =>
      method === 'GET' && url.pathname === '/v2/workflows/welcome' ? missing : undefined,
    );
    const { code, stdout, requests } = await rig.svc(push);
    expect(code).toBe(3);
    expect(parsed(stdout).results).toMatchObject([
      { id: 'welcome', result: 'skipped', message: 'it was created after the plan was made' },
    ]);
    expect(requests.filter(({ line }) => line.startsWith('DELETE'))).toHaveLength(1);
    rig.answerBy(() => undefined);
    const { stdout: ids } = await rig.svc(['workflows', 'list', '--query', 'welcome', '-o', 'ids']);
    expect(ids).toBe('welcome\n');
    expect((await readWorkflow(rig, 'welcome')).name).toBe('Welcome');
  });

  it('finds a workflow whose creation got no response, instead of creating it twice', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/hello.yaml', sms('hello'));
    await rig.svc(push);
    let creations = 0;
    rig.answerBy(({ method, url }) => {
      if (method === 'POST' && url.pathname === '/v2/workflows') {
        creations += 1;
        return { status: 503, body: { message: 'Service unavailable', statusCode: 503 } };
      }
      // Until the creation, the workflow does not exist.
      return creations === 0 && url.pathname === '/v2/workflows/hello'
        ? { status: 404, body: { message: 'Workflow cannot be found', statusCode: 404 } }
        : undefined;
    });
    const { code, stdout } = await rig.svc(push);
    expect({ code, creations }).toEqual({ code: 0, creations: 1 });
    expect(parsed(stdout).results).toMatchObject([{ id: 'hello', result: 'written' }]);
  });

  it('keeps the content of steps when it copies a workflow to an environment with other internal ids', async () => {
    const rig = await openStaging();
    const options = ['--to', 'staging', '--yes', '--json', '-p', 'development'];
    for (const subject of ['Welcome', 'Hello again']) {
      const step = 'welcome.welcome-email';
      await rig.svc(['workflows', 'pull', 'welcome', '-p', 'development']);
      rig.files.edit('workflows/welcome.yaml', 'subject: Welcome to', `subject: ${subject} to`);
      expect(rig.files.contents()).toHaveProperty([`${step}.body.html`]);
      await rig.svc([...push, '-p', 'development']);
      expect((await rig.svc(['workflows', 'promote', 'welcome', ...options])).code).toBe(0);
      const source = await readWorkflow(rig, 'welcome', '-p', 'development');
      const target = await readWorkflow(rig, 'welcome', '-p', 'staging');
      expect(target._id).not.toBe(source._id);
      expect(target.steps).toHaveLength(2);
      expect(target.steps.map((step: { controlValues: object }) => step.controlValues)).toEqual(
        source.steps.map((step: { controlValues: object }) => step.controlValues),
      );
      expect(target.steps[1].controlValues.subject).toMatch(`${subject} to`);
      // The name of the next round.
      rig.files.edit('workflows/welcome.yaml', `subject: ${subject} to`, 'subject: Welcome to');
      await rig.svc([...push, '-p', 'development']);
    }
  });

  it('keeps the internal ids of steps, so that an update is not a replacement', async () => {
    const rig = await openWorkflowRig();
    await rig.svc(['workflows', 'pull', 'welcome']);
    const before = await readWorkflow(rig, 'welcome');
    rig.files.edit('workflows/welcome.yaml', 'name: Welcome email', 'name: Mail');
    await rig.svc(push);
    const after = await readWorkflow(rig, 'welcome');
    const ids = ({ steps }: { steps: { _id: string }[] }) => steps.map(({ _id }) => _id);
    expect(ids(after)).toEqual(ids(before));
    expect(after.steps[1].name).toBe('Mail');
  });

  it('replaces a step whose type changes, because an existing step keeps its type', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/hello.yaml', sms('hello'));
    await rig.svc(push);
    rig.files.edit('workflows/hello.yaml', 'type: sms', 'type: chat');
    expect((await rig.svc(push)).code).toBe(0);
    const { steps } = await readWorkflow(rig, 'hello');
    expect(steps).toMatchObject([
      { stepId: 'text', type: 'chat', controlValues: { body: 'Hello' } },
    ]);
  });

  it('keeps everything that the service resets if a request leaves it out', async () => {
    const rig = await openWorkflowRig();
    const channel = (enabled: boolean) => `{ enabled: ${enabled} }`;
    rig.files.write(
      'workflows/quiet.yaml',
      `${firstLine}
workflowId: quiet
description: Kept
tags: [kept]
active: false
severity: high
validatePayload: false
payloadSchema: null
preferences:
  user: { all: { enabled: true }, channels: { email: ${channel(false)}, sms: ${channel(true)} } }
  default: { all: { enabled: true, readOnly: true }, channels: { push: ${channel(false)} } }
steps:
  - { stepId: text, type: sms, controlValues: { body: Hello } }
`,
    );
    expect((await rig.svc(push)).code).toBe(0);
    const { updatedAt: _, ...before } = await readWorkflow(rig, 'quiet');
    expect(before).toMatchObject({
      ...{ description: 'Kept', tags: ['kept'], active: false, severity: 'high' },
      ...{ validatePayload: false, payloadSchema: null },
      preferences: {
        user: { channels: { email: { enabled: false }, sms: { enabled: true } } },
        default: { all: { readOnly: true }, channels: { push: { enabled: false } } },
      },
    });
    rig.files.edit('workflows/quiet.yaml', 'workflowId: quiet', 'workflowId: quiet\nname: Renamed');
    expect((await rig.svc(push)).code).toBe(0);
    const { updatedAt: __, name, slug: ___, ...after } = await readWorkflow(rig, 'quiet');
    expect(name).toBe('Renamed');
    expect(before).toMatchObject(after);
  });

  it('copies the severity, which the service itself does not promote', async () => {
    const rig = await openStaging();
    await rig.svc(['workflows', 'pull', 'welcome', '-p', 'development']);
    rig.files.edit('workflows/welcome.yaml', 'severity: none', 'severity: high');
    await rig.svc([...push, '-p', 'development']);
    await rig.svc(words`workflows promote welcome --to staging --yes -p development`);
    expect((await readWorkflow(rig, 'welcome', '-p', 'staging')).severity).toBe('high');
  });

  it('does not write a workflow that is unchanged, so its time of update stays', async () => {
    const rig = await openWorkflowRig();
    await rig.svc(['workflows', 'pull', 'welcome', 'order-update']);
    rig.files.edit('workflows/welcome.yaml', 'name: Welcome', 'name: Hi');
    const { requests } = await rig.svc(push);
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /v2/workflows/order-update',
      'GET /v2/workflows/welcome',
      'GET /v2/workflows/welcome',
      'PUT /v2/workflows/welcome',
      'GET /v2/workflows/welcome',
    ]);
  });

  it('creates layouts before the workflows that use them, and writes their body', async () => {
    const rig = await openWorkflowRig();
    rig.files.write(
      'workflows/mail.yaml',
      `${firstLine}\nworkflowId: mail\nsteps:\n  - { stepId: mail, type: email, controlValues: { subject: Hi, body: { $file: mail.mail.body.json }, editorType: block, layoutId: frame } }\n`,
    );
    rig.files.write('workflows/mail.mail.body.json', emailBlock);
    rig.files.write(
      'workflows/layouts/frame.yaml',
      '# svc layout, format 1, compat novu\nlayoutId: frame\nname: Frame\ncontrolValues: { email: { body: "<html><body>{{content}}</body></html>", editorType: html } }\n',
    );
    const { code, requests } = await rig.svc(push);
    expect(code).toBe(0);
    expect(listWrites(requests)).toEqual([
      'POST /v2/layouts',
      'PUT /v2/layouts/frame',
      'POST /v2/workflows',
    ]);
    expect((await api(rig, 'GET', '/v2/layouts/frame')).controls.values).toEqual({
      email: { body: '<html><body>{{content}}</body></html>', editorType: 'html' },
    });
    expect((await readWorkflow(rig, 'mail')).steps[0].controlValues).toEqual({
      ...{ subject: 'Hi', body: emailBlock, editorType: 'block', layoutId: 'frame' },
    });
  });

  it('refuses a workflow whose layout does not exist, before anything is written', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/a-first.yaml', sms('a-first'));
    rig.files.write(
      'workflows/mail.yaml',
      `${firstLine}\nworkflowId: mail\nsteps:\n  - { stepId: mail, type: email, controlValues: { subject: Hi, body: Hi, layoutId: frame } }\n`,
    );
    const { code, stderr, requests } = await rig.svc(['workflows', 'push', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('step mail refers to layout `frame`, which does not exist');
    expect(filterWrites(requests)).toEqual([]);
  });

  it.each([
    [
      'a cron expression',
      'type: digest, controlValues: { type: timed, cron: zzz }',
      'not a cron expression',
    ],
    ['a step of type trigger', 'type: trigger', 'cannot store steps of type trigger'],
    [
      'block text that is HTML',
      'type: email, controlValues: { subject: s, body: <p>x</p>, editorType: block }',
      'must be a block document',
    ],
    [
      'HTML that is a block document',
      `type: email, controlValues: { subject: s, body: '${emailBlock}', editorType: html }`,
      'but editorType is html',
    ],
  ])(
    'refuses %s, which the service answers with an error or stores in another form',
    async (_what, step, message) => {
      const rig = await openWorkflowRig();
      rig.files.write(
        'workflows/bad.yaml',
        `${firstLine}\nworkflowId: bad\nsteps:\n  - { stepId: one, ${step} }\n`,
      );
      const { code, stderr, requests } = await rig.svc(['workflows', 'push', '--yes']);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
      expect(filterWrites(requests)).toEqual([]);
    },
  );

  it('refuses a workflow that is defined in code', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/partner-sync.yaml', sms('partner-sync'));
    const { code, stderr } = await rig.svc(['workflows', 'push', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('origin external');
  });
});
