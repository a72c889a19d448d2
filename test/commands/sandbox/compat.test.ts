// The mode of the sandbox: `--compat novu`, SVC_SANDBOX_COMPAT, or `compat` in the state file of --seed.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { controlAt } from '../../support/control.ts';
import { openRig, parsed, type Ran, type Rig, type RunOptions } from '../../support/rig.ts';

interface Started {
  /** The status of the sandbox while it ran. */
  status: { compat: string | null; envelope: boolean };
  ran: Ran;
}

const line = ['sandbox', 'start', '--in-memory', '--port', '0'];

/** Starts a sandbox in this process, reads its status and stops it. */
const startAndStop = (rig: Rig, args: string[], options: RunOptions = {}): Promise<Started> =>
  startLine(rig, [...line, ...args], undefined, options);

async function startLine(
  rig: Rig,
  started: string[],
  meanwhile: ((control: ReturnType<typeof controlAt>) => Promise<unknown>) | undefined = undefined,
  options: RunOptions = {},
): Promise<Started> {
  const running = rig.svc(started, options);
  const file = path.join(rig.folder, 'config', 'config.json');
  const { baseUrl, key } = await vi.waitFor(
    async () => {
      const { sandbox } = JSON.parse(readFileSync(file, 'utf8')).profiles;
      await controlAt(sandbox).status();
      return sandbox;
    },
    { timeout: 10_000 },
  );
  const control = controlAt({ baseUrl, key });
  const status = await control.status();
  await meanwhile?.(control);
  await control.stop();
  return { status, ran: await running };
}

/** Writes a state file whose state was made for Novu. */
function writeState({ folder }: Rig): string {
  const state = 'version: 1\ncompat: novu\nenvironments:\n  - name: Development\n    type: dev\n';
  writeFileSync(path.join(folder, 'state.yaml'), state);
  return 'state.yaml';
}

/** Writes a state file with a workflow that has a `skip` condition. */
function writeSkipState({ folder }: Rig, mode: 'compat: novu' | ''): string {
  const skip = { '==': [{ var: 'payload.plan' }, 'free'] };
  const steps = [{ stepId: 'in-app', name: 'In-app', type: 'in_app', controlValues: { skip } }];
  const workflows = [{ workflowId: 'billing', name: 'Billing', steps }];
  const environments = [{ name: 'Development', type: 'dev', workflows }];
  const lines = ['version: 1', mode, `environments: ${JSON.stringify(environments)}`];
  writeFileSync(path.join(folder, 'skip.yaml'), lines.filter(Boolean).join('\n'));
  return 'skip.yaml';
}
const opposite = 'The skip conditions of these workflows would have the opposite meaning: billing.';

const novu = { compat: 'novu', envelope: true };
const note =
  'The data in state.yaml is from Novu, so the sandbox behaves like it (--compat novu).\n';

describe('svc sandbox start', () => {
  it('follows the specification by default', async () => {
    const { status, ran } = await startAndStop(await openRig({ bare: true }), []);
    expect(status).toMatchObject({ compat: null, envelope: false });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).not.toContain('novu');
  });

  it('behaves like Novu with --compat novu, and prints it', async () => {
    const args = ['--compat', 'novu', '--output', 'table'];
    const { status, ran } = await startAndStop(await openRig({ bare: true }), args);
    expect(status).toMatchObject(novu);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('Compat   novu\n');
  });

  it('includes the mode in JSON', async () => {
    const args = ['--compat', 'novu', '--json'];
    const { ran } = await startAndStop(await openRig({ bare: true }), args);
    expect(JSON.parse(ran.stdout)).toMatchObject({ profile: 'sandbox', compat: 'novu' });
  });

  it('reads SVC_SANDBOX_COMPAT', async () => {
    const env = { SVC_SANDBOX_COMPAT: 'novu' };
    const { status } = await startAndStop(await openRig({ bare: true }), [], { env });
    expect(status).toMatchObject(novu);
  });

  it('ignores SVC_SANDBOX_COMPAT if it is empty, and rejects other values', async () => {
    const rig = await openRig({ bare: true });
    const refused = await rig.svc(line, { env: { SVC_SANDBOX_COMPAT: 'other' } });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('SVC_SANDBOX_COMPAT: `other` is not a valid value.');
    expect((await rig.svc([...line, '--compat', 'other'])).code).toBe(2);
    const { status } = await startAndStop(rig, [], { env: { SVC_SANDBOX_COMPAT: '' } });
    expect(status.compat).toBeNull();
  });

  it('adopts the mode of a state file, with a note', async () => {
    const rig = await openRig({ bare: true });
    const { status, ran } = await startAndStop(rig, ['--seed', writeState(rig)]);
    expect(status).toMatchObject(novu);
    expect(ran).toMatchObject({ code: 0, stderr: note });
  });

  it('prints no note for a state file if --compat is given', async () => {
    const rig = await openRig({ bare: true });
    const args = ['--seed', writeState(rig), '--compat', 'novu'];
    const { status, ran } = await startAndStop(rig, args);
    expect(status).toMatchObject(novu);
    expect(ran.stderr).toBe('');
  });

  it('rejects another mode in a state file', async () => {
    const rig = await openRig({ bare: true });
    const state =
      'version: 1\ncompat: other\nenvironments:\n  - name: Development\n    type: dev\n';
    writeFileSync(path.join(rig.folder, 'state.yaml'), state);
    const { code, stderr } = await rig.svc([...line, '--seed', 'state.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain('state.yaml:2:');
  });
});

describe('a data folder', () => {
  const kept = (...args: string[]) => [
    ...['sandbox', 'start', '--port', '0', '--data', 'data', '--profile-name', 'sandbox'],
    ...args,
  ];
  const start = (rig: Rig, ...args: string[]) => startLine(rig, kept(...args));

  it('keeps its mode', async () => {
    const rig = await openRig({ bare: true });
    expect((await start(rig, '--compat', 'novu')).status).toMatchObject(novu);
    expect((await start(rig)).status).toMatchObject(novu);
  });

  it.each([
    [['--compat', 'novu'], ['--compat', 'none'], '--compat novu'],
    [[], ['--compat', 'novu'], 'the specification'],
    [[], ['--seed', 'state.yaml'], 'the specification'],
  ])('started with %j is refused with %j', async (first, second, mode) => {
    const rig = await openRig({ bare: true });
    writeState(rig);
    await start(rig, ...first);
    const { code, stderr } = await rig.svc(kept(...second));
    expect(code).toBe(2);
    expect(stderr).toContain(`is of a sandbox that follows ${mode}.`);
    expect(stderr).toContain('svc sandbox reset --compat');
  });

  it('refuses skip conditions of the other mode, unless the mode is given', async () => {
    const rig = await openRig({ bare: true });
    const seed = ['--seed', writeSkipState(rig, '')];
    await start(rig, '--compat', 'novu', ...seed);
    const { code, stderr } = await rig.svc(kept(...seed));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(opposite) });
    expect(stderr).toContain('Add `compat: novu` to the state');
    writeSkipState(rig, 'compat: novu');
    expect((await start(rig, ...seed)).status).toMatchObject(novu);
  });

  it('changes its mode with a reset', async () => {
    const rig = await openRig({ bare: true });
    await startLine(rig, kept(), (control) => control.reset('novu'));
    expect((await start(rig)).status).toMatchObject(novu);
  });
});

describe('svc sandbox', () => {
  it('status shows the mode', async () => {
    const status = ['sandbox', 'status'];
    const rig = await openRig({ mode: 'novu' });
    const { stdout } = await rig.svc([...status, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ running: true, ...novu });
    expect((await rig.svc(status, { tty: true })).stdout).toMatch(/^compat +novu$/m);
    const other = await (await openRig()).svc([...status, '--json']);
    expect(JSON.parse(other.stdout)).toMatchObject({ compat: null, envelope: false });
  });

  it('reset changes the mode, and keeps it without --compat', async () => {
    const rig = await openRig();
    const modes: unknown[] = [];
    for (const args of [['--compat', 'novu'], [], ['--compat', 'none']]) {
      expect((await rig.svc(['sandbox', 'reset', '--yes', ...args])).code).toBe(0);
      modes.push(parsed((await rig.svc(['sandbox', 'status', '--json'])).stdout).compat);
    }
    expect(modes).toEqual(['novu', 'novu', null]);
  });

  it.each([
    [true, '', 'Add `compat: novu` to the state'],
    [false, 'compat: novu', 'Load the state into a sandbox that is started with --compat novu.'],
  ] as const)(
    'seed refuses skip conditions of the other mode (%j, %j)',
    async (compat, mode, remedy) => {
      const rig = await openRig({ mode: compat ? 'novu' : 'specification' });
      const before = (await rig.svc(['sandbox', 'export'])).stdout;
      const { code, stderr } = await rig.svc([
        'sandbox',
        'seed',
        writeSkipState(rig, mode),
        '--yes',
      ]);
      expect(code).not.toBe(0);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(opposite);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(remedy);
      expect((await rig.svc(['sandbox', 'export'])).stdout).toBe(before);
      const other = await openRig({ mode: compat ? 'specification' : 'novu' });
      const seeded = await other.svc(['sandbox', 'seed', writeSkipState(other, mode), '--yes']);
      expect(seeded.code).toBe(0);
    },
  );

  it('export writes the mode to the state file', async () => {
    const args = ['sandbox', 'export'];
    expect((await (await openRig({ mode: 'novu' })).svc(args)).stdout).toMatch(/^compat: novu$/m);
    expect((await (await openRig()).svc(args)).stdout).not.toContain('compat');
  });
});
