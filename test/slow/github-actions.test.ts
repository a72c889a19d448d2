// Runs the steps of examples/github-actions.yml by bash, twice at the same time.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { type Home, openHome, putOnPath } from '../support/built.ts';

interface Step {
  name?: string;
  uses?: string;
  run?: string;
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

/** Runs the steps as a runner does: each in a shell of its own, with the variables that earlier steps have saved. */
async function runJob(home: Home, name: string) {
  const variablesFile = path.join(home.folder, `${name}-env`);
  writeFileSync(variablesFile, '');
  const output: Record<string, string> = {};
  const saved: Record<string, string> = {};
  for (const { name: step = '', run } of steps) {
    if (run === undefined || run.startsWith('npm install')) continue;
    const script = `${name}-step.sh`;
    writeFileSync(path.join(home.folder, script), run);
    const { code, stdout, stderr } = await home.shell(`bash -e -o pipefail ${script}`, {
      ...saved,
      GITHUB_ENV: variablesFile,
      CI: 'true',
    });
    expect({ step, code, stderr: code === 0 ? '' : stderr }).toEqual({ step, code: 0, stderr: '' });
    output[step] = stdout;
    for (const line of readFileSync(variablesFile, 'utf8').trim().split('\n')) {
      const at = line.indexOf('=');
      saved[line.slice(0, at)] = line.slice(at + 1);
    }
  }
  return { output, saved };
}

it('the job finds the link and the reminder, and two jobs do not disturb each other', async () => {
  const home = openMachine();
  const results = await Promise.all([runJob(home, 'first'), runJob(home, 'second')]);
  expect(new Set(results.map(({ saved }) => saved.SVC_BASE_URL)).size).toBe(2);
  for (const { output } of results) {
    expect(output['Follow the link in the e-mail']).toBe(
      'https://app.example.com/confirm?token=t0ken\n',
    );
    expect(output['Send the reminder a day later']?.match(/\temail\tu1\t/g)).toHaveLength(2);
    expect(output['Stop the sandbox']).toContain('stopped\ttrue');
  }
  expect((await home.svc(['profiles', 'list', '--json'])).stdout.trim()).toBe('[]');
});
