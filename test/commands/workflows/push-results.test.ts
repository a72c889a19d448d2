// The results of a push: reasons of writes that did not work, the run that `svc runs` shows, and what is printed.
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { listWrites } from '../../support/requests.ts';
import { parsed, type Rig } from '../../support/rig.ts';
import { openStaging, openWorkflowRig, smsFile, writeFullFolder } from './workflow-folder.ts';

const push = ['workflows', 'push', '--yes', '--json'];

/** A rig with the workflow a, which the push updates, and the new workflow b. */
async function openTwo() {
  const rig = await openWorkflowRig();
  rig.files.write('workflows/a.yaml', smsFile('a'));
  expect((await rig.svc(push)).code).toBe(0);
  rig.files.write('workflows/a.yaml', `${smsFile('a', 'Bye')}name: Other\n`);
  rig.files.write('workflows/b.yaml', smsFile('b'));
  return rig;
}

const refused = { status: 422, body: { statusCode: 422, message: 'Not this one' } };
const missing = { status: 404, body: { statusCode: 404, message: 'Workflow cannot be found' } };

/** Answers the reads of a workflow from the `first` one on. */
function answerReads(rig: Rig, id: string, first: number, answer: object) {
  let reads = 0;
  rig.answerBy(({ method, url }) => {
    if (method !== 'GET' || url.pathname !== `/v2/workflows/${id}`) return undefined;
    reads += 1;
    return reads < first ? undefined : (answer as typeof missing);
  });
}

const printedResults = (stdout: string) =>
  (parsed(stdout).results as { kind: string; id: string; result: string; message?: string }[]).map(
    ({ id, result, message = '' }) => [id, result, message],
  );

const skippedB = ['b', 'skipped', 'the push stopped before it'];

describe('a workflow', () => {
  it('that the service refuses without fields has its message as it is', async () => {
    const rig = await openTwo();
    rig.answerBy(({ method }) => (method === 'PUT' ? refused : undefined));
    const { code, stdout } = await rig.svc(push);
    expect(code).toBe(6);
    expect(printedResults(stdout)).toEqual([['a', 'failed', 'Not this one'], skippedB]);
  });

  it('whose write gets no response has the error as it is', async () => {
    const rig = await openTwo();
    rig.answerWrites(...Array(9).fill(new Error('no response')));
    const { code, stdout } = await rig.svc(push);
    expect(code).toBe(7);
    const message = 'http://sandbox.localhost cannot be reached: no response';
    expect(printedResults(stdout)).toEqual([['a', 'failed', message], skippedB]);
  });

  it('that is gone after the write stops the push', async () => {
    const rig = await openTwo();
    answerReads(rig, 'a', 3, missing);
    const { code, stdout, stderr } = await rig.svc(push);
    expect(code).toBe(3);
    const message = 'the service no longer has it after the write';
    expect(printedResults(stdout)).toEqual([['a', 'failed', message], skippedB]);
    expect(printedError(stderr).message).toBe(
      'Wrote 1 of 2 resources at http://sandbox.localhost, and stopped at workflow a.',
    );
  });

  it('that is stored with other values has the paths of all of them', async () => {
    const rig = await openTwo();
    const { stdout: current } = await rig.svc(['workflows', 'get', 'a', '--json']);
    rig.answerBy(({ method }) =>
      method === 'PUT' ? { status: 200, body: { data: JSON.parse(current) } } : undefined,
    );
    const { code, stdout } = await rig.svc(push);
    expect(code).toBe(3);
    const message =
      'the service stored other values than were sent: name, steps.text.controlValues.body';
    expect(printedResults(stdout)).toEqual([['a', 'failed', message], skippedB]);
  });

  it('that others create after the plan is not written', async () => {
    const rig = await openTwo();
    const { stdout: other } = await rig.svc(['workflows', 'get', 'a', '--json']);
    let reads = 0;
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET' || url.pathname !== '/v2/workflows/b') return undefined;
      reads += 1;
      const data = { ...JSON.parse(other), workflowId: 'b' };
      return reads === 1 ? missing : { status: 200, body: { data } };
    });
    const { code, stdout, requests } = await rig.svc(push);
    expect(code).toBe(3);
    expect(printedResults(stdout)).toEqual([
      ['a', 'written', ''],
      ['b', 'skipped', 'it was created after the plan was made'],
    ]);
    expect(requests.map(({ line }) => line)).not.toContain('POST /v2/workflows');
  });

  it('that others delete after the plan is not deleted again', async () => {
    const rig = await openStaging();
    const line = ['workflows', 'push', '--delete', '--yes', '--json', '-p', 'staging'];
    for (const id of ['a', 'b']) rig.files.write(`workflows/${id}.yaml`, smsFile(id));
    expect((await rig.svc(line)).code).toBe(0);
    rig.files.remove('workflows/a.yaml');
    answerReads(rig, 'a', 2, missing);
    const { code, stdout, requests } = await rig.svc(line);
    expect({ code, writes: listWrites(requests) }).toEqual({ code: 3, writes: [] });
    expect(printedResults(stdout)).toEqual([['a', 'skipped', 'it is already deleted']]);
  });
});

it('a layout whose content cannot be written was still created', async () => {
  const { files, ...rig } = await openStaging();
  writeFullFolder(files);
  rig.answerBy(({ method }) =>
    method === 'PUT'
      ? { status: 500, body: { statusCode: 500, message: 'Not this one' } }
      : undefined,
  );
  const { code, stderr } = await rig.svc([...push, '-p', 'staging']);
  expect(code).toBe(7);
  expect(printedError(stderr)).toMatchObject({
    message: 'Wrote 1 of 2 resources in Staging (profile staging), and stopped at layout frame.',
    hint: 'To delete the new layout frame:',
  });
});

describe('the run of a push', () => {
  const shown = async ({ svc }: Pick<Rig, 'svc'>) => {
    const { folder, counts, summary, rejects } = parsed(
      (await svc(['runs', 'show', 'last', '--json'])).stdout,
    );
    return { counts, summary, rejects: String(rejects).replace(String(folder), '<folder>') };
  };
  const none = { invalid: 0, unknown: 0, rejects: null, resumed: false, stopped: null };

  it('counts what was created and updated', async () => {
    const rig = await openTwo();
    rig.files.write('workflows/c.yaml', smsFile('c'));
    expect((await rig.svc(push)).code).toBe(0);
    expect(await shown(rig)).toMatchObject({
      counts: { created: 2, updated: 1 },
      summary: { rows: 3, created: 2, updated: 1, failed: 0, skipped: 0, ...none },
      rejects: 'null',
    });
  });

  it.each<[string, (rig: Rig) => void]>([
    ['after the write', (rig) => answerReads(rig, 'a', 3, missing)],
    [
      'in the write',
      (rig) => rig.answerBy(({ method }) => (method === 'PUT' ? refused : undefined)),
    ],
  ])('counts what failed %s and what was skipped', async (_when, prepare) => {
    const rig = await openTwo();
    prepare(rig);
    expect((await rig.svc(push)).code).not.toBe(0);
    expect(await shown(rig)).toMatchObject({
      counts: { failed: 1, skipped: 1 },
      summary: { rows: 2, created: 0, updated: 0, failed: 1, skipped: 1, ...none },
      rejects: '<folder>/rejects',
    });
  });
});

it('a push that only creates has no previous versions', async () => {
  const { svc, files } = await openWorkflowRig();
  files.write('workflows/a.yaml', smsFile('a'));
  const { stdout } = await svc(['workflows', 'push', '--yes'], { tty: true });
  expect(stdout).toBe(
    'created  workflow a  ACTIVE\nWrote 1 of 1 resource at http://sandbox.localhost.\n',
  );
});

it('a push warns of the errors of an unchanged workflow alone', async () => {
  const { svc, files } = await openWorkflowRig();
  const body = '{{payload.x | toSentence: 1}}';
  for (const id of ['a', 'b']) files.write(`workflows/${id}.yaml`, smsFile(id, body));
  expect((await svc(['workflows', 'push', 'workflows/a.yaml', '--yes'])).code).toBe(3);
  expect((await svc(['workflows', 'push', 'workflows/b.yaml', '--yes'])).code).toBe(3);
  files.write('workflows/c.yaml', smsFile('c'));
  expect((await svc(['workflows', 'push', 'workflows/c.yaml', '--yes'])).code).toBe(0);
  files.write('workflows/b.yaml', smsFile('b', `Hi ${body}`));
  const { code, stderr } = await svc(push, { tty: 'stderr', columns: 200 });
  expect(code).toBe(3);
  expect(stderr.match(/Warning: .*/g)).toEqual([
    'Warning: workflow `a` is unchanged, but the service reports errors in it: svc workflows get a',
  ]);
});

it('the plan above the question has colors on a terminal', async () => {
  const { svc, files } = await openWorkflowRig();
  files.write('workflows/a.yaml', smsFile('a'));
  const { stderr } = await svc(['workflows', 'push', '--yes'], {
    tty: true,
    env: { NO_COLOR: '' },
  });
  expect(stderr).toContain('\u001b[32m+ \u001b[39mworkflow \u001b[1ma\u001b[22m');
});
