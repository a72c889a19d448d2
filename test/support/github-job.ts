// Runs the steps of a job or an action of GitHub, as a runner does: each script is a file, which a shell of its own runs.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Home } from './built.ts';

export interface Step {
  name?: string;
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  shell?: string;
  env?: Record<string, string>;
  /** The inputs of an action, also in the steps of the action itself. */
  with?: Record<string, string>;
}

export const readYaml = <T>(file: string) => parse(readFileSync(file, 'utf8')) as T;

export const setupAction = readYaml<{
  inputs: Record<string, { description: string; default: string }>;
  runs: { using: string; steps: Step[] };
}>('packaging/setup-svc/action.yml');

/** The steps of packaging/setup-svc with these inputs. */
export function setupSteps(given: Record<string, string> = {}): Step[] {
  const inputs = Object.fromEntries(
    Object.entries(setupAction.inputs).map(([name, input]) => [
      name,
      String(given[name] ?? input.default),
    ]),
  );
  return setupAction.runs.steps.map((step) => ({ ...step, with: inputs }));
}

interface JobOptions {
  /** Distinguishes the scripts of jobs that run at the same time. */
  name?: string;
  env?: Record<string, string>;
  /** The values of expressions such as `secrets.SVC_API_KEY`. */
  values?: Record<string, string>;
}

/** Runs the scripts in the home folder. After a failure, only the steps with `always()` run. */
export async function runSteps(
  home: Home,
  steps: readonly Step[],
  { name = 'job', env: ofJob = {}, values = {} }: JobOptions = {},
) {
  const inHome = (file: string) => path.join(home.folder, file);
  const files = { GITHUB_ENV: `${name}-env`, GITHUB_OUTPUT: `${name}-output` };
  for (const file of Object.values(files)) writeFileSync(inHome(file), '');
  const readVariables = (file: string) =>
    Object.fromEntries(
      [...readFileSync(inHome(file), 'utf8').matchAll(/^(\w[\w-]*)=(.*)$/gm)].map(
        ([, variable, value = '']) => [variable, value],
      ),
    ) as Record<string, string>;
  let [output, stderr, code]: [string, string, number | null] = ['', '', 0];
  for (const { run, shell, env = {}, if: condition, with: inputs = {} } of steps) {
    const expressionValue = (expression: string) => {
      const value = values[expression] ?? inputs[expression.replace(/^inputs\./, '')];
      if (value === undefined) throw new Error(`the job needs a value for ${expression}`);
      return value;
    };
    const expand = (text: string) =>
      String(text).replace(/\$\{\{ ([\w.-]+) \}\}/g, (_all, expression) =>
        expressionValue(expression),
      );
    const [, operand = '', expected] = /^([\w.]+) == '(.*)'$/.exec(condition ?? '') ?? [];
    const isWanted = expected === undefined || expressionValue(operand) === expected;
    if (run === undefined || !isWanted || (code !== 0 && condition !== 'always()')) continue;
    writeFileSync(inHome(`${name}-step.sh`), expand(run));
    const command =
      shell === 'bash' ? 'bash --noprofile --norc -e -o pipefail {0}' : (shell ?? 'bash -e {0}');
    const ended = await home.shell(command.replace('{0}', `${name}-step.sh`), {
      CI: 'true',
      ...ofJob,
      ...readVariables(files.GITHUB_ENV),
      ...Object.fromEntries(Object.entries(env).map(([key, text]) => [key, expand(text)])),
      ...files,
    });
    output += ended.stdout;
    if (ended.code === 0) stderr += ended.stderr;
    else if (code === 0) ({ code, stderr } = ended);
  }
  const outputs = readVariables(files.GITHUB_OUTPUT);
  return { code, stderr, output, env: readVariables(files.GITHUB_ENV), outputs };
}
