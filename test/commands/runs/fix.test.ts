// `svc runs fix`: opens the rejected rows in an editor, and sends them again.
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const otherKey = 'f'.repeat(32);
const csv = 'ID;E-Mail\nok;ok@example.com\nbad;nowhere\n';

/** An editor that replaces one text in the file. */
function editor(rig: Rig, from: string, to: string): string {
  const script = path.join(rig.folder, 'my editor.js');
  const line = `const fs = require('fs'), file = process.argv.at(-1); fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('${from}', '${to}'))`;
  writeFileSync(script, line);
  chmodSync(script, 0o700);
  return `'${process.execPath}' '${script}'`;
}

async function openRejected() {
  const rig = await openRig();
  const file = writeInput(rig, 'users.csv', csv);
  const line = words`subscribers bulk-import ${file} --map subscriberId=ID --map email=E-Mail`;
  expect((await rig.svc([...line, '--yes'])).code).toBe(3);
  return rig;
}

describe('svc runs fix', () => {
  it.each(['VISUAL', 'EDITOR'])('imports the rows that were fixed in $%s', async (variable) => {
    const rig = await openRejected();
    const env = { [variable]: editor(rig, 'nowhere', 'bad@example.com') };
    const { code, stdout, stderr } = await rig.svc(words`runs fix --json`, { tty: true, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
    expect(parsed(stdout)).toMatchObject({ rows: 1, created: 1 });
    const { stdout: email } = await rig.svc(words`subscribers get bad --jq .email`);
    expect(email).toBe('bad@example.com\n');
  });

  it('sends nothing if the file is unchanged', async () => {
    const rig = await openRejected();
    const env = { EDITOR: editor(rig, 'elsewhere', '') };
    const { code, stdout, requests } = await rig.svc(words`runs fix last`, { tty: true, env });
    expect({ code, requests }).toEqual({ code: 0, requests: [] });
    expect(stdout.replace(/\s+/g, ' ')).toContain('are unchanged: nothing was sent.');
  });

  it('reports an editor that fails or does not exist, and sends nothing', async () => {
    const rig = await openRejected();
    for (const [EDITOR, message] of [
      ['false', 'ended with exit code 1'],
      ['no-such-editor', 'cannot be started'],
    ] as const) {
      const { code, stderr, requests } = await rig.svc(words`runs fix`, {
        tty: true,
        columns: 300,
        env: { EDITOR },
      });
      expect({ code, requests }).toEqual({ code: 8, requests: [] });
      expect(stderr).toContain(message);
    }
  });

  it('needs a terminal and a run with rejected rows', async () => {
    const rig = await openRejected();
    const piped = await rig.svc(words`runs fix`);
    expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a terminal') });
    const good = writeInput(rig, 'good.csv', 'subscriberId\na\n');
    const { stdout } = await rig.svc(words`subscribers bulk-import ${good} --json`);
    const { runId } = parsed(stdout) as { runId: string };
    const { code, stderr } = await rig.svc(words`runs fix ${runId}`, { tty: true });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no file of rejected rows'),
    });
  });

  it('starts the same kind of events from the fixed recipients', async () => {
    const rig = await openRig();
    const file = writeInput(
      rig,
      'people.csv',
      'subscriberId,email\nu1,ada@example.com\nx y,nowhere\n',
    );
    const line = words`events trigger welcome --recipients ${file} --update-subscribers --yes`;
    expect((await rig.svc(line)).code).toBe(3);
    const env = { EDITOR: editor(rig, 'nowhere', 'x@example.com') };
    const { code, stdout } = await rig.svc(words`runs fix --yes --json`, { tty: true, env });
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 0, rows: 1, triggered: 1 });
  });

  it('sends nothing to another service than that of the run', async () => {
    const rig = await openRejected();
    const runId = (await rig.svc(words`runs list -o ids`)).stdout.trim();
    for (const other of [{ SVC_BASE_URL: 'http://other.localhost' }, { SVC_API_KEY: otherKey }]) {
      const env = { EDITOR: editor(rig, 'nowhere', 'bad@example.com'), ...other };
      const { code, stderr, requests } = await rig.svc(words`runs fix ${runId}`, {
        ...{ tty: true, columns: 300, env },
      });
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(stderr).toContain(`Run ${runId} cannot be fixed here:`);
    }
  });
});
