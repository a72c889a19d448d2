// svc subscribers preferences copy, with the whole program.
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';

const [from, to] = ['welcome', 'comment-digest'];
const line = ['subscribers', 'preferences', 'copy', '--from-workflow', from, '--to-workflow', to];

const choose = ({ svc }: Rig, id: string, workflow: string, ...channels: string[]) =>
  svc(['subscribers', 'preferences', 'update', id, '--workflow', workflow, ...channels]);

const readChannels = async ({ svc }: Rig, id: string, workflow = to) => {
  const { stdout } = await svc(['subscribers', 'preferences', 'get', id, '--json']);
  const { workflows } = parsed(stdout) as {
    workflows: { channels: object; workflow: { identifier: string } }[];
  };
  return workflows.find((entry) => entry.workflow.identifier === workflow)?.channels;
};

/** People without preferences: p1 to p5. */
async function openPeople() {
  const rig = await openRig();
  const ids = ['p1', 'p2', 'p3', 'p4', 'p5'];
  await rig.svc(['subscribers', 'bulk-import', '-', '--format', 'csv'], {
    stdin: `subscriberId\n${ids.join('\n')}\n`,
  });
  return { rig, list: writeInput(rig, 'people.txt', ids.join('\n')) };
}

describe('svc subscribers preferences copy', () => {
  it('writes choices where the new workflow has its default, and skips the others', async () => {
    const { rig, list } = await openPeople();
    await choose(rig, 'p1', from, '--email', 'off');
    await choose(rig, 'p2', from, '--email', 'off', '--in-app', 'off');
    await choose(rig, 'p2', to, '--in-app', 'off');
    await rig.svc(['subscribers', 'preferences', 'update', 'p3', '--email', 'off']);
    await choose(rig, 'p4', from, '--email', 'on');
    const copy = [...line, '--file', list, '--yes', '--json'];
    const { code, stdout, stderr, requests } = await rig.svc(copy);
    expect({ code, summary: parsed(stdout) }).toMatchObject({
      code: 0,
      summary: { rows: 5, updated: 2, skipped: 3, failed: 0, rejects: null },
    });
    expect(stderr).toBe('');
    expect(
      requests.filter(({ line: sent }) => sent.startsWith('PATCH')).map(({ body }) => body),
    ).toEqual([
      { workflowId: to, channels: { email: false } },
      { workflowId: to, channels: { email: false } },
    ]);
    expect(await readChannels(rig, 'p1')).toEqual({ in_app: true, email: false });
    expect(await readChannels(rig, 'p2')).toEqual({ in_app: false, email: false });
    const again = await rig.svc([...line, '--file', list, '--yes'], { tty: true });
    expect(again.stderr).toContain('Skipped: 2 have the same choice already, 3 have no choice.');
    expect(again.requests.some(({ line: sent }) => sent.startsWith('PATCH'))).toBe(false);
  });

  it('keeps a choice that differs from the default of the new workflow, without --overwrite', async () => {
    const { rig, list } = await openPeople();
    // Off by default in the old workflow: p1 has turned it on, and off for the new one.
    const { stdout } = await rig.svc(['workflows', 'get', from, '--json']);
    const workflow = parsed(stdout) as { preferences: { default: object } };
    const preferences = {
      ...workflow.preferences,
      user: { channels: { email: { enabled: false } } },
    };
    rig.answerBy(({ method, url }) =>
      method === 'GET' && url.pathname === `/v2/workflows/${from}`
        ? { status: 200, body: { ...workflow, preferences } }
        : undefined,
    );
    await choose(rig, 'p1', to, '--email', 'off');
    const copy = [...line, '--file', list, '--yes', '--json'];
    expect(parsed((await rig.svc(copy)).stdout)).toMatchObject({ updated: 0, skipped: 5 });
    expect(parsed((await rig.svc([...copy, '--overwrite'])).stdout)).toMatchObject({
      ...{ updated: 1, skipped: 4 },
    });
    expect(await readChannels(rig, 'p1')).toEqual({ in_app: true, email: true });
  });

  it('reads all subscribers without --file, and asks with their number', async () => {
    const { rig } = await openPeople();
    await choose(rig, 'p5', from, '--email', 'off');
    const asked = await rig.svc(line);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(`copy the choices of 14 subscribers from ${from} to ${to}`);
    expect((await rig.svc(['runs', 'list', '-o', 'ids'])).stdout.trim().split('\n')).toHaveLength(
      1,
    );
    const { stdout } = await rig.svc([...line, '--yes', '--json']);
    expect(parsed(stdout)).toMatchObject({ rows: 14, failed: 0, invalid: 0 });
    expect(await readChannels(rig, 'p5')).toEqual({ in_app: true, email: false });
  });

  it('needs both workflows, and names the commands that help', async () => {
    const { rig } = await openPeople();
    const { code, stderr } = await rig.svc(['subscribers', 'preferences', 'copy', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('svc workflows list');
  });

  it('skips everybody if a workflow is critical, without a request for each', async () => {
    const { rig, list } = await openPeople();
    const { code, stdout, stderr, requests } = await rig.svc([
      ...['subscribers', 'preferences', 'copy', '--from-workflow', from],
      ...['--to-workflow', 'one-time-code', '--file', list, '--yes', '--json'],
    ]);
    expect({ code, summary: parsed(stdout) }).toMatchObject({
      code: 0,
      summary: { updated: 0, skipped: 5 },
    });
    expect(stderr).toContain('Workflow one-time-code is critical');
    expect(requests).toHaveLength(2);
  });

  it('rejects unknown subscribers, and continues after an interruption', async () => {
    const { rig } = await openPeople();
    for (const id of ['p1', 'p2', 'p3']) await choose(rig, id, from, '--email', 'off');
    const list = writeInput(rig, 'some.csv', 'subscriberId\np1\nghost\np2\np3\n');
    let patches = 0;
    rig.answerBy(({ method }) => {
      if (method !== 'PATCH') return undefined;
      patches += 1;
      return patches === 2 ? { status: 403, body: { message: 'Forbidden' } } : undefined;
    });
    const stopped = await rig.svc([...line, '--file', list, '--yes', '--concurrency', '1']);
    expect(stopped.code).toBe(4);
    const { code, stdout } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect({ code, summary: parsed(stdout) }).toMatchObject({
      code: 3,
      summary: { rows: 4, updated: 3, failed: 1, resumed: true },
    });
    for (const id of ['p1', 'p2', 'p3'])
      expect(await readChannels(rig, id)).toEqual({ in_app: true, email: false });
  });

  it('shows the first change with --dry-run, and sends none', async () => {
    const { rig, list } = await openPeople();
    await choose(rig, 'p2', from, '--email', 'off');
    const { code, stdout, requests } = await rig.svc([...line, '--file', list, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('PATCH');
    expect(stdout).toContain('/v2/subscribers/p2/preferences');
    expect(requests.every(({ line: sent }) => sent.startsWith('GET'))).toBe(true);
  });

  it('is a usage error for one workflow, or one that is missing or inactive', async () => {
    const { svc } = await openRig();
    const copy = ['subscribers', 'preferences', 'copy', '--from-workflow'];
    expect((await svc([...copy, from, '--to-workflow', from])).code).toBe(2);
    expect((await svc([...copy, from])).code).toBe(2);
    expect((await svc([...copy, 'welcom', '--to-workflow', to])).code).toBe(5);
    await svc(['workflows', 'disable', from, '--yes']);
    const { code, stderr } = await svc([...copy, from, '--to-workflow', to]);
    expect(code).toBe(2);
    expect(stderr).toContain(`svc workflows enable ${from}`);
  });
});

describe('a choice that equals the default', () => {
  type Entry = { overrides: unknown[]; channels: object; workflow: { identifier: string } };

  /** Email is off in `from` by choice. `change` edits the entry of `to`. */
  async function copyWith(change: (entry: Entry) => object, name = to, ...more: string[]) {
    const { rig } = await openPeople();
    await choose(rig, 'p1', from, '--email', 'off');
    const { stdout } = await rig.svc(['subscribers', 'preferences', 'get', 'p1', '--json']);
    const preferences = parsed(stdout) as { workflows: Entry[] };
    const workflows = preferences.workflows.map((entry) =>
      entry.workflow.identifier === name ? { ...entry, ...change(entry) } : entry,
    );
    rig.answerBy(({ method, url }) =>
      method === 'GET' && url.pathname.endsWith('/p1/preferences')
        ? { status: 200, body: { ...preferences, workflows } }
        : undefined,
    );
    const list = writeInput(rig, 'one.txt', 'p1\n');
    const copy = [...line, '--file', list, '--yes', '--json', ...more];
    const result = await rig.svc(copy, { tty: 'stderr' });
    const sent = result.requests.filter((request) => request.line.startsWith('PATCH'));
    return {
      summary: parsed(result.stdout),
      bodies: sent.map(({ body }) => body),
      stderr: result.stderr,
    };
  }

  const named = (...sources: [channel: string, source: string][]) => ({
    overrides: sources.map(([channel, source]) => ({ channel, source })),
  });

  it('is not overwritten if the service names the subscriber for the channel', async () => {
    const own = () => named(['in_app', 'template'], ['email', 'subscriber']);
    expect(await copyWith(own)).toMatchObject({ summary: { skipped: 1 }, bodies: [] });
    expect(await copyWith(own, to, '--overwrite')).toMatchObject({ summary: { updated: 1 } });
    const others = () => named(['in_app', 'subscriber'], ['email', 'template']);
    expect(await copyWith(others)).toMatchObject({
      bodies: [{ workflowId: to, channels: { email: false } }],
    });
    expect(await copyWith(() => named())).toMatchObject({ summary: { updated: 1 } });
  });

  it('counts as a choice in the old workflow if the service names the subscriber for the channel', async () => {
    const own = ({ channels }: Entry) => ({
      channels: { ...channels, email: true },
      ...named(['in_app', 'template'], ['email', 'subscriber']),
    });
    const { summary, bodies, stderr } = await copyWith(own, from);
    expect({ summary, bodies }).toMatchObject({ summary: { skipped: 1 }, bodies: [] });
    expect(stderr).toContain('1 has the same choice already');
  });

  it('is not overwritten if the service shows when the person chose something', async () => {
    const dated = () => ({ updatedAt: '2026-01-15T12:00:00.000Z' });
    expect(await copyWith(dated)).toMatchObject({ summary: { skipped: 1 }, bodies: [] });
    expect(await copyWith(dated, to, '--overwrite')).toMatchObject({ summary: { updated: 1 } });
    expect(await copyWith(dated, from)).toMatchObject({ summary: { updated: 1 } });
  });

  it('cannot be seen if the service names the subscriber for every channel', async () => {
    expect(await copyWith(() => ({}))).toMatchObject({ summary: { updated: 1 } });
  });
});
