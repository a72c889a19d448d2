// Runs the commands of examples/README.md with the built program against a sandbox.
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';

const commands = [
  ...readFileSync('examples/README.md', 'utf8').matchAll(/ \| `([^`]+)` \|$/gm),
].map(([, command = '']) => command);
const script = 'SVC_PROFILE=sandbox examples/new-member.sh';

/** Returns a home with a sandbox, a copy of the examples, and `svc` on the path. */
async function openExamples() {
  const home = openHome();
  const bin = path.join(home.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'svc'), `#!/bin/sh\nexec "${process.execPath}" "$SVC" "$@"\n`);
  chmodSync(path.join(bin, 'svc'), 0o755);
  home.env.PATH = `${bin}:${home.env.PATH}`;
  cpSync('examples', path.join(home.folder, 'examples'), { recursive: true });
  await useSandbox(home);
  return home;
}

describe('examples/README.md', () => {
  it('has a command for each file', () => {
    expect(commands).toHaveLength(3);
    expect(commands).toContain(script);
  });

  it('has commands that succeed, besides the script', async () => {
    const home = await openExamples();
    for (const command of commands.filter((one) => one !== script)) {
      const { code, stderr } = await home.shell(command);
      expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({
        command,
        code: 0,
        stderr: '',
      });
    }
  });
});

describe('examples/new-member.sh', () => {
  it('imports ten members and delivers a message on two channels to each', async () => {
    const home = await openExamples();
    const { code, stdout, stderr } = await home.shell(script);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [imported, subscribed, delivered, ...activity] = stdout.trimEnd().split('\n');
    expect([imported, subscribed]).toEqual(['Imported 10 of 10 members', 'Subscribed 10 members']);
    expect(delivered).toMatch(/^Delivered transaction txn_[0-9a-f]{24}$/);
    expect(activity).toEqual(
      Array.from(
        { length: 10 },
        (_unused, index) => `mem-${1001 + index}\tin_app: completed\temail: completed`,
      ),
    );
  });

  it('stops without triggering an event if the import fails', async () => {
    const home = await openExamples();
    const before = await home.svc(['activity', 'list', '--all', '-o', 'ids']);
    const { code, stdout } = await home.shell(`${script} missing.csv`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(await home.svc(['activity', 'list', '--all', '-o', 'ids'])).toEqual(before);
  });
});
