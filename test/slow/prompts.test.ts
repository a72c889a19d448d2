// Prompts on a real pseudo-terminal.
import { readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';
import { type OnTerminal, onTerminal } from '../support/terminal.ts';
import { words } from '../support/words.ts';

const svcOn = (home: Home, line: readonly string[]) =>
  onTerminal(process.execPath, [String(home.env.SVC), ...line], {
    env: home.env,
    cwd: home.folder,
  });

describe('svc login on a terminal', () => {
  it('prompts for address, key and name, and never shows the key', async () => {
    const home = openHome();
    const { baseUrl, key } = await useSandbox(home);
    const address = baseUrl.replace('127.0.0.1', 'localhost');
    const terminal = svcOn(home, ['login']);
    await terminal.shows('Base URL of the service:');
    await terminal.shows('Novu Cloud, EU  https://eu.api.novu.co');
    terminal.types(address);
    await terminal.shows('Novu Cloud', false);
    await terminal.shows(`❯ ${address}`);
    terminal.types('\r');
    await terminal.shows('API key:');
    terminal.types(`${key}\r`);
    await terminal.shows('Name of the profile:');
    terminal.types('\r');
    const { code, screen, written } = await terminal.ended();
    expect(code).toBe(0);
    expect(screen).toMatch(/as profile\s+development/);
    expect(written).not.toContain(key);
  });

  it('proposes a running sandbox, with the key of its profile', async () => {
    const home = openHome();
    const { baseUrl } = await useSandbox(home);
    const terminal = svcOn(home, ['login']);
    await terminal.shows(`Running sandbox, profile sandbox  ${baseUrl}`);
    terminal.types('sandbox');
    await terminal.shows('❯ Running sandbox');
    await terminal.shows('Novu Cloud', false);
    pressReturn(terminal);
    await terminal.shows('Name of the profile:');
    expect((await terminal.ended()).screen).toMatch(/as profile\s+sandbox/);
  });

  it('draws signs in ASCII with --no-unicode', async () => {
    const home = openHome();
    const { baseUrl, key } = await useSandbox(home);
    const terminal = svcOn(home, ['login', '--no-unicode']);
    await terminal.shows('arrow keys: navigate, enter: select');
    const address = baseUrl.replace('127.0.0.1', 'localhost');
    terminal.types(address);
    await terminal.shows(`> ${address}`);
    terminal.types('\r');
    await terminal.shows('API key:');
    terminal.types(`${key}\r`);
    await terminal.shows('Name of the profile:');
    terminal.types('\r');
    const { code, written } = await terminal.ended();
    expect({ code, signs: written.match(/[^\x00-\x7f]/g) }).toEqual({ code: 0, signs: null });
  });

  it('exits with 130 and stores nothing if it is interrupted', async () => {
    const home = openHome();
    const terminal = svcOn(home, ['login']);
    await terminal.shows('Base URL of the service:');
    terminal.types('\x03');
    expect((await terminal.ended()).code).toBe(130);
    expect(JSON.parse((await home.svc(['profiles', 'list', '--json'])).stdout)).toEqual([]);
  });
});

describe('the profile of an environment of type prod', () => {
  it.each([
    ['y', true],
    ['', false],
  ])('is protected if svc login is answered with "%s": %s', async (answer, isProtected) => {
    const home = openHome();
    const { baseUrl } = await useSandbox(home);
    await home.svc(['environments', 'create', 'Live EU', '--color', '#2f9e44']);
    const key = '.[] | select(.name == "Live EU") | .apiKeys[0].key';
    const { stdout } = await home.svc(['environments', 'list', '--reveal', '--jq', key]);
    writeFileSync(path.join(home.folder, 'key.txt'), stdout);
    const options = ['--base-url', baseUrl, '--profile', 'live', '--api-key-file', 'key.txt'];
    const terminal = svcOn(home, ['login', ...options]);
    await terminal.shows('(y/N)');
    expect(terminal.screen()).toContain('Protect profile live');
    terminal.types(`${answer}\r`);
    expect((await terminal.ended()).code).toBe(0);
    const show = await home.svc(['profiles', 'show', 'live', '--jq', '.protected']);
    expect(show.stdout).toBe(`${isProtected}\n`);
  });
});

describe('a key from standard input, if that is a terminal,', () => {
  it.each([['--with-key'], ['--api-key-file', '-']])(
    'is prompted for by svc login %s %s',
    async (...option) => {
      const home = openHome();
      const { baseUrl, key } = await useSandbox(home);
      const line = ['login', '--base-url', baseUrl, '--profile', 'second', ...option];
      const terminal = svcOn(home, line);
      await terminal.shows('API key:');
      terminal.types(`${key}\r`);
      const { code, written } = await terminal.ended();
      expect(code).toBe(0);
      expect(written).not.toContain(key);
      const withoutPrompts = await svcOn(home, [...line, '--no-input']).ended();
      expect(withoutPrompts).toMatchObject({
        code: 2,
        screen: expect.stringMatching(/is a\s+terminal/),
      });
    },
  );

  it('is rejected by other commands, with a hint how to pass it', async () => {
    const home = openHome();
    const { baseUrl } = await useSandbox(home);
    const line = ['topics', 'list', '--base-url', baseUrl, '--api-key-file', '-'];
    const { code, screen } = await svcOn(home, line).ended();
    expect(code).toBe(2);
    expect(screen).toContain('--api-key-file - < key.txt');
  });
});

describe('a confirmation', () => {
  it('is wrapped between words', async () => {
    const home = openHome();
    await useSandbox(home);
    const line = ['events', 'trigger', 'order-update', '--to', 'u3', '--to', 'u6'];
    const { env, folder: cwd } = home;
    const command = [String(env.SVC), ...line];
    const terminal = onTerminal(process.execPath, command, { env, cwd, columns: 60 });
    await terminal.shows('(y/N)');
    expect(terminal.screen()).toMatch(
      /^\? Trigger order-update for 2 subscribers at\n {2}http:\S+ \(profile sandbox\)\? \(y\/N\)/,
    );
    terminal.types('n\r');
    expect((await terminal.ended()).screen).toMatch(
      /subscribers at\n {2}http:\S+ \(profile sandbox\)\? No/,
    );
  });

  it('removes no files through a link that has replaced the folder meanwhile', async () => {
    const home = openHome();
    await useSandbox(home);
    expect((await home.svc(['workflows', 'pull'])).code).toBe(3);
    const [folder, outside] = ['workflows', 'outside'].map((name) => path.join(home.folder, name));
    if (!folder || !outside) throw new Error('no folders');
    writeFileSync(path.join(folder, 'gone.yaml'), '# svc workflow, format 1\nworkflowId: gone\n');
    const terminal = svcOn(home, ['workflows', 'pull', '--delete']);
    await terminal.shows('(y/N)');
    renameSync(folder, outside);
    symlinkSync(outside, folder);
    terminal.types('y\r');
    const { code, screen } = await terminal.ended();
    expect({ code, screen }).toEqual({ code: 2, screen: expect.stringContaining('symbolic link') });
    expect(readdirSync(outside)).toContain('gone.yaml');
  });

  it.each([
    ['the Return key', '\r'],
    ['Ctrl-C', '\x03'],
  ])('is declined by %s, without an error', async (_name, typed) => {
    const home = openHome();
    await useSandbox(home);
    const terminal = svcOn(home, ['config', 'reset']);
    await terminal.shows('(y/N)');
    terminal.types(typed);
    const { code, screen } = await terminal.ended();
    expect(code).toBe(2);
    expect(screen).toContain('\nNot confirmed: nothing was done.');
    expect((await home.svc(['profiles', 'list', '-o', 'ids'])).stdout).toBe('sandbox\n');
  });
});

describe('svc environments delete on a terminal', () => {
  it('deletes only if the name is typed for the protection and for the deletion', async () => {
    const home = openHome();
    await useSandbox(home);
    await home.svc(['environments', 'create', 'Staging', '--color', '#2f9e44']);
    const names = async () => (await home.svc(['environments', 'list', '--jq', '.[].name'])).stdout;
    for (const [typed, exitCode] of [
      ['yes', 2],
      ['Staging', 0],
    ] as const) {
      expect(await names()).toContain('Staging');
      const terminal = svcOn(home, ['environments', 'delete', 'Staging']);
      await terminal.shows('continue:');
      terminal.types('Staging\r');
      await terminal.shows('everything in it');
      terminal.types(`${typed}\r`);
      expect((await terminal.ended()).code).toBe(exitCode);
    }
    expect(await names()).not.toContain('Staging');
  });
});

/** Presses Return repeatedly. Why: the prompt ignores Return during a search, which the screen does not show. */
function pressReturn(terminal: OnTerminal): void {
  terminal.types('\r');
  const timer = setInterval(() => terminal.types('\r'), 500);
  onTestFinished(() => clearInterval(timer));
}

describe('a prompt for a missing argument', () => {
  it('lists the topics and filters them while the user types', async () => {
    const home = openHome();
    await useSandbox(home);
    const terminal = svcOn(home, ['topics', 'get']);
    await terminal.shows('Topic:');
    await terminal.shows('announcements');
    terminal.types('announ');
    await terminal.shows('empty-topic', false);
    await terminal.shows('Topic: announ');
    await terminal.shows('❯ announcements');
    pressReturn(terminal);
    const { code, screen } = await terminal.ended();
    expect(code).toBe(0);
    expect(screen).toContain('NAME');
  });

  it('selects a workflow and then one of its steps', async () => {
    const home = openHome();
    await useSandbox(home);
    const terminal = svcOn(home, ['workflows', 'step']);
    await terminal.shows('Workflow:');
    await terminal.shows('welcome');
    terminal.types('welcome');
    await terminal.shows('comment-digest', false);
    await terminal.shows('❯ welcome');
    terminal.types('\r');
    await terminal.shows('Step:');
    await terminal.shows('❯ ');
    terminal.types('email');
    await terminal.shows('Step: email');
    await terminal.shows('❯ welcome-email');
    pressReturn(terminal);
    expect((await terminal.ended()).code).toBe(0);
  });

  it('lists the subscribers and finds one by its id', async () => {
    const home = openHome();
    await useSandbox(home);
    const terminal = svcOn(home, ['subscribers', 'get']);
    await terminal.shows('Subscriber:');
    await terminal.shows('ada@example.com');
    terminal.types('u7');
    await terminal.shows('ada@example.com', false);
    await terminal.shows('❯ u7');
    pressReturn(terminal);
    const { code, screen } = await terminal.ended();
    expect(code).toBe(0);
    expect(screen).toContain('Lindqvist');
  });

  it('is not shown without a terminal or with --no-input', async () => {
    const home = openHome();
    await useSandbox(home);
    const { code, stderr } = await home.svc(['topics', 'get']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('Missing <topic-key>.'),
    });
    const terminal = svcOn(home, ['topics', 'get', '--no-input']);
    expect((await terminal.ended()).code).toBe(2);
  });
});

describe('secrets', () => {
  it('are prompted for if the provider needs one, and never shown', async () => {
    const home = openHome();
    await useSandbox(home);
    const line = ['subscribers', 'credentials', 'set', 'u1', '--provider', 'slack'];
    const terminal = svcOn(home, line);
    await terminal.shows('Webhook URL of slack:');
    terminal.types('https://hooks.example.com/s3cret\r');
    const { code, written } = await terminal.ended();
    expect(code).toBe(0);
    expect(written).not.toContain('s3cret');
  });

  it('of an integration are prompted for if --credential has only the name of the field', async () => {
    const home = openHome();
    await useSandbox(home);
    const line = ['integrations', 'update', '67748580895a497d12797983', '--credential', 'apiKey'];
    const terminal = svcOn(
      home,
      words`${line} --credential from==news@example.com --credential senderName==News --no-active`,
    );
    await terminal.shows('apiKey:');
    terminal.types('s3cret\r');
    await terminal.shows('Replace all credentials of integration');
    terminal.types('y\r');
    await terminal.shows('Deactivate integration sendgrid-email');
    terminal.types('y\r');
    const { code, written } = await terminal.ended();
    expect(code).toBe(0);
    expect(written).not.toContain('s3cret');
  });
});

describe('svc subscribers bulk-import on a terminal', () => {
  it('asks for the country of national phone numbers until it is one', async () => {
    const home = openHome();
    await useSandbox(home);
    const rows = 'Record ID,Mobile Phone\n李,0151 10000370\n';
    writeFileSync(path.join(home.folder, 'people.csv'), rows);
    const terminal = svcOn(
      { ...home, env: { ...home.env, LANG: 'de_AT.UTF-8' } },
      words`subscribers bulk-import people.csv`,
    );
    await terminal.shows('Mobile Phone looks national. Country, such as DE');
    await terminal.shows('AT');
    terminal.types('XX\r');
    await terminal.counts('looks national', 2);
    terminal.types('de\r');
    await terminal.shows('Import the columns like this?');
    terminal.types('y\r');
    expect((await terminal.ended()).code).toBe(0);
    const { stdout } = await home.svc(['subscribers', 'get', '李', '--jq', '.phone']);
    expect(stdout).toBe('+4915110000370\n');
  });
});

describe('svc events trigger on a terminal', () => {
  it('asks for workflow, recipient and payload, and puts what begins with the typed text first', async () => {
    const home = openHome();
    await useSandbox(home);
    const schema = {
      type: 'object',
      properties: { count: { type: 'number' }, code: { type: 'string' } },
    };
    const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body: '{{payload.code}}' } }];
    for (const workflowId of ['wel', 'not-wel', 'wex'])
      await createWorkflow(home, { name: workflowId, workflowId, payloadSchema: schema, steps });
    const terminal = svcOn(home, ['events', 'trigger']);
    await terminal.shows('Workflow:');
    // Enter does nothing while a list is read, so each list is awaited: the last character removes an entry from it.
    terminal.types('we');
    await terminal.shows('wex');
    terminal.types('l');
    await terminal.shows('wex', false);
    await terminal.shows('❯ wel\n');
    await terminal.shows('not-wel');
    terminal.types('\r');
    await terminal.shows('Subscriber:');
    terminal.types('u');
    await terminal.shows('u2');
    terminal.types('1');
    await terminal.shows('u2', false);
    await terminal.shows('❯ u1');
    terminal.types('\r');
    await terminal.shows('count (such as 5):');
    terminal.types('12\r');
    await terminal.shows('code');
    terminal.types('12\r');
    const { code, screen } = await terminal.ended();
    expect(code).toBe(0);
    expect(screen).toContain('Triggered wel for u1');
    const sent = await home.svc(words`activity list --subscriber u1 --workflow wel --json`);
    const [{ payload }] = JSON.parse(sent.stdout);
    expect(payload).toMatchObject({ count: 12, code: '12' });
  });

  it('says for how many people a topic is, before it asks', async () => {
    const home = openHome();
    await useSandbox(home);
    const line = words`events trigger welcome --to-topic announcements -f product=Svc`;
    const terminal = svcOn(home, line);
    await terminal.shows('for all subscribers of announcements (5 subscriptions)');
    terminal.types('y\r');
    const { code, screen } = await terminal.ended();
    expect(code).toBe(0);
    expect(screen).toContain('Triggered welcome for topic announcements (5 subscriptions)');
    const empty = svcOn(home, [...words`events trigger welcome --to-topic empty-topic`, '--yes']);
    expect((await empty.ended()).screen).toContain('empty-topic has no subscribers');
  });
});

async function createWorkflow(home: Home, workflow: object) {
  const line = ['api', 'POST', '/v2/workflows', '--body', JSON.stringify(workflow)];
  expect((await home.svc(line)).code).toBe(0);
}
