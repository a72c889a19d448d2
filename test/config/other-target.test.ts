// Address and key come from variables while a profile of another environment is current: its stored environment must
// not be used.
import { describe, expect, it } from 'vitest';
import { baseUrl } from '../support/fixed.ts';
import { openTwoEnvironments } from '../support/two-environments.ts';

/** Variables with the key of Development, while the profile of Production is current. */
async function openOtherCurrent() {
  const { rig, edit, keyOf } = await openTwoEnvironments();
  // Production has the workflow, but no integrations.
  await rig.svc(['workflows', 'promote', 'welcome', '--to', 'production', '--yes']);
  edit((configuration) => {
    configuration.current = 'production';
  });
  const env = { SVC_BASE_URL: baseUrl, SVC_API_KEY: keyOf('development') };
  return { rig, edit, env };
}

describe('a key from a variable', () => {
  const validate = ['events', 'trigger', 'welcome', '--recipients', '-', '--validate-only'];
  const stdin = 'subscriberId\nv1\n';

  it('decides which integrations --validate-only checks', async () => {
    const { rig, env } = await openOtherCurrent();
    const { code, stdout } = await rig.svc([...validate, '--json'], { stdin, env });
    expect({ code, summary: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      summary: { rows: 1, skipped: 1 },
    });
    expect(JSON.parse(stdout)).not.toHaveProperty('problems');
    const inProduction = await rig.svc([...validate, '--json'], { stdin });
    expect(JSON.parse(inProduction.stdout).problems).toContain(
      'The channel email has no active integration.',
    );
  });

  it('is not checked against integrations of every environment if a profile lacks the id of its own', async () => {
    const { rig, edit } = await openOtherCurrent();
    edit(({ profiles }) => {
      for (const profile of Object.values(profiles)) delete profile.environmentId;
    });
    const { stdout } = await rig.svc([...validate, '--json'], { stdin });
    expect(JSON.parse(stdout).problems).toContain('The channel email has no active integration.');
  });

  it('is not recorded in a validated run as that of the current profile', async () => {
    const { rig, env } = await openOtherCurrent();
    const recorded = async (expectedCode: number, runEnv?: Record<string, string>) => {
      const env = runEnv ?? {};
      expect((await rig.svc(validate, { stdin, env })).code).toBe(expectedCode);
      return JSON.parse((await rig.svc(['runs', 'show', 'last', '--json'], { env })).stdout)
        .profile;
    };
    expect(await recorded(0, env)).toBeNull();
    expect(await recorded(3)).toBe('production');
  });

  it('is not compared with the environment of the current profile by svc doctor', async () => {
    const { rig, env } = await openOtherCurrent();
    const { stdout } = await rig.svc(['doctor', '--json'], { env });
    expect(JSON.parse(stdout)).toContainEqual({
      name: 'environment',
      status: 'ok',
      message: 'Development, one of 2 environments',
      fix: null,
    });
  });

  it('gets no proposal to move the clock of a sandbox that the current profile belongs to', async () => {
    const { rig, edit, env } = await openOtherCurrent();
    edit(({ profiles }) => Object.assign(profiles.production ?? {}, { sandbox: true }));
    const trigger = ['events', 'trigger', 'trial-ending', '--to', 'u1', '--wait'];
    const other = await rig.svc(trigger, { env, tty: 'stderr' });
    expect(other.stderr).not.toContain('svc sandbox clock set');
    edit((configuration) => {
      Object.assign(configuration.profiles.development ?? {}, { sandbox: true });
    });
    const own = await rig.svc([...trigger, '-p', 'development'], { tty: 'stderr' });
    expect(own.stderr).toContain('svc sandbox clock set');
  });
});
