// A campaign to recipients that do not exist, such as people who were erased: the service would create them.
import { describe, expect, it } from 'vitest';
import { filterWrites, sentEvents } from '../../support/requests.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';

const csv = (ids: readonly string[]) => `subscriberId\n${ids.map((id) => `${id}\n`).join('')}`;

const send = (rig: Rig, file: string, ...more: string[]) =>
  rig.svc([...['events', 'trigger', 'welcome', '--recipients', file, '--yes', '--json'], ...more]);

const exists = async (rig: Rig, id: string) =>
  (await rig.svc(['subscribers', 'get', id])).code === 0;

async function openErased() {
  const rig = await openRig();
  for (const id of ['gone', 'stays'])
    expect((await rig.svc(['subscribers', 'create', id])).code).toBe(0);
  expect((await rig.svc(['subscribers', 'erase', 'gone', '--yes'])).code).toBe(0);
  return rig;
}

describe('recipients of a file that do not exist', () => {
  it('are counted and named before the events are sent, and in the summary', async () => {
    const rig = await openErased();
    const file = writeInput(rig, 'users.csv', csv(['gone', 'stays']));
    const line = ['events', 'trigger', 'welcome', '--recipients', file, '--yes', '--json'];
    const { code, stdout, stderr, requests } = await rig.svc(line, { tty: 'stderr', columns: 300 });
    expect({ code, ...parsed(stdout) }).toMatchObject({
      ...{ code: 0, triggered: 2, missingSubscribers: 1 },
    });
    expect(stderr).toContain(
      'Warning: 1 of 2 recipients does not exist: gone. The service creates them when it gets their events. To reject their rows, use --existing-only.\n',
    );
    const lines = requests.map(({ line }) => line.split('?')[0]);
    expect(lines.at(-1)).toBe('POST /v1/events/trigger/bulk');
  });

  it('are counted by --validate-only, which creates none', async () => {
    const rig = await openErased();
    const file = writeInput(rig, 'users.csv', csv(['gone', 'stays', 'gone']));
    const { stdout, requests } = await send(rig, file, '--validate-only');
    expect(parsed(stdout)).toMatchObject({ rows: 3, missingSubscribers: 1 });
    expect(filterWrites(requests)).toEqual([]);
    expect(await exists(rig, 'gone')).toBe(false);
  });

  it('are not mentioned if all exist', async () => {
    const rig = await openErased();
    const file = writeInput(rig, 'users.csv', csv(['stays']));
    const { stdout, stderr } = await send(rig, file);
    expect(parsed(stdout)).not.toHaveProperty('missingSubscribers');
    expect(stderr).not.toContain('not exist');
  });

  it('of many rows are found with the listing, and the number of requests is printed', async () => {
    const rig = await openRig();
    const ids = Array.from({ length: 400 }, (_unused, index) => `m${index}`);
    const file = writeInput(rig, 'people.csv', csv(ids));
    expect((await rig.svc(['subscribers', 'bulk-import', file])).code).toBe(0);
    writeInput(rig, 'people.csv', csv([...ids, 'erased-1', 'erased-2']));
    const line = ['events', 'trigger', 'welcome', '--recipients', file, '--yes', '--json'];
    const { stdout, stderr, requests } = await rig.svc(line, { tty: 'stderr', columns: 200 });
    expect(parsed(stdout)).toMatchObject({ triggered: 402, missingSubscribers: 2 });
    expect(stderr).toMatch(/Checking whether 402 subscribers exist: about 5 requests\./);
    const reads = requests.filter(({ line }) => line.startsWith('GET /v2/subscribers'));
    expect(reads.length).toBeLessThan(10);
  });

  it('are not asked for one by one if the listing has none of many', async () => {
    const rig = await openRig();
    const ids = Array.from({ length: 400 }, (_unused, index) => `m${index}`);
    const { stdout, requests } = await send(rig, writeInput(rig, 'people.csv', csv(ids)));
    expect(parsed(stdout)).toMatchObject({ triggered: 400, missingSubscribers: 400 });
    const reads = requests.filter(({ line }) => line.startsWith('GET /v2/subscribers'));
    expect(reads.length).toBeLessThan(25);
  });

  it('are asked for one by one if the listing of the service is empty but they exist', async () => {
    const rig = await openRig();
    const ids = Array.from({ length: 40 }, (_unused, index) => `m${index}`);
    const file = writeInput(rig, 'people.csv', csv(ids));
    expect((await rig.svc(['subscribers', 'bulk-import', file])).code).toBe(0);
    const body = { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };
    rig.answerBy(({ method, url }) =>
      method === 'GET' && url.pathname === '/v2/subscribers' ? { status: 200, body } : undefined,
    );
    const { stdout } = await send(rig, file, '--existing-only');
    expect(parsed(stdout)).toMatchObject({ triggered: 40 });
    expect(parsed(stdout)).not.toHaveProperty('missingSubscribers');
  });
});

describe('--existing-only with a file', () => {
  it.each([
    ['recipients', 'users.csv', csv(['gone', 'stays'])],
    [
      'events',
      'events.ndjson',
      ['gone', 'stays']
        .map((id) => JSON.stringify({ name: 'welcome', to: [{ subscriberId: id }] }))
        .join('\n'),
    ],
  ])(
    'of %s rejects the rows of missing subscribers, and creates none',
    async (kind, name, text) => {
      const rig = await openErased();
      const file = writeInput(rig, name, text);
      const ran =
        kind === 'recipients'
          ? await send(rig, file, '--existing-only')
          : await rig.svc([
              ...['events', 'trigger', '--file', file, '--yes', '--json', '--existing-only'],
            ]);
      expect({ code: ran.code, ...parsed(ran.stdout) }).toMatchObject({
        ...{ code: 3, triggered: 1, invalid: 1, missingSubscribers: 1 },
      });
      expect(ran.stderr).toContain('subscriberId: `gone` does not exist');
      expect(sentEvents(ran.requests)).toHaveLength(1);
      expect(await exists(rig, 'gone')).toBe(false);
    },
  );

  it('checks again when the run is resumed', async () => {
    const rig = await openErased();
    const file = writeInput(rig, 'users.csv', csv(['stays', 'gone']));
    rig.answerBy(({ method }) =>
      method === 'POST' ? { status: 401, body: { statusCode: 401, message: 'no' } } : undefined,
    );
    const stopped = await send(rig, file, '--existing-only');
    expect(stopped.code).toBe(4);
    rig.answerBy(() => undefined);
    const { runId } = parsed(stopped.stdout) as { runId: string };
    const resumed = await rig.svc(['runs', 'resume', runId, '--json']);
    expect({ code: resumed.code, ...parsed(resumed.stdout) }).toMatchObject({
      ...{ code: 3, triggered: 1, invalid: 1 },
    });
    expect(await exists(rig, 'gone')).toBe(false);
  });

  it('needs an input that can be read twice', async () => {
    const rig = await openErased();
    const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--yes', '--existing-only'];
    const once = await rig.svc(line, { stdin: csv(['gone']) });
    expect({ code: once.code, requests: once.requests }).toEqual({ code: 2, requests: [] });
    expect(once.stderr).toContain('--spool');
    const spooled = await rig.svc([...line, '--spool'], { stdin: csv(['gone', 'stays']) });
    expect(spooled.code).toBe(3);
  });
});
