// Prompts and success messages of writes name the environment and the profile.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLines, openExamples } from '../commands/command-lines.ts';
import { baseUrl, testKey } from '../support/fixed.ts';
import { filterWrites } from '../support/requests.ts';
import { openRig, type Rig } from '../support/rig.ts';
import { words } from '../support/words.ts';

const place = 'in Development (profile live)';

/** Returns a rig with the profile `live` as the current profile, and no service set by environment variables. */
const openRigWithProfile = (name = ''): Promise<Rig> =>
  openExamples(name, { bare: true }, async ({ svc }) => {
    const login = ['login', '--base-url', baseUrl, '--profile', 'live', '--with-key'];
    expect((await svc(login, { stdin: testKey })).code).toBe(0);
  });

const writes = (await commandLines()).filter(
  ({ name, command }) =>
    command.writes &&
    (command.operations ?? []).length > 0 &&
    !command.targetProfile &&
    // Its example only reads: it writes with --fix.
    name !== 'activity audit',
);

describe.each(writes.map(({ name, args }) => [name, args] as const))('svc %s', (name, args) => {
  it('names the environment and the profile in its success message on a terminal', async () => {
    const { svc } = await openRigWithProfile(name);
    const { code, stdout, stderr } = await svc([...args, '--yes'], { tty: true, columns: 300 });
    expect({ code, error: code === 0 ? '' : stderr }).toEqual({ code: 0, error: '' });
    expect(stdout + stderr).toContain(` ${place}`);
  });
});

describe('a prompt', () => {
  it.each([
    ['events', 'trigger', 'welcome', '--to-topic', 'announcements'],
    ['events', 'trigger', 'welcome', '--recipients', 'users.csv'],
    ['events', 'cancel', 'txn_6774858005787ee036e9fda0'],
    ['inbox', 'mark', 'u1', 'read', '--all'],
    words`integrations update 67748580895a497d12797983 --clear-others --credential apiKey==x`,
    ['integrations', 'delete', '677485809bebc841f620134a'],
    ['subscribers', 'credentials', 'delete', 'u1', 'slack'],
    ['subscribers', 'delete', 'u1'],
    ['topics', 'delete', 'announcements'],
    ['topics', 'unsubscribe', 'announcements', 'u1', 'u2'],
    ['contexts', 'delete', 'tenant', 'org-acme'],
    ['workflows', 'delete', 'welcome'],
    ['environments', 'delete', 'Staging EU', '--confirm', 'Staging EU'],
    ['events', 'broadcast', 'welcome'],
    ['messages', 'delete', '67748580259aa8ef98259b2b'],
  ])('names the environment and the profile: svc %s %s', async (...line) => {
    const { svc } = await openRigWithProfile();
    const { code, stderr, requests } = await svc(line);
    expect(code).toBe(2);
    expect(stderr).toContain(`${place}.`);
    expect(filterWrites(requests)).toEqual([]);
  });

  it('names the origin if environment variables set the service, and sends no request', async () => {
    const { svc } = await openRig();
    const { stderr, requests } = await svc(['integrations', 'delete', '677485809bebc841f620134a']);
    expect(stderr).toContain(
      'to delete integration 677485809bebc841f620134a at http://sandbox.localhost.',
    );
    expect(requests).toEqual([]);
  });

  it('names the origin and the profile if the environment is unknown', async () => {
    const rig = await openRigWithProfile();
    const file = path.join(rig.folder, 'config', 'config.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"environment":\s*"Development",/, ''));
    const { stderr } = await rig.svc(['integrations', 'delete', '677485809bebc841f620134a']);
    expect(stderr).toContain('at http://sandbox.localhost (profile live).');
  });

  it('names no environment if the command changes only local files', async () => {
    const { svc } = await openRigWithProfile();
    expect((await svc(['config', 'reset'])).stderr).toContain('profiles, keys and settings.');
    expect((await svc(['profiles', 'delete', 'live'])).stderr).toContain(
      'to delete profile live with its key.',
    );
  });
});

describe('the output of a format', () => {
  it('contains no environment or profile, unlike the line of a write', async () => {
    const { svc } = await openRigWithProfile();
    const line = ['topics', 'subscribe', 'announcements', 'u1'];
    expect(Object.keys(JSON.parse((await svc([...line, '--json'])).stdout))).toEqual([
      'data',
      'meta',
    ]);
    const rename = ['topics', 'rename', 'announcements', 'News'];
    const { stdout, stderr } = await svc([...rename, '-o', 'tsv']);
    expect(stdout + stderr).not.toContain(place);
    expect((await svc(rename)).stdout).toContain(place);
  });
});
