// A read-only profile: no command that changes data sends a request.
import { describe, expect, it } from 'vitest';
import { commandLines, prepareExamples } from '../commands/command-lines.ts';
import { writeInput } from '../support/rig.ts';
import { openTwoEnvironments } from '../support/two-environments.ts';
import { words } from '../support/words.ts';

/** A rig with the profiles development (current) and production. Those that are named are read-only. */
async function openReadOnly(...names: ('development' | 'production')[]) {
  const { rig, edit } = await openTwoEnvironments();
  await prepareExamples(rig, 'login');
  edit(({ profiles }) => {
    for (const name of names) Object.assign(profiles[name] ?? {}, { readOnly: true });
  });
  return rig;
}

const renameTopic = ['topics', 'rename', 'announcements', 'News'];

describe('with a read-only profile', () => {
  it('every command of the tree that changes data is rejected before any request', async () => {
    const { svc } = await openReadOnly('development', 'production');
    const writing = (await commandLines()).filter(
      ({ name, command }) =>
        command.writes !== false &&
        !['runs resume', 'runs fix'].includes(name) &&
        !name.startsWith('sandbox '),
    );
    expect(writing.length).toBeGreaterThan(35);
    for (const { name, command, args } of writing) {
      const { code, stderr, requests } = await svc([...args, '--yes']);
      // The example may be a read, such as `svc api GET`.
      if (typeof command.writes === 'function' && !stderr.includes('changes data')) {
        const { stderr: refused } = await svc([...args, '--yes', '--read-only']);
        expect({ name, refused }).toEqual({
          name,
          refused: expect.not.stringContaining('changes data'),
        });
        continue;
      }
      expect({ name, code, requests }).toEqual({ name, code: 2, requests: [] });
      expect(stderr).toMatch(/ changes data, and profile \w+ is read-only\.\n/);
    }
  });

  it.each([
    ['topics', 'subscribe', 'announcements', 'u1'],
    ['api', 'POST', '/v1/environments', '-f', 'name=X'],
    ['subscribers', 'bulk-import', 'users.csv'],
    ['subscribers', 'preferences', 'import', 'preferences.csv'],
    ['subscribers', 'credentials', 'import', 'tokens.csv'],
    ['workflows', 'push', 'workflows'],
    ['events', 'trigger', 'welcome', '--recipients', 'users.csv'],
  ])('svc %s %s is rejected, although it has a form that changes nothing', async (...line) => {
    const { svc } = await openReadOnly('development');
    const { code, stderr, requests } = await svc([...line, '--yes']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('profile development is read-only');
  });

  it('every command that changes the sandbox of the profile is rejected', async () => {
    const { rig, edit } = await openTwoEnvironments();
    edit(({ profiles: { development, production } }) => {
      Object.assign(development ?? {}, { sandbox: true, readOnly: true });
      Object.assign(production ?? {}, { readOnly: true });
    });
    const changing = (await commandLines()).filter(
      ({ name, command }) => command.writes !== false && name.startsWith('sandbox '),
    );
    expect(new Set(changing.map(({ name }) => name))).toEqual(
      new Set([
        'sandbox reset',
        'sandbox stop',
        'sandbox seed',
        'sandbox snapshot delete',
        'sandbox snapshot restore',
        'sandbox snapshot save',
        'sandbox clock advance',
        'sandbox clock set',
        'sandbox faults set',
        'sandbox faults clear',
      ]),
    );
    for (const { name, args } of changing) {
      const { code, stderr, requests } = await rig.svc([...args, '--yes']);
      expect({ name, code, requests }).toEqual({ name, code: 2, requests: [] });
      expect(stderr).toContain(
        `\`svc ${name}\` changes data, and profile development is read-only.`,
      );
    }
  });

  it('a run of the profile cannot be resumed', async () => {
    const { rig, edit } = await openTwoEnvironments();
    writeInput(rig, 'users.csv', 'subscriberId,email\nu1,broken\nu2,\n');
    const line = words`subscribers bulk-import users.csv --max-errors 0 -p production`;
    const stopped = await rig.svc([...line, '--json']);
    expect(stopped.code).toBe(3);
    const { runId } = JSON.parse(stopped.stdout) as { runId: string };
    edit(({ profiles: { production } }) => Object.assign(production ?? {}, { readOnly: true }));
    const { code, stderr, requests } = await rig.svc(['runs', 'resume', runId, '--yes']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('profile production is read-only');
  });

  it('reads and dry runs are possible, and no option or variable allows a write', async () => {
    const { svc } = await openReadOnly('development');
    expect((await svc(['topics', 'list'])).code).toBe(0);
    expect((await svc([...renameTopic, '--dry-run'])).code).toBe(0);
    const env = { SVC_READ_ONLY: '0' };
    const { code, stderr } = await svc([...renameTopic, '--yes', '--confirm', 'development'], {
      env,
    });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'Error: `svc topics rename` changes data, and profile development is read-only.\nUse another profile, or allow writes.\n  svc profiles read-only development --off\n',
    });
  });

  it('the profile that is written to decides, not the one that is read', async () => {
    const promote = (to: string) => ['workflows', 'promote', 'welcome', '--to', to, '--yes'];
    const source = await openReadOnly('development');
    expect((await source.svc(promote('production'))).stderr).not.toContain('read-only');
    const target = await openReadOnly('production');
    const { code, stderr, requests } = await target.svc(promote('production'));
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('profile production is read-only');
    expect((await target.svc(renameTopic)).code).toBe(0);
    expect((await target.svc([...renameTopic, '-p', 'production'])).code).toBe(2);
  });
});
