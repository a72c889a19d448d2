// The live screens of `runs watch` and of a canary, on a real pseudo-terminal.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { onScreen } from '../support/screen.ts';
import { inTerminal } from '../support/terminal.ts';

const settings = `stty -a | tr ' ;' '\\n\\n' | grep -xE -e '-?(icanon|echo|isig)' | xargs`;
const usual = 'isig icanon echo';

/** A home with a workflow that waits for three days, and people of whom every third gets no e-mail. */
async function openPeople(): Promise<Home> {
  const home = openHome();
  await home.sandbox();
  const wait = { type: 'regular', amount: 3, unit: 'days' };
  const steps = [
    { name: 'Mail', type: 'email', controlValues: { subject: 'News', body: 'News' } },
    { name: 'Wait', type: 'delay', controlValues: wait },
    { name: 'Inbox', type: 'in_app', controlValues: { subject: 'News', body: 'News' } },
  ];
  const workflow = JSON.stringify({ name: 'Later', workflowId: 'later', steps });
  expect((await home.svc(['api', 'POST', '/v2/workflows', '--body', workflow])).code).toBe(0);
  const rows = Array.from({ length: 30 }, (_unused, index) => {
    const domain = index % 3 === 0 ? 'old.invalid' : 'example.com';
    return `李${index},p${index}@${domain}`;
  });
  writeFileSync(path.join(home.folder, 'people.csv'), `subscriberId,email\n${rows.join('\n')}\n`);
  return home;
}

const trigger = 'svc events trigger later --recipients people.csv --update-subscribers --yes';

async function openRun(): Promise<Home> {
  const home = await openPeople();
  expect((await home.shell(trigger)).code).toBe(0);
  return home;
}

describe('svc runs watch on a terminal', () => {
  it.each([40, 60, 80, 120])('fits %i columns, and leaves the table at q', async (columns) => {
    const home = await openRun();
    const terminal = inTerminal(home, `svc runs watch last; echo "exit code $?"; ${settings}`, {
      columns,
    });
    await terminal.shows('Next step due in 2 d 23 h');
    expect(terminal.screen()).toMatch(/svc sandbox clock advance 2d23h\d+m\d*s?/);
    terminal.types('xq');
    const { screen, written } = await terminal.ended();
    // The result below the frames is as wide as its heading.
    const frames = written.slice(0, written.lastIndexOf('\x1b[J'));
    const { wrapped, lines } = await onScreen(frames, { columns });
    expect(wrapped.some(Boolean)).toBe(false);
    expect(lines.length).toBeGreaterThan(10);
    expect(screen).toContain('exit code 0');
    expect(screen).toContain(usual);
    expect(screen).toContain('svc runs watch 2');
    expect(screen).toMatch(/^CHANNEL/m);
    expect(screen).not.toContain('q leave');
  });

  it('asks at c whether to cancel what is pending, and continues', async () => {
    const home = await openRun();
    const terminal = inTerminal(home, 'svc runs watch last');
    await terminal.shows('c cancel what is pending');
    terminal.types('c');
    await terminal.shows('Cancel the pending jobs of 30 transactions');
    terminal.types('y\r');
    const { code, screen } = await terminal.ended();
    expect(screen).toContain('Cancelled 30 of 30 rows');
    expect(screen).toMatch(/^FINISHED\s+30$/m);
    expect(code).toBe(9);
  });

  it.each([
    ['Ctrl-C', 130, undefined],
    ['SIGTERM', 143, 'SIGTERM'],
    ['SIGHUP', 129, 'SIGHUP'],
  ] as const)(
    'restores the terminal after %s, and keeps the last frame',
    async (_name, code, signal) => {
      const home = await openRun();
      const program = `(echo $BASHPID > pid; exec "${process.execPath}" "$SVC" runs watch last)`;
      const terminal = inTerminal(home, `${program}; echo "exit code $?"; ${settings}`);
      await terminal.shows('Next step due in 2 d 23 h');
      if (signal) process.kill(Number(readFileSync(path.join(home.folder, 'pid'), 'utf8')), signal);
      else terminal.types('\x03');
      const { screen } = await terminal.ended();
      expect(screen).toContain(`exit code ${code}`);
      expect(screen).toContain(usual);
      expect(screen).toContain('Next step due in 2 d 23 h');
    },
  );

  it('restores the terminal and keeps the last frame if the service fails', async () => {
    const home = await openRun();
    const terminal = inTerminal(
      home,
      `svc runs watch last --retries 0; echo "exit code $?"; ${settings}`,
    );
    await terminal.shows('Next step due in 2 d 23 h');
    expect((await home.svc(['sandbox', 'stop'])).code).toBe(0);
    const { screen } = await terminal.ended();
    expect(screen).toContain('exit code 7');
    expect(screen).toContain(usual);
    expect(screen).toContain('Next step due in 2 d 23 h');
  });
});

describe('a canary on a terminal', () => {
  it.each([
    [80, '▓▓│▓▓  │ at least 95% delivered', '0 waiting (66.7% delivered)'],
    [60, '█▓▓▓▓▓▓▓│▓  │ at least 95% delivered', '0 waiting (66.7%\n  delivered)'],
  ])(
    'keeps its last frame of %i columns, with the sample as a bar and a tick at the threshold',
    async (columns, bar, end) => {
      const home = await openPeople();
      const line = `${trigger} --canary 9 --canary-timeout 30s`;
      const terminal = inTerminal(home, line, { columns });
      await terminal.shows('Send the other rows anyway?');
      const screen = terminal.screen();
      expect(screen).toContain(bar);
      expect(screen).toContain('6 delivered, 3 failed, 0 skipped, ');
      expect(screen).toContain(end);
      terminal.types('n\r');
      const { code, written } = await terminal.ended();
      expect(code).toBe(9);
      expect((await onScreen(written, { columns })).wrapped.some(Boolean)).toBe(false);
    },
  );
});
