// Folders of svc that every user of the machine can write to, such as /tmp.
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileMode } from '../support/file-mode.ts';
import { openRig, type Rig } from '../support/rig.ts';

function makeFolder({ folder }: Rig, name: string, mode: number): string {
  const created = path.join(folder, name);
  mkdirSync(created, { recursive: true });
  chmodSync(created, mode);
  return created;
}

const kinds = ['CONFIG', 'STATE', 'CACHE'];
const lines = ['config set retries 1', 'topics list', 'topics create x --name X'];

describe.each(kinds)('a shared folder in SVC_%s_DIR', (kind) => {
  it.each(lines)('is refused by svc %s, and keeps its mode', async (line) => {
    const rig = await openRig();
    const shared = makeFolder(rig, 'shared', 0o1777);
    const env = { [`SVC_${kind}_DIR`]: shared };
    const { code, stdout, stderr, requests } = await rig.svc(line.split(' '), { env });
    expect({ code, stdout, requests }).toEqual({ code: 8, stdout: '', requests: [] });
    expect(stderr).toBe(
      `Error: Every user of this machine can write to ${shared}, the ${kind.toLowerCase()} folder of svc.\nSet SVC_${kind}_DIR to a folder that only you can write to. svc creates it if it does not exist.\n`,
    );
    expect(fileMode(shared)).toBe('1777');
    expect(readdirSync(shared)).toEqual([]);
  });

  it('is reported by svc doctor', async () => {
    const rig = await openRig();
    const shared = makeFolder(rig, 'shared', 0o1777);
    const env = { [`SVC_${kind}_DIR`]: shared };
    const { stdout, code } = await rig.svc(['doctor', '--json'], { env });
    expect(stdout).toContain(`Every user of this machine can write to ${shared}`);
    expect(stdout).not.toContain('chmod');
    expect(code).toBe(8);
  });
});

describe('other folders', () => {
  it('that are shared by default have the command that makes them private', async () => {
    const rig = await openRig();
    const folder = makeFolder(rig, '.config/svc', 0o777);
    const { code, stderr } = await rig.svc(['topics', 'list'], { env: { SVC_CONFIG_DIR: '' } });
    expect(code).toBe(8);
    expect(stderr).toContain(`\n  chmod 700 ${folder}\n`);
  });

  it.each([0o755, 0o775, 0o700])('with mode %o are used and keep their mode', async (mode) => {
    const rig = await openRig();
    const folder = makeFolder(rig, 'own', mode);
    const env = { SVC_CONFIG_DIR: folder, SVC_STATE_DIR: folder, SVC_CACHE_DIR: folder };
    for (const line of lines) expect((await rig.svc(line.split(' '), { env })).code).toBe(0);
    expect(fileMode(folder)).toBe(mode.toString(8));
    expect(fileMode(path.join(folder, 'config.json'))).toBe('600');
  });
});
