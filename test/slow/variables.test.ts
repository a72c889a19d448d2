// Variables of the environment in a process of their own: those that suppress prompts, and the home folder.
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';
import { inTerminal } from '../support/terminal.ts';
import { emptyVariables, setBooleans } from '../support/variables.ts';

it('a variable that is empty, and a Boolean variable that is 0 or false, suppresses no prompt', async () => {
  const home = openHome();
  await useSandbox(home);
  const observe = async (env: Record<string, string>) => {
    const terminal = inTerminal(home, 'svc config reset', { env, columns: 200 });
    await terminal.shows('(y/N)');
    terminal.types('\r');
    const { code, screen } = await terminal.ended();
    return { code, screen };
  };
  const { stdout } = await home.svc(['help', 'environment']);
  const [unset, ...others] = await Promise.all(
    [{}, emptyVariables(stdout), setBooleans('0'), setBooleans('false')].map(observe),
  );
  expect(unset?.code).toBe(2);
  expect(others).toEqual([unset, unset, unset]);
});

it('HOME and relative paths select the folders of configuration, state and cache', async () => {
  const home = openHome();
  const own = { SVC_CONFIG_DIR: 'own', SVC_STATE_DIR: 'own', SVC_CACHE_DIR: 'own' };
  const [elsewhere, relative] = await Promise.all(
    [{ HOME: '/elsewhere' }, own].map(async (env) => {
      const { stdout } = await home.svc(['doctor', '--json'], { env });
      return JSON.stringify(JSON.parse(stdout));
    }),
  );
  expect(elsewhere).toContain('/elsewhere/.config/svc/config.json');
  expect(elsewhere).toContain('state /elsewhere/.local/state/svc, ');
  expect(elsewhere).toContain('cache /elsewhere/.cache/svc"');
  expect(relative).toContain(`${home.folder}/own/config.json`);
  expect(relative).toContain(`state ${home.folder}/own, cache ${home.folder}/own"`);
});
