// Runs the steps of examples/github-actions.yml in their shells, twice at the same time.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { type Home, openHome, putOnPath } from '../support/built.ts';

interface Step {
  run?: string;
  shell?: string;
}

const { jobs } = parse(readFileSync('examples/github-actions.yml', 'utf8')) as {
  jobs: { test: { steps: Step[] } };
};
const { steps } = jobs.test;

vi.setConfig({ testTimeout: 60_000 });

/** A machine with `svc` on the path, and the files of a repository in its home folder. */
function openMachine(): Home {
  const home = openHome();
  putOnPath(home);
  cpSync('examples/vitest/workflows', path.join(home.folder, 'workflows'), { recursive: true });
  return home;
}

/** Runs the steps as a runner does: each script is a file, whose name replaces `{0}` in the shell of the step. */
async function runJob(home: Home, name: string) {
  let output = '';
  for (const { run, shell = 'bash -e {0}' } of steps) {
    if (run === undefined || run.startsWith('npm install')) continue;
    const script = `${name}-step.sh`;
    writeFileSync(path.join(home.folder, script), run);
    const { code, stdout, stderr } = await home.shell(shell.replace('{0}', script), { CI: 'true' });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    output += stdout;
  }
  return output;
}

it('the job finds the link and the reminder, and two jobs do not disturb each other', async () => {
  const home = openMachine();
  for (const output of await Promise.all([runJob(home, 'first'), runJob(home, 'second')])) {
    expect(output).toContain('https://app.example.com/confirm?token=t0ken\n');
    expect(output.match(/\temail\tu1\t/g)).toHaveLength(2);
  }
  expect((await home.svc(['profiles', 'list', '--json'])).stdout.trim()).toBe('[]');
});
