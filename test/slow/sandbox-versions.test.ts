// The version of the service that a sandbox behaves like: `--service`, SVC_SANDBOX_SERVICE, the mark of a state, and that
// of a data folder.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/sandbox/index.ts';
import { exportState } from '../../src/sandbox/state/export-state.ts';
import { loadDriver } from '../../src/sandbox/store/driver.ts';
import { sandboxVersions } from '../../src/service/versions.ts';
import { startSandbox } from '../../src/testing/index.ts';
import { openRig, parsed, type Rig } from '../support/rig.ts';

const newest = { SVC_SANDBOX_SERVICE: '' };
const print = 'curl -s "$SVC_BASE_URL/v1/health-check"';

/** Starts a sandbox for a command; returns the version that the command sees. */
async function versionIn(rig: Rig, args: string[], env: Record<string, string> = newest) {
  const file = path.join(rig.folder, 'seen');
  const command = ['sh', '-c', `${print} > ${file}`];
  const ran = await rig.svc(['sandbox', 'exec', ...args, '--', ...command], { env });
  if (ran.code !== 0) return { code: ran.code, stderr: ran.stderr };
  return JSON.parse(readFileSync(file, 'utf8')).data.info.apiVersion.version;
}

function writeState({ folder }: Rig, service: string | undefined): string {
  const mark = service === undefined ? '' : `service: ${service}\n`;
  writeFileSync(
    path.join(folder, 'state.yaml'),
    `version: 1\n${mark}environments:\n  - name: Development\n`,
  );
  return 'state.yaml';
}

describe('svc sandbox exec', () => {
  it('starts the newest version by default, and the given one', async () => {
    const rig = await openRig({ bare: true });
    expect(await versionIn(rig, [])).toBe('3.19.0');
    expect(await versionIn(rig, ['--service', '3.11'])).toBe('3.11.0');
    expect(await versionIn(rig, [], { SVC_SANDBOX_SERVICE: '3.11' })).toBe('3.11.0');
    expect(await versionIn(rig, ['--service', '3.19'], { SVC_SANDBOX_SERVICE: '3.11' })).toBe(
      '3.19.0',
    );
    expect(await versionIn(rig, [], { SVC_SANDBOX_SERVICE: '4' })).toMatchObject({ code: 2 });
  });

  it('has version 3.11 with --compat specification, and refuses another', async () => {
    const rig = await openRig({ bare: true });
    const specification = ['--compat', 'specification'];
    expect(await versionIn(rig, specification)).toBe('3.11.0');
    expect(await versionIn(rig, [...specification, '--service', '3.11'])).toBe('3.11.0');
    expect(await versionIn(rig, [...specification, '--service', '3.19'])).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        'The mode specification exists in version 3.11 of the service only.',
      ),
    });
  });

  it('takes the version of a state, and refuses another', async () => {
    const rig = await openRig({ bare: true });
    expect(await versionIn(rig, ['--seed', writeState(rig, undefined)])).toBe('3.19.0');
    const seed = ['--seed', writeState(rig, '"3.11"')];
    expect(await versionIn(rig, seed)).toBe('3.11.0');
    expect(await versionIn(rig, [...seed, '--service', '3.19'])).toEqual({
      code: 2,
      stderr: expect.stringContaining('--service 3.11'),
    });
    writeState(rig, '3.11');
    expect(await versionIn(rig, seed)).toEqual({
      code: 2,
      stderr: expect.stringContaining('state.yaml:2:'),
    });
  });
});

describe('a data folder', () => {
  const open = async (directory: string, service?: '3.11' | '3.19') => {
    const store = await openStore({ directory, clock: { now: () => 0 }, service });
    const { service: stored } = store.dialect;
    store.close();
    return stored;
  };

  it.each(sandboxVersions)('keeps its version %s', async (version) => {
    const { folder } = await openRig({ bare: true });
    const other = version === '3.11' ? '3.19' : '3.11';
    expect(await open(folder, version)).toBe(version);
    expect(await open(folder)).toBe(version);
    await expect(open(folder, other)).rejects.toMatchObject({
      details: { next: [`svc sandbox reset --service ${other}`] },
    });
  });

  it('that an older svc wrote is of version 3.11, and keeps its data', async () => {
    const { folder } = await openRig({ bare: true });
    const database = (await loadDriver())(path.join(folder, 'sandbox.db'));
    database.exec(readFileSync('test/recorded/sandbox-12.sql', 'utf8'));
    database.close();
    expect(await open(folder)).toBe('3.11');
    const store = await openStore({ directory: folder, clock: { now: () => 0 } });
    onTestFinished(() => store.close());
    const { environments } = exportState(store, false);
    expect(environments).toMatchObject([{ topics: [{ key: 'kept' }], subscribers: [{}] }]);
  });
});

it('a data folder from before the index of subscribers gets it', async () => {
  const { folder } = await openRig({ bare: true });
  const open = () => openStore({ directory: folder, clock: { now: () => 0 } });
  const older = await open();
  older.sql.exec('DROP INDEX records_by_subscriber; PRAGMA user_version = 13');
  older.close();
  const store = await open();
  onTestFinished(() => store.close());
  const indexes = store.sql.all("SELECT name FROM sqlite_master WHERE type = 'index'");
  expect(indexes).toContainEqual({ name: 'records_by_subscriber' });
});

describe('svc sandbox', () => {
  it.each(sandboxVersions)('shows the version %s and exports it', async (service) => {
    const { svc } = await openRig({ service });
    expect(parsed((await svc(['sandbox', 'status', '--json'])).stdout).service).toBe(service);
    expect((await svc(['sandbox', 'export'])).stdout).toContain(`\nservice: "${service}"\n`);
  });

  it('reset changes the version, and keeps it without --service', async () => {
    const { svc } = await openRig({ service: '3.19' });
    const versions: unknown[] = [];
    for (const args of [[], ['--service', '3.11'], [], ['--compat', 'specification'], []]) {
      expect((await svc(['sandbox', 'reset', '--yes', ...args])).code).toBe(0);
      versions.push(parsed((await svc(['sandbox', 'status', '--json'])).stdout).service);
    }
    expect(versions).toEqual(['3.19', '3.11', '3.11', '3.11', '3.11']);
    const refused = await svc(['sandbox', 'reset', '--yes', '--service', '3.19']);
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain('The mode specification exists in version 3.11');
  });

  it('seed refuses a state of another version', async () => {
    const rig = await openRig({ service: '3.19' });
    const before = (await rig.svc(['sandbox', 'export'])).stdout;
    const { code, stderr } = await rig.svc([
      ...['sandbox', 'seed', writeState(rig, '"3.11"'), '--yes'],
    ]);
    expect(code).toBe(6);
    expect(stderr).toContain('The state is of version 3.11 of the service, not 3.19.');
    expect((await rig.svc(['sandbox', 'export'])).stdout).toBe(before);
  });
});

describe('startSandbox', () => {
  const versionOf = async (options: Parameters<typeof startSandbox>[0]) => {
    const sandbox = await startSandbox({ listen: false, ...options });
    onTestFinished(() => sandbox.stop());
    return (await sandbox.fetch('/v2/topics')).headers.get('svc-sandbox-service');
  };

  it('starts the newest version by default, the given one, or that of its seed', async () => {
    const seed = { version: 1 as const, environments: [{ name: 'Development' }] };
    expect(await versionOf({})).toBe('3.19');
    expect(await versionOf({ service: '3.11' })).toBe('3.11');
    expect(await versionOf({ seed: { ...seed, service: '3.11' } })).toBe('3.11');
    expect(await versionOf({ compat: 'specification' })).toBe('3.11');
    await expect(versionOf({ service: '3.12' as '3.11' })).rejects.toThrow(
      "The option service must be '3.11' or '3.19', not \"3.12\".",
    );
  });
});
