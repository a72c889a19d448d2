// Questions of an import and of a canary on a real pseudo-terminal.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';
import { inTerminal } from '../support/terminal.ts';

async function openExport(): Promise<Home> {
  const home = openHome();
  await useSandbox(home);
  writeFileSync(
    path.join(home.folder, 'users.csv'),
    'Contact ID,Email Address\nc1,c1@example.com\nc2,c2@example.com\nc3,c3@example.com\n',
  );
  return home;
}

describe('proposed fields on a terminal', () => {
  it('are shown with three rows, and imported after a yes', async () => {
    const terminal = inTerminal(await openExport(), 'svc subscribers bulk-import users.csv');
    await terminal.shows('Import the columns like this?');
    for (const text of ['COLUMN', 'Contact ID', 'subscriberId', 'c1', 'c2', 'c3@example.com'])
      expect(terminal.screen()).toContain(text);
    terminal.types('y\r');
    const { code, screen } = await terminal.ended();
    expect(code).toBe(0);
    expect(screen).toContain('3 created');
  });

  it('are not imported after a no', async () => {
    const home = await openExport();
    const terminal = inTerminal(home, 'svc subscribers bulk-import users.csv --save-map map.yaml');
    await terminal.shows('Import the columns like this?');
    terminal.types('\r');
    const { code, screen } = await terminal.ended();
    expect(code).toBe(2);
    expect(screen).toContain('Not confirmed: nothing was done.');
    expect(JSON.parse((await home.svc(['runs', 'list', '--json'])).stdout)).toEqual([]);
  });
});

describe('a file in windows-1252 on a terminal', () => {
  async function openFile(): Promise<Home> {
    const home = await openExport();
    const text = 'Contact ID,City\nc1,K\xf6ln\nc2,Bonn\n';
    writeFileSync(path.join(home.folder, 'users.csv'), Buffer.from(text, 'latin1'));
    return home;
  }
  const question = 'Read it as windows-1252?';

  it('is read in it after a yes, also in the question about the columns and by a second start', async () => {
    const home = await openFile();
    const line = 'svc subscribers bulk-import users.csv --run-id cities';
    const id = (await home.svc(['environments', 'list', '--jq', '.[0]._id'])).stdout.trim();
    const terminal = inTerminal(home, `${line} --environment-id ${id}`);
    await terminal.shows(question);
    expect(terminal.screen()).toContain('users.csv is not valid UTF-8, probably windows-1252.');
    expect(terminal.screen()).toContain('  c1,Köln');
    terminal.types('y\r');
    await terminal.shows('Import the columns like this?');
    terminal.types('y\r');
    const { code, screen } = await terminal.ended();
    expect(code).toBe(0);
    expect(screen).toContain('2 created');
    const city = await home.svc(['subscribers', 'get', 'c1', '--jq', '.data.City']);
    expect(city.stdout).toBe('Köln\n');
    const again = await home.svc([...line.split(' ').slice(1), '--environment-id', id, '--yes']);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stderr).toContain('has already finished');
  });

  it('is not read after a no', async () => {
    const home = await openFile();
    const terminal = inTerminal(home, 'svc subscribers bulk-import users.csv');
    await terminal.shows(question);
    terminal.types('\r');
    const { code, screen } = await terminal.ended();
    expect(code).toBe(2);
    expect(screen).toContain('Set another encoding with --encoding.');
    expect(JSON.parse((await home.svc(['runs', 'list', '--json'])).stdout)).toEqual([]);
  });
});

describe('a canary that does not pass', () => {
  const trigger =
    'svc events trigger broken --recipients users.csv --map subscriberId="Contact ID" --map email="Email Address" --canary 1 --yes';

  async function openBroken() {
    const home = await openExport();
    const steps = [
      { name: 'Mail', type: 'email', controlValues: { subject: '{% if %}', body: 'Hello' } },
    ];
    const body = JSON.stringify({ name: 'Broken', workflowId: 'broken', steps });
    const { code } = await home.svc(['api', 'POST', '/v2/workflows', '--body', body]);
    expect(code).toBe(0);
    return home;
  }

  it.each([
    ['a no', '\r'],
    ['Ctrl-C', '\x03'],
  ])('asks, although --yes is given, and stops after %s', async (_name, typed) => {
    const terminal = inTerminal(await openBroken(), trigger);
    await terminal.shows('The canary did not pass. Send the other rows anyway?');
    expect(terminal.screen()).toContain('0 delivered, 1 failed');
    terminal.types(typed);
    const { code, screen } = await terminal.ended();
    expect(code).toBe(9);
    expect(screen).toMatch(
      /\nStopped\. 1 of 3 sent; 2 not sent\.\n(.*\n)+Resume: svc runs resume /,
    );
    expect(screen).not.toContain('Error:');
  });

  it('sends the other rows after a yes', async () => {
    const terminal = inTerminal(await openBroken(), trigger);
    await terminal.shows('Send the other rows anyway?');
    terminal.types('y\r');
    const { code, screen } = await terminal.ended();
    expect(code).toBe(0);
    expect(screen).toContain('Triggered 3 of 3 rows');
  });
});
