// Workflows of newer servers in files: nothing is lost, and nothing blocks a folder.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type NewerWorkflow, openNewerService } from '../../support/newer-service.ts';
import { openWorkflowRig } from '../workflows/workflow-folder.ts';

interface Mistake {
  severity: string;
  message: string;
}

const order: NewerWorkflow = {
  workflowId: 'Order_Shipped.v2',
  name: 'Order',
  agent: { identifier: 'support', providers: ['slack'] },
  rateLimit: { max: 5 },
  preferences: {
    default: { all: { enabled: true, readOnly: false }, channels: { tool: { enabled: false } } },
  },
  steps: [
    {
      stepId: 'Ask_it.1',
      name: 'Ask',
      type: 'http_request',
      controlValues: {
        ...{ method: 'POST', url: 'https://example.com/{{payload.id}}', continueOnFailure: true },
        headers: [{ key: 'x-env', value: '{{env.name}}' }],
        body: [{ key: 'name', value: '{{actor.firstName}}' }],
      },
    },
    { stepId: 'page', name: 'Page', type: 'tool', controlValues: { body: 'wake\nup' } },
    { stepId: 'ok', name: 'Ok', type: 'approval', controlValues: { by: 'boss' }, quorum: 2 },
    {
      stepId: 'chat',
      name: 'Chat',
      type: 'chat',
      controlValues: { body: 'Hi {{env.type}}' },
      providerOverrides: { slack: { text: 'Hi' } },
    },
    {
      stepId: 'mail',
      name: 'Mail',
      type: 'email',
      controlValues: {
        ...{ subject: 'Sent', body: '<p>Hi</p>\n', editorType: 'html', preheader: 'Soon' },
        ...{ replyTo: 'help@example.com', useProviderDefaults: true },
        from: { email: 'a@example.com', name: 'A' },
      },
    },
  ],
};
const plain: NewerWorkflow = {
  workflowId: 'plain',
  name: 'Plain',
  steps: [{ stepId: 'text', name: 'Text', type: 'sms', controlValues: { body: 'Hello' } }],
};

const filesOf = (folder: string) =>
  Object.fromEntries(
    (readdirSync(folder, { recursive: true }) as string[])
      .filter((name) => statSync(path.join(folder, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );

/** The stored workflow, without what only one environment has. */
const content = (workflow: unknown) => {
  const { _id, createdAt, updatedAt, updatedBy, steps, ...rest } = workflow as NewerWorkflow;
  return {
    ...rest,
    steps: steps?.map(({ _id: _step, workflowDatabaseId: _workflow, ...step }) => step),
  };
};

const open = () => openNewerService({ workflows: { development: [order, plain] } });

it.each(['workflows', 'environments'])(
  'a pull by svc %s, a push to an empty environment and another pull return the same bytes',
  async (noun) => {
    const { svc, folder, stored } = await open();
    const root = path.join(folder, 'files');
    const dir = noun === 'workflows' ? ['--dir', 'files'] : ['files'];
    const pulled = await svc([noun, 'pull', ...dir]);
    expect(pulled).toMatchObject({ code: 0 });
    const files = filesOf(root);
    expect(Object.keys(files).join(' ')).toContain('Order_Shipped.v2.yaml');
    const to = ['-p', 'production', '--yes'];
    const pushed = await svc([noun, 'push', 'files', ...to]);
    expect(pushed).toMatchObject({ code: 0 });
    expect(content(stored.production.get('Order_Shipped.v2'))).toEqual(
      content(stored.development.get('Order_Shipped.v2')),
    );
    rmSync(root, { recursive: true });
    await svc([noun, 'pull', ...dir, '-p', 'production']);
    expect(filesOf(root)).toEqual(files);
    const again = await svc([noun, 'push', 'files', '--check', '-p', 'production']);
    expect(again.code).toBe(0);
  },
);

it('names step types and members that svc does not know once', async () => {
  const { svc } = await open();
  const { stderr } = await svc(['workflows', 'pull']);
  expect(stderr.match(/Unknown to this version of svc/g)).toHaveLength(1);
  expect(stderr).toContain('approval');
  expect(stderr).toContain('quorum');
  expect(stderr).toContain('rateLimit');
  expect(stderr).not.toContain('http_request');
});

it('promote copies everything', async () => {
  const { svc, stored } = await open();
  const { code } = await svc(['workflows', 'promote', '--all', '--to', 'production', '--yes']);
  expect(code).toBe(0);
  expect(content(stored.production.get('Order_Shipped.v2'))).toEqual(
    content(stored.development.get('Order_Shipped.v2')),
  );
  const equal = await svc(['diff', 'development', 'production', '--json']);
  expect(equal).toMatchObject({ code: 0, stdout: expect.stringContaining('"resources": []') });
});

it('a member that a file no longer has is removed', async () => {
  const { svc, folder, stored } = await open();
  await svc(['workflows', 'pull']);
  const file = path.join(folder, 'workflows', 'Order_Shipped.v2.yaml');
  const text = readFileSync(file, 'utf8')
    .replace(/agent:\n( .*\n)+/, '')
    .replace(/ +providerOverrides:\n( {6,}.*\n)+/, '');
  writeFileSync(file, text);
  const { code } = await svc(['workflows', 'push', '--yes']);
  expect(code).toBe(0);
  const now = stored.development.get('Order_Shipped.v2');
  expect(now?.agent).toBeNull();
  expect((now as NewerWorkflow).steps?.some((step) => 'providerOverrides' in step)).toBe(false);
});

it('validate, types and preview accept them', async () => {
  const { svc } = await open();
  await svc(['workflows', 'pull']);
  const { code, stdout } = await svc(['workflows', 'validate', '--json']);
  expect(code).toBe(0);
  expect(
    (JSON.parse(stdout) as Mistake[]).map(({ severity, message }) => [severity, message]),
  ).toEqual([
    ['warning', expect.stringContaining('rateLimit')],
    ['warning', expect.stringContaining('quorum')],
    ['warning', expect.stringContaining('approval')],
  ]);
  expect((await svc(['workflows', 'types'])).code).toBe(0);
  const preview = await svc(['workflows', 'preview', 'Order_Shipped.v2', '--json']);
  expect(preview.code).toBe(0);
  expect((JSON.parse(preview.stdout) as { result: string }[]).map(({ result }) => result)).toEqual(
    Array(5).fill('shown'),
  );
});

it('sandbox pull writes workflows with later step types', async () => {
  const { svc, folder } = await openNewerService({
    workflows: {
      development: [
        { ...order, steps: (order.steps ?? []).filter(({ type }) => type !== 'approval') },
      ],
    },
  });
  const pulled = await svc(['sandbox', 'pull', '--file', 'state.yaml']);
  expect(pulled).toMatchObject({ code: 0 });
  const state = readFileSync(path.join(folder, 'state.yaml'), 'utf8');
  expect(state).toContain('Order_Shipped.v2');
  expect(state).toContain('http_request');
});

it('identifiers that differ only in case have one file, and --delete keeps the other workflow', async () => {
  const { svc, stored } = await openNewerService({
    workflows: { development: [plain, { ...plain, workflowId: 'Plain' }] },
  });
  const { code, stdout } = await svc(['workflows', 'pull']);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^workflow\tPlain\tskipped\t.*differs only in case/m);
  await svc(['workflows', 'push', '--delete', '--yes']);
  expect([...stored.development.keys()]).toEqual(['plain', 'Plain']);
});

it('content files of identifiers with dots have different names', async () => {
  const mail = (workflowId: string, stepId: string): NewerWorkflow => ({
    workflowId,
    name: workflowId,
    steps: [
      { stepId, name: 'Mail', type: 'email', controlValues: { body: `<p>${workflowId}</p>` } },
    ],
  });
  const { svc, folder } = await openNewerService({
    workflows: { development: [mail('a', 'b.c'), mail('a.b', 'c')] },
  });
  await svc(['workflows', 'pull']);
  const files = filesOf(path.join(folder, 'workflows'));
  expect(files['a.b~c.body.html']).toBe('<p>a</p>');
  expect(files['a~b.c.body.html']).toBe('<p>a.b</p>');
  expect((await svc(['workflows', 'push', '--check'])).code).toBe(0);
});

it('a channel that a file lacks is unchanged if it has the default', async () => {
  const off = { all: { enabled: false, readOnly: false } };
  const { svc, folder } = await openNewerService({
    workflows: {
      development: [plain, { ...plain, workflowId: 'off', preferences: { default: off } }],
    },
  });
  await svc(['workflows', 'pull']);
  expect(JSON.stringify(filesOf(path.join(folder, 'workflows')))).not.toContain('tool');
  expect((await svc(['workflows', 'push', '--check'])).code).toBe(0);
  const { svc: older, files } = await openWorkflowRig();
  for (const [name, text] of Object.entries(filesOf(path.join(folder, 'workflows'))))
    files.write(`workflows/${name}`, text);
  files.edit(
    'workflows/plain.yaml',
    '      push:\n        enabled: true\n',
    '      push:\n        enabled: true\n      tool: { enabled: true }\n',
  );
  expect((await older(['workflows', 'push', '--yes'])).code).toBe(0);
  expect((await older(['workflows', 'push', '--check'])).code).toBe(0);
});

it('a sandbox starts with a folder of such workflows', async () => {
  const { svc, folder } = await openNewerService({
    workflows: {
      development: [
        { ...order, steps: (order.steps ?? []).filter(({ type }) => type !== 'approval') },
      ],
    },
  });
  await svc(['workflows', 'pull']);
  const { readWorkflowFolder } = await import('../../../src/environment/sandbox-state.ts');
  const { state } = readWorkflowFolder('workflows', folder);
  const { svc: sandbox } = await openWorkflowRig({ seed: state });
  const { code } = await sandbox(['workflows', 'get', 'Order_Shipped.v2']);
  expect(code).toBe(0);
});
