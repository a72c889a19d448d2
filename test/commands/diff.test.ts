// `svc diff`
import { describe, expect, it } from 'vitest';
import { filterWrites } from '../support/requests.ts';
import { parsed } from '../support/rig.ts';
import { words } from '../support/words.ts';
import { firstLine, openStaging } from './workflows/workflow-folder.ts';

const difference = (stdout: string) => parsed(stdout) as { equal: boolean; resources: object[] };

/** Staging equals development, but for one workflow of each kind of difference. */
async function openChanged() {
  const rig = await openStaging();
  await rig.svc(words`workflows promote welcome draft --to staging --yes -p development`);
  await rig.svc(['workflows', 'pull', 'welcome', '-p', 'staging']);
  rig.files.edit('workflows/welcome.yaml', 'name: Welcome', 'name: Hi');
  rig.files.write('workflows/new.yaml', `${firstLine}\nworkflowId: new\nname: New\n`);
  await rig.svc(['workflows', 'push', '--yes', '-p', 'staging']);
  return rig;
}

describe('svc diff with a folder in place of a profile', () => {
  it.each([
    ['development', 'workflows', 'changed'],
    ['workflows', 'development', 'changed'],
    ['./workflows', undefined, 'changed'],
  ])('compares svc diff %s %s', async (from, to, action) => {
    const { svc } = await openChanged();
    const { code, stdout } = await svc(['diff', from, ...(to ? [to] : []), '--json']);
    expect(code).toBe(10);
    expect(JSON.parse(stdout).resources).toContainEqual(
      expect.objectContaining({ kind: 'workflow', id: 'welcome', action }),
    );
  });

  it('shows the changes in the direction of the names', async () => {
    const { svc } = await openChanged();
    const listChanges = async (...names: string[]) => {
      const { stdout } = await svc(['diff', ...names, '--only', 'workflows', '--json']);
      const { resources } = JSON.parse(stdout) as {
        resources: { id: string; changes: { from: unknown; to: unknown }[] }[];
      };
      return resources.find(({ id }) => id === 'welcome')?.changes ?? [];
    };
    const there = await listChanges('development', 'workflows');
    const back = await listChanges('workflows', 'development');
    expect(there.length).toBeGreaterThan(0);
    expect(back.map(({ from, to }) => [to, from])).toEqual(there.map(({ from, to }) => [from, to]));
  });

  it('asks for --dir if the name is also a profile', async () => {
    const { svc, edit } = await openChanged();
    edit(({ profiles }) => {
      if (profiles.staging) profiles.workflows = profiles.staging;
    });
    const { code, stderr, requests } = await svc(['diff', 'development', 'workflows']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('`workflows` is a profile and a folder.');
    expect(stderr).toContain('--dir workflows');
    expect((await svc(['diff', 'development', '--dir', 'workflows'])).code).toBe(10);
  });

  it('refuses a folder that svc did not write', async () => {
    const { svc, files } = await openChanged();
    files.write('other/readme.md', 'x');
    const { code, stderr, requests } = await svc(['diff', 'development', 'other']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('the folder other contains no files of svc');
  });

  it('suggests a profile for a name that is neither', async () => {
    const { svc } = await openChanged();
    const { code, stderr } = await svc(['diff', 'development', 'stagin']);
    expect(code).toBe(2);
    expect(stderr).toContain('Unknown profile `stagin`. Did you mean `staging`?');
    expect(stderr).toContain('A folder with this name does not exist either.');
  });
});

describe('svc diff', () => {
  it('shows what differs between two environments, and exits with 10', async () => {
    const { svc } = await openChanged();
    const line = ['diff', 'staging', 'development', '--only', 'workflows'];
    const { code, stdout, stderr } = await svc(line, { tty: true });
    expect({ code, stderr }).toEqual({ code: 10, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "From Staging (profile staging) to Development (profile development):

      + workflow broken-invoice  "Broken invoice"
      + workflow comment-digest  "Comment digest"
      + workflow invoice-paid  "Invoice paid"
      + workflow legacy-newsletter  "Legacy newsletter"
      - workflow new  "New"
      + workflow one-time-code  "One-time code"
      + workflow order-update  "Order update"
      + workflow partner-sync  "Partner sync"
      + workflow price-alert  "Price alert"
      + workflow trial-ending  "Trial ending"
      + workflow weekly-report  "Weekly report"

      ~ workflow welcome  "Welcome"
        ~ name: "Hi" → "Welcome"

      10 added, 1 removed, 1 changed, 1 equal.
      "
    `);
  });

  it('is data with --json, and one line per change in a pipe', async () => {
    const { svc } = await openChanged();
    const line = ['diff', 'development', 'staging', '--only', 'workflows'];
    const { code, stdout } = await svc([...line, '--json']);
    expect(code).toBe(10);
    const { equal, resources } = difference(stdout);
    expect(equal).toBe(false);
    expect(resources).toContainEqual({ kind: 'workflow', id: 'new', action: 'added', changes: [] });
    expect(resources).toContainEqual({
      ...{ kind: 'workflow', id: 'welcome', action: 'changed' },
      changes: [{ path: 'name', from: 'Welcome', to: 'Hi' }],
    });
    const piped = await svc(line);
    expect(piped).toMatchObject({ code: 10, stderr: '' });
    expect(piped.stdout).toContain('workflow\twelcome\tchanged\tname\t"Welcome"\t"Hi"\n');
  });

  it('exits with 0 if nothing differs', async () => {
    const { svc } = await openStaging();
    expect((await svc(['workflows', 'pull', '-p', 'development'])).code).toBe(3);
    const line = ['diff', 'development', '--dir', 'workflows'];
    const { code, stdout } = await svc([...line, '--json']);
    expect({ code, ...difference(stdout) }).toEqual({ code: 0, equal: true, resources: [] });
    expect((await svc(line)).stdout).toBe('');
  });

  it('compares with a folder, without workflows that a folder cannot contain', async () => {
    const { svc, files } = await openStaging();
    expect((await svc(['workflows', 'pull', '-p', 'development'])).code).toBe(3);
    files.remove('workflows/draft.yaml');
    const { code, stdout } = await svc(['diff', 'development', '--dir', 'workflows']);
    expect({ code, stdout }).toEqual({ code: 10, stdout: 'workflow\tdraft\tremoved\t\t\t\n' });
  });

  it('compares topics, contexts and integrations by their public identifiers', async () => {
    const { svc } = await openStaging();
    const { stdout } = await svc(['diff', 'staging', 'development', '--json']);
    const { resources } = difference(stdout);
    expect(resources).toContainEqual({
      kind: 'topic',
      id: 'announcements',
      action: 'added',
      changes: [],
    });
    expect(resources).toContainEqual({
      kind: 'context',
      id: 'tenant:org-acme',
      action: 'added',
      changes: [],
    });
    expect(resources).toContainEqual({
      kind: 'integration',
      id: 'sendgrid-email',
      action: 'added',
      changes: [],
    });
    expect(stdout).not.toContain('apiKey');
  });

  it('compares with the active environment if only one is named', async () => {
    const { svc } = await openStaging();
    const { code, stdout } = await svc(
      ['diff', 'development', '--only', 'workflows', '-p', 'staging'],
      { tty: true },
    );
    expect(code).toBe(10);
    expect(stdout).toContain(
      'From Development (profile development) to Staging (profile staging):',
    );
  });

  it('only reads', async () => {
    const { svc } = await openStaging();
    const { code, requests } = await svc(['diff', 'development', 'staging', '--read-only']);
    expect({ code, writes: filterWrites(requests) }).toEqual({ code: 10, writes: [] });
  });

  it('leaves out kinds that a server does not offer', async () => {
    const { svc, answerBy } = await openStaging();
    answerBy(({ url }) =>
      url.pathname === '/v2/layouts' || url.pathname === '/v1/integrations'
        ? { status: 404, body: { statusCode: 404, message: `Cannot GET ${url.pathname}` } }
        : undefined,
    );
    const { code, stderr } = await svc(['diff', 'development', 'staging']);
    expect(code).toBe(10);
    expect(stderr).toBe('Not compared: integrations, which a server does not offer.\n');
  });

  it.each([
    [
      'the same profile twice',
      ['development', 'development'],
      'Both sides are the same environment',
    ],
    ['an unknown profile', ['developmen', 'staging'], 'Did you mean `development`?'],
    [
      'an unknown kind',
      ['development', 'staging', '--only', 'workflow'],
      'Did you mean `workflows`?',
    ],
    [
      'a second profile and a folder',
      ['development', 'staging', '--dir', 'x'],
      '--dir cannot be combined',
    ],
    [
      'topics of a folder',
      ['development', '--dir', 'x', '--only', 'topics'],
      '`topics` cannot be compared with x',
    ],
    ['an empty folder', ['development', '--dir', 'x'], 'x contains no workflow files.'],
  ])('%s is refused', async (_what, more, message) => {
    const { svc } = await openStaging();
    const { code, stderr } = await svc(['diff', ...more]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

it('svc diff --fields names members of the JSON, also in a pipe', async () => {
  const { svc } = await openStaging();
  const { stdout } = await svc(['diff', 'development', 'staging', '--fields', 'equal']);
  expect(stdout).toBe('equal\tfalse\n');
});
