// Pushes that cannot write everything: changes by others, errors that the service reports, failures and signals.
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { filterWrites } from '../../support/requests.ts';
import { parsed, type Rig } from '../../support/rig.ts';
import { openWorkflowRig, smsFile } from './workflow-folder.ts';

/** The service reports an error in this text; the template works, so svc pushes it. */
const reported = (name = 'x') => `{{payload.${name} | toSentence: 1}}`;

const push = ['workflows', 'push', '--yes', '--json'];

/** A rig with the workflows a, b and c, and new texts for them in the folder. */
async function openThree() {
  const rig = await openWorkflowRig();
  for (const id of ['a', 'b', 'c']) rig.files.write(`workflows/${id}.yaml`, smsFile(id));
  await rig.svc(push);
  for (const id of ['a', 'b', 'c']) rig.files.write(`workflows/${id}.yaml`, smsFile(id, 'Bye'));
  return rig;
}

const readBody = async ({ svc }: Pick<Rig, 'svc'>, id: string) =>
  JSON.parse((await svc(['workflows', 'step', id, 'text', '--json'])).stdout).controlValues.body;

const printedResults = (stdout: string) =>
  (parsed(stdout).results as { id: string; result: string; message?: string }[]).map(
    ({ id, result, message = '' }) => [id, result, message],
  );

describe('a workflow that is changed after the plan', () => {
  it('is not written, the others are, and the exit code is 3', async () => {
    const rig = await openThree();
    let reads = 0;
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET' || url.pathname !== '/v2/workflows/b') return undefined;
      reads += 1;
      if (reads !== 2) return undefined;
      const workflow = { workflowId: 'b', origin: 'novu-cloud', steps: [], updatedAt: 'later' };
      return { status: 200, body: { data: workflow } };
    });
    const { code, stdout, stderr } = await rig.svc(push);
    expect(code).toBe(3);
    expect(printedResults(stdout)).toEqual([
      ['a', 'written', ''],
      ['b', 'skipped', 'it was changed after the plan was made'],
      ['c', 'written', ''],
    ]);
    expect(printedError(stderr)).toMatchObject({
      name: 'partial',
      message: 'Wrote 2 of 3 resources at http://sandbox.localhost.',
      details: [{ field: 'workflow b', message: 'it was changed after the plan was made' }],
    });
    rig.answerBy(() => undefined);
    expect(await readBody(rig, 'b')).toBe('Hello');
    // The next plan contains the rest.
    expect(printedResults((await rig.svc(push)).stdout)).toEqual([['b', 'written', '']]);
  });

  it('only in its time of update is not written either', async () => {
    const rig = await openThree();
    const { stdout: current } = await rig.svc(['workflows', 'get', 'b', '--json']);
    let reads = 0;
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET' || url.pathname !== '/v2/workflows/b') return undefined;
      reads += 1;
      const data = { ...JSON.parse(current), updatedAt: `2026-01-15T12:00:0${reads}.000Z` };
      return { status: 200, body: { data } };
    });
    const { stdout, requests } = await rig.svc(push);
    expect(printedResults(stdout)[1]).toEqual([
      'b',
      'skipped',
      'it was changed after the plan was made',
    ]);
    expect(requests.map(({ line }) => line)).not.toContain('PUT /v2/workflows/b');
  });

  it('is not written if it was deleted', async () => {
    const rig = await openThree();
    let reads = 0;
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET' || url.pathname !== '/v2/workflows/b') return undefined;
      reads += 1;
      const body = { statusCode: 404, message: 'Workflow cannot be found' };
      return reads === 1 ? undefined : { status: 404, body };
    });
    const { code, stdout } = await rig.svc(push);
    expect(code).toBe(3);
    expect(printedResults(stdout)[1]).toEqual([
      'b',
      'skipped',
      'it was deleted after the plan was made',
    ]);
  });
});

describe('a workflow that came back with errors', () => {
  it('stops the push, which prints the issues and the command that restores it', async () => {
    const rig = await openThree();
    rig.files.write('workflows/b.yaml', smsFile('b', reported()));
    const { code, stdout, stderr } = await rig.svc(push);
    expect(code).toBe(3);
    const { results } = parsed(stdout);
    expect(results).toMatchObject([
      { id: 'a', result: 'written', status: 'ACTIVE', issues: [] },
      {
        id: 'b',
        result: 'failed',
        status: 'ERROR',
        issues: [{ step: 'text', field: 'body', issue: 'INVALID_FILTER_ARG_IN_VARIABLE' }],
      },
      { id: 'c', result: 'skipped', message: 'the push stopped before it' },
    ]);
    expect(printedError(stderr)).toMatchObject({
      message: 'Wrote 2 of 3 resources at http://sandbox.localhost, and stopped at workflow b.',
      hint: 'To restore the previous version of b:',
    });
    const [next = ''] = printedError(stderr).next;
    expect(next).toMatch(/^svc workflows push \S+\/backup\/b\.yaml$/);
    expect(await readBody(rig, 'b')).toBe(reported());
    await rig.svc([...next.split(' ').slice(1), '--yes']);
    expect(await readBody(rig, 'b')).toBe('Hello');
    expect(await readBody(rig, 'c')).toBe('Hello');
  });

  it('has its issues as sentences in a row of a pipe, with step and field', async () => {
    const rig = await openThree();
    rig.files.write('workflows/b.yaml', smsFile('b', `${reported('x')} ${reported('y')}`));
    const { stdout } = await rig.svc(['workflows', 'push', '--yes', '-o', 'csv', '--no-header']);
    const row = stdout.split('\n').find((line) => line.startsWith('workflow,b,'));
    expect(row).toMatch(
      /,"?step text, body: .*payload\.x.*\. step text, body: .*payload\.y.*\."?,/,
    );
  });

  it('that is new is deleted by the printed command', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/new.yaml', smsFile('new', reported()));
    const { code, stdout } = await rig.svc(['workflows', 'push', '--yes'], { tty: true });
    expect(code).toBe(3);
    expect(stdout).toContain(
      'Wrote 1 of 1 resource at http://sandbox.localhost, and stopped at workflow new.\n',
    );
    expect(stdout).toContain(
      'failed   workflow new  ERROR: the service reports errors in the workflow\n',
    );
    expect(stdout).toContain('To delete the new workflow new: svc workflows delete new\n');
    expect((await rig.svc(['workflows', 'delete', 'new', '--yes'])).code).toBe(0);
  });

  it('is named when it is pushed again without a change', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/new.yaml', smsFile('new', reported()));
    expect((await rig.svc(push)).code).toBe(3);
    const { code, stderr, requests } = await rig.svc(['workflows', 'push', '--yes']);
    expect(code).toBe(0);
    expect(stderr).toContain(
      'Warning: workflow `new` is unchanged, but the service reports errors in it: svc workflows get new',
    );
    expect(filterWrites(requests)).toEqual([]);
  });
});

it('a workflow that the service stores with other values stops the push', async () => {
  const rig = await openThree();
  const { stdout: current } = await rig.svc(['workflows', 'get', 'b', '--json']);
  rig.answerBy(({ method, url }) =>
    method === 'PUT' && url.pathname === '/v2/workflows/b'
      ? { status: 200, body: { data: JSON.parse(current) } }
      : undefined,
  );
  const { code, stdout } = await rig.svc(push);
  expect(code).toBe(3);
  expect(printedResults(stdout)).toEqual([
    ['a', 'written', ''],
    [
      'b',
      'failed',
      'the service stored other values than were sent: steps.text.controlValues.body',
    ],
    ['c', 'skipped', 'the push stopped before it'],
  ]);
});

describe('a write that fails', () => {
  const refuse = (rig: Pick<Rig, 'answerBy'>, id: string, status: number) =>
    rig.answerBy(({ method, url }) =>
      method === 'PUT' && url.pathname === `/v2/workflows/${id}`
        ? { status, body: { statusCode: status, message: 'Not this one' } }
        : undefined,
    );

  it.each([
    ['the service refuses a later one', 'b', 422, 3],
    ['the service refuses the first one', 'a', 422, 6],
    ['the key is no longer valid', 'b', 401, 4],
    ['the service is down', 'b', 503, 7],
  ])('stops the push if %s', async (_when, id, status, expected) => {
    const rig = await openThree();
    refuse(rig, id, status);
    const { code, stdout, stderr } = await rig.svc(push);
    expect(code).toBe(expected);
    const failed = printedResults(stdout).find(([, result]) => result === 'failed');
    expect(failed?.[0]).toBe(id);
    expect(printedError(stderr)).toMatchObject({ code: expected });
    expect((await rig.svc(['runs', 'show', 'last', '--json'])).code).toBe(0);
  });
});

describe('the command that restores', () => {
  const respond = (rig: Rig, method: string, path: string, status: number) =>
    rig.answerBy((request) =>
      request.method === method && request.url.pathname === path
        ? { status, body: { statusCode: status, message: 'Not this one' } }
        : undefined,
    );

  it('does not delete a workflow whose creation the service refused', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/new.yaml', smsFile('new'));
    respond(rig, 'POST', '/v2/workflows', 422);
    const { code, stdout, stderr } = await rig.svc(['workflows', 'push', '--yes'], { tty: true });
    expect(code).toBe(6);
    expect(stdout).toContain('Wrote 0 of 1 resource at http://sandbox.localhost.\n');
    expect(`${stdout}${stderr}`).not.toMatch(/svc workflows delete|To restore/);
  });

  it('is that of the earlier writes if the service refused the last one', async () => {
    const rig = await openThree();
    respond(rig, 'PUT', '/v2/workflows/b', 422);
    const { code, stderr } = await rig.svc(push);
    expect(code).toBe(3);
    expect(printedError(stderr)).toMatchObject({
      message: 'Wrote 1 of 3 resources at http://sandbox.localhost.',
      hint: 'To restore the previous versions:',
      next: [expect.stringMatching(/^svc workflows push \S+\/backup$/)],
    });
  });

  it('depends on the result if no response confirms the write', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/new.yaml', smsFile('new'));
    respond(rig, 'POST', '/v2/workflows', 500);
    const { code, stderr } = await rig.svc(push);
    expect(code).toBe(7);
    expect(printedError(stderr)).toMatchObject({
      message:
        'Wrote 0 of 1 resource at http://sandbox.localhost, and stopped at workflow new, which may be written.',
      hint: 'To delete the new workflow new, if it was written:',
      next: ['svc workflows delete new'],
    });
  });

  it('deletes a new workflow that was created before an error', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/new.yaml', smsFile('new'));
    let isCreated = false;
    rig.answerBy(({ method, url }) => {
      if (method === 'POST') isCreated = true;
      return isCreated && method === 'GET' && url.pathname === '/v2/workflows/new'
        ? { status: 401, body: { statusCode: 401, message: 'Not this one' } }
        : undefined;
    });
    const { code, stderr } = await rig.svc(push);
    expect(code).toBe(4);
    expect(printedError(stderr)).toMatchObject({
      message: 'Wrote 1 of 1 resource at http://sandbox.localhost, and stopped at workflow new.',
      next: ['svc workflows delete new'],
    });
  });
});

describe('Ctrl-C', () => {
  it.each([
    ['interrupted', 130],
    ['terminated', 143],
  ] as const)(
    'finishes the current workflow and lists what was not written: %s',
    async (reason, expected) => {
      const rig = await openThree();
      const controller = new AbortController();
      rig.answerBy(({ method, url }) => {
        if (method === 'PUT' && url.pathname === '/v2/workflows/b') controller.abort(reason);
        return undefined;
      });
      const { signal: shutdownSignal } = controller;
      const { code, stdout, requests } = await rig.svc(push, { shutdownSignal });
      expect(code).toBe(expected);
      expect(printedResults(stdout)).toEqual([
        ['a', 'written', ''],
        ['b', 'written', ''],
        ['c', 'skipped', 'the push was interrupted'],
      ]);
      // It is read back, too.
      expect(requests.at(-1)?.line).toBe('GET /v2/workflows/b');
      rig.answerBy(() => undefined);
      expect(printedResults((await rig.svc(push)).stdout)).toEqual([['c', 'written', '']]);
    },
  );

  it('before the first write ends the command', async () => {
    const rig = await openThree();
    const controller = new AbortController();
    rig.answerBy(() => void controller.abort('interrupted'));
    const { code, stdout, requests } = await rig.svc(push, { shutdownSignal: controller.signal });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(filterWrites(requests)).toEqual([]);
  });
});

it('a rejected workflow has the invalid fields as sentences', async () => {
  const rig = await openThree();
  rig.answerBy(({ method }) => {
    if (method !== 'PUT') return undefined;
    const errors = { 'steps.0.name': { messages: ['is too long', 'is not unique.'] } };
    return { status: 422, body: { statusCode: 422, message: 'Validation failed', errors } };
  });
  const { stdout } = await rig.svc(push);
  expect(printedResults(stdout)[0]).toEqual([
    'a',
    'failed',
    'Validation failed. steps.0.name: is too long. steps.0.name: is not unique.',
  ]);
});
