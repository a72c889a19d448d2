// Protected profiles on a terminal: entering the name to confirm a write, and the protection that login offers.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { testKey } from '../support/fixed.ts';
import { json, openService } from '../support/service.ts';
import { inTerminal } from '../support/terminal.ts';

/** Opens a service with one environment of this name, and a home without profiles. */
async function openEnvironment(name: string) {
  const home = openHome();
  const environment = {
    _id: 'a'.repeat(24),
    name,
    _organizationId: 'b'.repeat(24),
    identifier: 'one',
    type: 'prod',
    apiKeys: [{ key: testKey, _userId: 'c'.repeat(24) }],
  };
  const { baseUrl, seen } = await openService(({ method }, response) =>
    json(response, 200, method === 'GET' ? [environment] : { _id: 'd'.repeat(24), key: 'news' }),
  );
  const login = `svc login --base-url ${baseUrl} --profile live`;
  return { home, seen, login, env: { SVC_API_KEY: testKey } };
}

/** The methods after the login, which reads the environments and the version of the server. */
const sinceLogin = (seen: readonly { method: string }[]) => {
  const methods = seen.map(({ method }) => method);
  expect(methods.slice(0, 2)).toEqual(['GET', 'GET']);
  return methods.slice(2);
};

describe('a write to a protected profile', () => {
  it('prompts for the name of the profile, and is sent after the name is entered', async () => {
    const { home, seen, login, env } = await openEnvironment('Production');
    expect((await home.shell(login, env)).code).toBe(0);
    const terminal = inTerminal(home, 'svc topics rename news News', { columns: 160 });
    await terminal.shows('in Production (profile live), and the profile is protected.');
    await terminal.shows('Type live to continue:');
    terminal.types('live\r');
    const { code, screen } = await terminal.ended();
    expect(code).toBe(0);
    expect(screen).toContain('Renamed topic news to News in Production (profile live).');
    expect(sinceLogin(seen)).toEqual(['PATCH']);
  });

  it('is not sent if another name is entered', async () => {
    const { home, seen, login, env } = await openEnvironment('Production');
    await home.shell(login, env);
    const terminal = inTerminal(home, 'svc topics rename news News', { columns: 160 });
    await terminal.shows('Type live to continue:');
    terminal.types('yes\r');
    const { code, screen } = await terminal.ended();
    expect(code).toBe(2);
    expect(screen).toContain('--confirm live');
    expect(sinceLogin(seen)).toEqual([]);
  });
});

it('a push to a protected profile shows its plan before it asks for the name, and then asks to apply it', async () => {
  const home = openHome();
  const { key } = await home.sandbox();
  const edited = await home.shell(
    `svc environments pull environment --only topics && sed -i.bak 's/name: Announcements/name: News/' environment/topics.yaml`,
  );
  expect({ code: edited.code, key: key.length }).toEqual({ code: 0, key: 32 });
  await protectSandbox(home);
  const terminal = inTerminal(home, 'svc environments push environment', { columns: 100 });
  await terminal.shows('~ name: "Announcements" → "News"');
  await terminal.shows('Type sandbox to continue:');
  terminal.types('sandbox\r');
  await terminal.shows('Apply this plan (1 to update) in Development (profile sandbox)?');
  terminal.types('y\r');
  const { code, screen } = await terminal.ended();
  expect(code).toBe(0);
  expect(screen.indexOf('→ "News"')).toBeLessThan(screen.indexOf('Type sandbox'));
  expect(screen).toContain('Wrote 1 of 1 resource in Development (profile sandbox).');
});

/** Protects the profile of the sandbox in the configuration file. */
async function protectSandbox(home: Home) {
  const { stdout } = await home.svc(['config', 'path']);
  const file = stdout.trim();
  const configuration = JSON.parse(readFileSync(file, 'utf8'));
  configuration.profiles.sandbox.protected = true;
  writeFileSync(file, JSON.stringify(configuration));
}

describe('svc login to a production environment with another name', () => {
  it.each([
    ['y', 2],
    ['n', 0],
  ])('offers protection and remembers the choice %s', async (choice, code) => {
    const { home, login, env } = await openEnvironment('Live EU');
    const terminal = inTerminal(home, login, { columns: 160, env });
    await terminal.shows('Live EU is a production environment. Protect profile live');
    terminal.types(`${choice}\r`);
    expect((await terminal.ended()).code).toBe(0);
    expect((await home.svc(['topics', 'rename', 'news', 'News'])).code).toBe(code);
    const secondLogin = inTerminal(home, login, { columns: 160, env });
    expect(await secondLogin.ended()).toMatchObject({
      code: 0,
      screen: expect.not.stringContaining('Protect profile'),
    });
  });
});
