// A run belongs to its original environment, regardless of the active profile, with the whole program.
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { parsed } from '../../support/rig.ts';
import { stopImport } from '../../support/runs.ts';
import { openTwoEnvironments, sentKeys } from '../../support/two-environments.ts';

describe('a stopped run after a change of the active profile', () => {
  it('is resumed in its own environment, and reports that', async () => {
    const { rig, keyOf } = await openTwoEnvironments();
    const { runId } = await stopImport(rig, ['--profile', 'development']);
    await rig.svc(['profiles', 'use', 'production']);
    const { code, requests, stderr } = await rig.svc(['runs', 'resume', runId], { tty: true });
    expect(code).toBe(0);
    expect(requests.length).toBeGreaterThan(0);
    expect(sentKeys(requests)).toEqual([`ApiKey ${keyOf('development')}`]);
    expect(stderr).toContain(
      'Using profile development, which started the run, instead of production.',
    );
  });

  it('requires confirmation with the name of its own protected profile', async () => {
    const { rig, edit } = await openTwoEnvironments();
    const { runId } = await stopImport(rig);
    edit((configuration) => {
      Object.assign(configuration.profiles.development ?? {}, { protected: true });
      configuration.current = 'production';
    });
    const { code, stderr, requests } = await rig.svc(['runs', 'resume', runId]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('--confirm development');
    const confirmed = ['runs', 'resume', runId, '--confirm', 'development'];
    expect((await rig.svc(confirmed)).code).toBe(0);
  });

  it('is not the last run of the other profile', async () => {
    const { rig, keyOf } = await openTwoEnvironments();
    const { runId } = await stopImport(rig, ['--profile', 'development']);
    await rig.svc(['profiles', 'use', 'production']);
    for (const verb of ['resume', 'show', 'delete']) {
      const { code, stderr, requests } = await rig.svc(['runs', verb, 'last', '--yes']);
      expect({ code, requests }).toEqual({ code: 5, requests: [] });
      expect(stderr).toContain(
        'No run of profile production that this command can use is stored on this machine.',
      );
    }
    const line = ['runs', 'resume', 'last', '--profile', 'development', '--json'];
    const { stdout, requests } = await rig.svc(line);
    expect(parsed(stdout)).toMatchObject({ runId });
    expect(sentKeys(requests)).toEqual([`ApiKey ${keyOf('development')}`]);
  });

  it.each<[string, string[], Record<string, string>]>([
    ['an option', ['--profile', 'production'], {}],
    ['a variable', [], { SVC_PROFILE: 'production' }],
  ])('is refused in another environment, selected by %s', async (_name, more, env) => {
    const { rig } = await openTwoEnvironments();
    const { runId } = await stopImport(rig);
    const ran = await rig.svc(['runs', 'resume', runId, ...more], { env });
    expect({ code: ran.code, requests: ran.requests }).toEqual({ code: 2, requests: [] });
    expect(ran.stderr).toContain(`Run ${runId} cannot be resumed: the environment changed`);
    expect(ran.stderr).toContain(`svc runs resume ${runId} --profile development`);
  });

  it('is refused with --resume without a profile', async () => {
    const { rig } = await openTwoEnvironments();
    const { csv, runId } = await stopImport(rig);
    await rig.svc(['profiles', 'use', 'production']);
    const line = ['subscribers', 'bulk-import', csv, '--resume', runId];
    const { code, stderr, requests } = await rig.svc(line);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('--profile development');
    expect((await rig.svc([...line, '--profile', 'development'])).code).toBe(0);
  });

  it('is refused with the API key of another environment in a variable', async () => {
    const { rig, keyOf } = await openTwoEnvironments();
    const { runId } = await stopImport(rig);
    const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: keyOf('production') };
    const { code, stderr, requests } = await rig.svc(['runs', 'resume', runId], { env });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('the API key changed');
    const same = { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };
    expect((await rig.svc(['runs', 'resume', runId], { env: same })).code).toBe(0);
  });
});

describe('a stopped run can be resumed', () => {
  it('with a renamed profile', async () => {
    const { rig } = await openTwoEnvironments();
    const { runId } = await stopImport(rig);
    await rig.svc(['profiles', 'rename', 'development', 'dev']);
    await rig.svc(['profiles', 'use', 'production']);
    const elsewhere = await rig.svc(['runs', 'resume', runId]);
    expect({ code: elsewhere.code, requests: elsewhere.requests }).toEqual({
      code: 2,
      requests: [],
    });
    expect((await rig.svc(['runs', 'resume', runId, '--profile', 'dev'])).code).toBe(0);
  });

  it('with a new API key of the environment that the profile contains', async () => {
    const { rig, edit } = await openTwoEnvironments();
    const { runId } = await stopImport(rig);
    const replaced = 'ffffffffffffffffffffffffffffffff';
    edit(({ profiles }) => Object.assign(profiles.development ?? {}, { key: replaced }));
    // The sandbox rejects that key; the test only checks that it is sent.
    const { code, requests } = await rig.svc(['runs', 'resume', runId]);
    expect(code).toBe(4);
    expect(sentKeys(requests)).toEqual([`ApiKey ${replaced}`]);
  });

  it('not with a new API key of an unknown environment, and the hint shows an alternative', async () => {
    const { rig, edit } = await openTwoEnvironments();
    edit(({ profiles }) => delete profiles.development?.environmentId);
    const { runId } = await stopImport(rig);
    edit(({ profiles }) => Object.assign(profiles.development ?? {}, { key: 'f'.repeat(32) }));
    const { code, requests, stderr } = await rig.svc(['runs', 'resume', runId]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('It started when profile development had another API key.');
    expect(stderr).toContain('--skip');
  });
});
