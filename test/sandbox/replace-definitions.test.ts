// Workflows and layouts that are replaced while a sandbox runs, as `svc sandbox start --watch` does.
import { expect, test } from 'vitest';
import { testKey } from '../support/fixed.ts';
import { openSandbox, type SandboxState } from '../support/sandbox-311.ts';

const origin = 'http://127.0.0.1:4400';

const state = (...workflows: [id: string, body: string][]): SandboxState => ({
  version: 1,
  environments: [
    {
      name: 'Development',
      workflows: workflows.map(([workflowId, body]) => ({
        workflowId,
        steps: [{ stepId: 'sms', type: 'sms', controlValues: { body } }],
      })),
    },
  ],
});

async function open() {
  const seed = state(['first', 'One'], ['second', 'Two']);
  const sandbox = await openSandbox({ key: testKey, pageUrl: origin, seed });
  const headers = { authorization: `ApiKey ${testKey}`, 'content-type': 'application/json' };
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape
  const ask = async (line: string, body?: object): Promise<any> => {
    const [method = '', target] = line.split(' ');
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await sandbox.handle(new Request(`${origin}${target}`, init));
    const value = JSON.parse(await response.text());
    return value.data ?? value;
  };
  const workflow = async (id: string) => {
    const { steps, ...rest } = await ask(`GET /v2/workflows/${id}`);
    return { ...rest, stepId: steps[0]._id, body: steps[0].controls.values.body };
  };
  const readPage = async (path: string) => {
    const { url } = await ask('POST /__sandbox/page');
    const opened = await sandbox.handle(new Request(url));
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const response = await sandbox.handle(new Request(`${origin}${path}`, { headers: { cookie } }));
    return response.text();
  };
  return { ...sandbox, ask, workflow, readPage };
}

test('only the given workflow is replaced, and it keeps its ids', async () => {
  const { replaceDefinitions, workflow } = await open();
  const [first, second] = [await workflow('first'), await workflow('second')];
  replaceDefinitions(state(['first', 'Changed']));
  const changed = await workflow('first');
  expect(changed.body).toBe('Changed');
  for (const name of ['_id', 'stepId', 'createdAt']) expect(changed[name]).toBe(first[name]);
  expect(await workflow('second')).toEqual(second);
  replaceDefinitions(state(['third', 'Three']));
  expect((await workflow('third')).body).toBe('Three');
});

test('a reset restores the last versions', async () => {
  const { replaceDefinitions, workflow, ask } = await open();
  replaceDefinitions(state(['first', 'Changed'], ['third', 'Three']));
  await ask('POST /__sandbox/reset', {});
  expect((await workflow('first')).body).toBe('Changed');
  expect((await workflow('second')).body).toBe('Two');
  expect((await workflow('third')).body).toBe('Three');
});

test.each([{ skip: { '==': [1, 1] } }, { skip: [{ '==': [1, 1] }] }])(
  'a workflow of the other mode with %j is rejected and changes nothing',
  async (condition) => {
    const { replaceDefinitions, workflow } = await open();
    const other = state(['first', 'Changed']);
    const [step] = other.environments[0]?.workflows?.[0]?.steps ?? [];
    Object.assign(step?.controlValues ?? {}, condition);
    expect(() => replaceDefinitions({ ...other, compat: 'specification' })).toThrow(
      'The skip conditions of these workflows would have the opposite meaning: first.',
    );
    expect((await workflow('first')).body).toBe('One');
  },
);

test('the page shows the errors in files until they are fixed', async () => {
  const { showFileProblems, replaceDefinitions, readPage } = await open();
  const text = 'workflows/first.yaml:3:1: <b>broken</b>';
  showFileProblems([{ text, workflowId: 'first', excerpt: '3  nam: x\n   ^' }]);
  const shown = await readPage('/page/workflows/first');
  expect(shown).toContain('3  nam: x\n   ^');
  expect(shown).toContain('<title>✗ ');
  expect(shown.match(/Broken file/g)).toHaveLength(1);
  expect(await readPage('/')).toContain('1<span class="hidden"> errors in files</span>');
  expect(shown).toContain('workflows/first.yaml:3:1: &lt;b&gt;broken');
  expect(shown).toContain('Its last valid version stays.');
  showFileProblems([{ text: 'workflows/new.yaml:1:1: broken', workflowId: 'new' }]);
  expect(await readPage('/page/workflows/second')).toContain('workflows/new.yaml:1:1: broken');
  showFileProblems([]);
  replaceDefinitions(state(['first', 'Fixed']));
  const fixed = await readPage('/page/workflows/first');
  expect(fixed).not.toContain('workflows/first.yaml');
  expect(fixed).toContain('Fixed');
});
