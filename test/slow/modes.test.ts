// The mode of the sandbox: `--compat`, SVC_SANDBOX_COMPAT, the mark of --seed, and that of a data folder.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Mode, modes } from '../../src/service/mode.ts';
import { controlAt } from '../support/control.ts';
import { openRig, parsed, type Ran, type Rig, type RunOptions } from '../support/rig.ts';
import { words } from '../support/words.ts';

interface Started {
  /** The status of the sandbox while it ran. */
  status: { compat: string; envelope: boolean };
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

/** Writes a state file with a workflow; returns its name. */
function writeState({ folder }: Rig, mark: Mode | undefined, { skip = true } = {}): string {
  const condition = skip ? { skip: { '==': [{ var: 'payload.plan' }, 'free'] } } : {};
  const controlValues = { body: 'Hello', ...condition };
  const steps = [{ stepId: 'in-app', name: 'In-app', type: 'in_app', controlValues }];
  const workflows = [{ workflowId: 'billing', name: 'Billing', steps }];
  const environments = JSON.stringify([{ name: 'Development', type: 'dev', workflows }]);
  const compat = mark === undefined ? '' : `compat: ${mark}\n`;
  writeFileSync(
    path.join(folder, 'state.yaml'),
    `version: 1\n${compat}environments: ${environments}\n`,
  );
  return 'state.yaml';
}

const novu = { compat: 'novu', envelope: true };
const specification = { compat: 'specification', envelope: false };
const other = (mode: Mode) => (mode === 'novu' ? 'specification' : 'novu');
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

const unmarked = (effect: string, right: string, wrong: string) =>
  `Warning: state.yaml does not name the mode of the skip conditions of these workflows: billing. In this sandbox, a true condition ${effect} the step. Mark it with \`compat: ${right}\` if that is right, else with \`compat: ${wrong}\`.\n`;

describe('svc sandbox start', () => {
  it('behaves like the service by default, and does not print the mode', async () => {
    const rig = await openRig({ bare: true });
    const { status, ran } = await startAndStop(rig, ['--output', 'table']);
    expect(status).toMatchObject(novu);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).not.toMatch(/novu|Mode/);
  });

  it('follows the specification with --compat specification, and prints it', async () => {
    const args = ['--compat', 'specification', '--output', 'table'];
    const { status, ran } = await startAndStop(await openRig({ bare: true }), args);
    expect(status).toMatchObject(specification);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('Mode     specification\n');
  });

  it.each(modes)('includes the mode %s in JSON', async (mode) => {
    const { ran } = await startAndStop(
      await openRig({ bare: true }),
      words`--compat ${mode} --json`,
    );
    expect(JSON.parse(ran.stdout)).toMatchObject({ profile: 'sandbox', compat: mode });
  });

  it('reads SVC_SANDBOX_COMPAT; the option has precedence', async () => {
    const rig = await openRig({ bare: true });
    const env = { SVC_SANDBOX_COMPAT: 'specification' };
    expect((await startAndStop(rig, [], { env })).status).toMatchObject(specification);
    const given = await startAndStop(rig, ['--compat', 'novu'], { env });
    expect(given.status).toMatchObject(novu);
  });

  it('ignores SVC_SANDBOX_COMPAT if it is empty, and rejects other values', async () => {
    const rig = await openRig({ bare: true });
    const refused = await rig.svc(line, { env: { SVC_SANDBOX_COMPAT: 'other' } });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'SVC_SANDBOX_COMPAT: `other` is not a valid value. It must be one of: novu, specification.',
    );
    expect((await rig.svc([...line, '--compat', 'other'])).code).toBe(2);
    const { status } = await startAndStop(rig, [], { env: { SVC_SANDBOX_COMPAT: '' } });
    expect(status).toMatchObject(novu);
  });

  it.each([
    [
      'specification',
      specification,
      'state.yaml has the mark `compat: specification`, so the sandbox has that mode.\n',
    ],
    ['novu', novu, ''],
  ] as const)('adopts the mode of a state file: %s', async (mark, expected, note) => {
    const rig = await openRig({ bare: true });
    const { status, ran } = await startAndStop(rig, ['--seed', writeState(rig, mark)]);
    expect(status).toMatchObject(expected);
    expect(ran).toMatchObject({ code: 0, stderr: note });
  });

  it('prints no note for a state file if --compat is given', async () => {
    const rig = await openRig({ bare: true });
    for (const mark of ['specification', undefined] as const) {
      const args = ['--seed', writeState(rig, mark), '--compat', 'specification'];
      const { status, ran } = await startAndStop(rig, args);
      expect(status).toMatchObject(specification);
      expect(ran.stderr).toBe('');
    }
  });

  it('warns of skip conditions without a mark, and of nothing else', async () => {
    const rig = await openRig({ bare: true });
    const marked = await startAndStop(rig, ['--seed', writeState(rig, undefined)]);
    expect(marked.status).toMatchObject(novu);
    expect(marked.ran.stderr).toBe(unmarked('runs', 'novu', 'specification'));
    const file = writeState(rig, undefined, { skip: false });
    expect((await startAndStop(rig, ['--seed', file])).ran.stderr).toBe('');
  });

  it('warns of skip conditions in workflow files without a mark', async () => {
    const rig = await openRig({ bare: true });
    mkdirSync(path.join(rig.folder, 'workflows'));
    const write = (mark: string) =>
      writeFileSync(
        path.join(rig.folder, 'workflows/hello.yaml'),
        `# svc workflow, format 1${mark}\nworkflowId: hello\nsteps:\n  - { stepId: text, type: sms, controlValues: { body: Hi, skip: { "==": [{ var: payload.plan }, pro] } } }\n`,
      );
    write('');
    const { ran } = await startAndStop(rig, ['--seed', 'workflows']);
    expect(ran.stderr).toBe(
      'Warning: workflows does not name the mode of the skip conditions of these workflows: hello. In this sandbox, a true condition runs the step. Mark it with `# svc workflow, format 1, compat novu` if that is right, else with `# svc workflow, format 1, compat specification`.\n',
    );
    write(', compat specification');
    const marked = await startAndStop(rig, ['--seed', 'workflows']);
    expect(marked.status).toMatchObject(specification);
    expect(marked.ran.stderr).toBe(
      'workflows has the mark `# svc workflow, format 1, compat specification`, so the sandbox has that mode.\n',
    );
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
  const kept = (...args: string[]) =>
    words`sandbox start --port 0 --data data --profile-name sandbox ${args}`;
  const start = (rig: Rig, ...args: string[]) => startLine(rig, kept(...args));

  it.each(modes)('keeps its mode %s', async (mode) => {
    const rig = await openRig({ bare: true });
    expect((await start(rig, '--compat', mode)).status.compat).toBe(mode);
    expect((await start(rig)).status.compat).toBe(mode);
    expect((await start(rig, '--seed', writeState(rig, undefined))).status.compat).toBe(mode);
  });

  it.each([
    [['--compat', 'novu'], ['--compat', 'specification'], 'novu'],
    [['--compat', 'specification'], ['--compat', 'novu'], 'specification'],
    [[], ['--seed', 'state.yaml'], 'novu'],
  ])('started with %j is refused with %j', async (first, second, mode) => {
    const rig = await openRig({ bare: true });
    writeState(rig, 'specification');
    await start(rig, ...first);
    const { code, stderr } = await rig.svc(kept(...second));
    expect(code).toBe(2);
    expect(stderr).toContain(`is of a sandbox in the mode ${mode}.`);
    expect(stderr).toContain(`svc sandbox reset --compat ${other(mode as Mode)}`);
  });

  it('changes its mode with a reset', async () => {
    const rig = await openRig({ bare: true });
    await startLine(rig, kept(), (control) => control.reset({ compat: 'specification' }));
    expect((await start(rig)).status).toMatchObject(specification);
    expect((await rig.svc(kept('--compat', 'novu'))).code).toBe(2);
  });
});

describe('svc sandbox', () => {
  it.each([
    ['novu', novu],
    ['specification', specification],
  ] as const)('status shows the mode %s', async (mode, expected) => {
    const status = ['sandbox', 'status'];
    const rig = await openRig({ mode });
    const { stdout } = await rig.svc([...status, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ running: true, ...expected });
    expect((await rig.svc([...status, '-o', 'wide'], { tty: true })).stdout).toMatch(
      new RegExp(`^COMPAT +${mode}$`, 'm'),
    );
  });

  it('reset changes the mode, and keeps it without --compat', async () => {
    const rig = await openRig();
    const modes: unknown[] = [];
    for (const args of [
      ['--compat', 'specification'],
      [],
      ['--compat', 'novu'],
      ['--compat', 'specification'],
    ]) {
      expect((await rig.svc(['sandbox', 'reset', '--yes', ...args])).code).toBe(0);
      modes.push(parsed((await rig.svc(['sandbox', 'status', '--json'])).stdout).compat);
    }
    expect(modes).toEqual(['specification', 'specification', 'novu', 'specification']);
  });

  it('reset by the control route takes the name of a mode', async () => {
    const { svc } = await openRig();
    const reset = ['api', 'POST', '/__sandbox/reset', '--yes', '-f'];
    expect((await svc([...reset, 'compat=specification'])).code).toBe(0);
    expect(parsed((await svc(['sandbox', 'status', '--json'])).stdout).compat).toBe(
      'specification',
    );
    const { code, stderr } = await svc([...reset, 'compat=other']);
    expect(code).toBe(6);
    expect(stderr).toContain('compat must be one of: novu, specification');
  });

  it.each(modes)('seed refuses skip conditions of another mode than %s', async (mode) => {
    const rig = await openRig({ mode });
    const before = (await rig.svc(['sandbox', 'export'])).stdout;
    const seed = ['sandbox', 'seed', writeState(rig, other(mode)), '--yes'];
    const { code, stderr } = await rig.svc(seed);
    expect(code).toBe(6);
    expect(oneLine(stderr)).toContain(
      'The skip conditions of these workflows would have the opposite meaning: billing.',
    );
    expect(oneLine(stderr)).toContain(
      `load it into a sandbox that is started with --compat ${other(mode)}.`,
    );
    expect((await rig.svc(['sandbox', 'export'])).stdout).toBe(before);
    writeState(rig, mode);
    expect(await rig.svc(seed)).toMatchObject({ code: 0, stderr: '' });
    writeState(rig, other(mode), { skip: false });
    expect(await rig.svc(seed)).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['novu', unmarked('runs', 'novu', 'specification')],
    ['specification', unmarked('skips', 'specification', 'novu')],
  ] as const)('seed warns of skip conditions without a mark (%s)', async (mode, warning) => {
    const rig = await openRig({ mode });
    const seed = ['sandbox', 'seed', writeState(rig, undefined), '--yes'];
    expect(await rig.svc(seed)).toMatchObject({ code: 0, stderr: warning });
    expect(await rig.svc([...seed, '--json'])).toMatchObject({ code: 0, stderr: warning });
  });

  it.each([
    ['novu', true, 'novu'],
    ['novu', false, undefined],
    ['specification', true, 'specification'],
    ['specification', false, 'specification'],
  ] as const)('export marks the state (%s, conditions: %j): %s', async (mode, skip, mark) => {
    const rig = await openRig({ mode });
    await rig.svc(['sandbox', 'seed', writeState(rig, mode, { skip }), '--yes']);
    const { stdout } = await rig.svc(['sandbox', 'export']);
    expect(/^compat: (\w+)$/m.exec(stdout)?.[1]).toBe(mark);
  });
});
