import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileMode } from '../../support/file-mode.ts';
import { openSandboxRig } from './sandbox-rig.ts';

describe('svc sandbox export and seed', () => {
  it('restore the same state from an exported file', async () => {
    const { svc, folder } = await openSandboxRig();
    const file = path.join(folder, 'state.yaml');
    const exported = await svc(['sandbox', 'export', '--reveal', '--file', 'state.yaml']);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(fileMode(file)).toBe('600');
    await svc(['topics', 'rename', 'announcements', 'Changed', '--yes']);
    expect((await svc(['sandbox', 'seed', 'state.yaml'])).code).toBe(2);
    expect((await svc(['sandbox', 'seed', 'state.yaml', '--yes'])).code).toBe(0);
    const reexported = await svc(['sandbox', 'export', '--reveal']);
    expect(reexported.stdout).toBe(readFileSync(file, 'utf8'));
  });

  it('replace an existing file only with --yes, and completely or not at all', async () => {
    const { svc, folder } = await openSandboxRig();
    const file = path.join(folder, 'state.yaml');
    const line = ['sandbox', 'export', '--reveal', '--file', 'state.yaml'];
    writeFileSync(file, 'version: 1\nenvironments:\n  - name: Mine\n');
    const foreign = await svc([...line, '--yes']);
    expect(foreign).toMatchObject({ code: 2, stdout: '' });
    expect(foreign.stderr).toContain('svc did not write it for this purpose');
    expect((await svc([...line, '--force'])).code).toBe(0);
    const first = readFileSync(file, 'utf8');
    const mine = `${first}# mine\n`;
    writeFileSync(file, mine);
    const refused = await svc(line);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('Confirmation is required to replace state.yaml.');
    expect(readFileSync(file, 'utf8')).toBe(mine);
    expect((await svc([...line, '--yes'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(first);
    expect(first).toMatch(/^# State of the svc sandbox, made by .*\nversion: 1\n/);
    expect(fileMode(file)).toBe('600');
    expect(readdirSync(folder).filter((name) => name.startsWith('state.yaml'))).toEqual([
      'state.yaml',
    ]);
    const other = await svc(['sandbox', 'export', '--file', '.', '--yes']);
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toContain('Error: . is not a regular file.\n');
  });

  it('mask credentials, and reject a masked file with positions', async () => {
    const { svc, folder } = await openSandboxRig();
    const { stdout } = await svc(['sandbox', 'export']);
    expect(stdout).toContain('apiKey: "********"');
    expect(stdout).not.toContain('SG.sandbox-only');
    writeFileSync(path.join(folder, 'masked.yaml'), stdout);
    const { code, stderr, requests } = await svc(['sandbox', 'seed', 'masked.yaml', '--yes']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toMatch(/masked\.yaml:\d+:\d+: environments\[0\]\.integrations\[1\]/);
  });

  it('are read from standard input', async () => {
    const { svc } = await openSandboxRig();
    const { stdout: state } = await svc(['sandbox', 'export', '--reveal']);
    const line = ['sandbox', 'seed', '-', '--yes'];
    const changed = state.replace('Announcements', 'News');
    expect((await svc(line, { stdin: changed })).code).toBe(0);
    expect((await svc(['topics', 'list'])).stdout).toContain('News');
    const { code, stderr } = await svc(line, { stdin: '' });
    expect(code).toBe(2);
    expect(stderr).toContain('standard input:1:1: must be an object');
  });

  it('report a missing file by name', async () => {
    const { svc } = await openSandboxRig();
    const { code, stderr } = await svc(['sandbox', 'seed', 'missing.yaml', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('missing.yaml');
  });
});
