// Generated files are up to date, and the guides refer to existing files.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { documentProblems } from '../scripts/check-documents.ts';
import { generatedFiles } from '../scripts/generated.ts';
import { cloudRegions } from '../src/service/servers.ts';

it('the generated files are up to date', async () => {
  const stale = (await generatedFiles())
    .filter(({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
    .map(({ file }) => file);
  expect(stale, 'Run `npm run docs` to update them').toEqual([]);
});

it('the documents have no dead links, are all linked from the README, and are not too long', () => {
  expect(documentProblems()).toEqual([]);
});

it('docs/sandbox.md shows the commands for containers that the Dockerfile names', () => {
  const commands = readFileSync('Dockerfile', 'utf8').match(/(?<=^# +)docker .*$/gm) ?? [];
  expect(commands).toHaveLength(3);
  expect(readFileSync('docs/sandbox.md', 'utf8')).toContain(`\n${commands.join('\n')}\n`);
});

describe('the README', () => {
  const readme = readFileSync('README.md', 'utf8');

  it('starts with the two commands that set up everything', () => {
    const [first = '', second = ''] = readme.split('```sh\n')[1]?.split('\n') ?? [];
    expect(first).toMatch(/^npm ci && npm run demo/);
    expect(second).toMatch(/^npm ci && npm test/);
  });

  it('says in the first sentence for which service svc is, and which addresses it has', () => {
    expect(readme.split('\n')[2]).toMatch(/Novu/);
    for (const { name, baseUrl } of cloudRegions)
      expect(readme).toContain(`| ${name} | \`${baseUrl}\` |`);
  });
});

it('docs/testing.md shows the files of examples/vitest, which is run', () => {
  const page = readFileSync('docs/testing.md', 'utf8');
  for (const [language, file] of [
    ['ts', 'sign-up.test.ts'],
    ['ts', 'sign-up.ts'],
    ['yaml', 'workflows/sign-up.yaml'],
    ['html', 'workflows/sign-up.confirm.body.html'],
    ['html', 'workflows/sign-up.reminder.body.html'],
    ['yaml', 'workflows/comment.yaml'],
    ['ts', 'comment.test.ts'],
    ['ts', 'concurrent.test.ts'],
  ]) {
    const text = readFileSync(`examples/vitest/${file}`, 'utf8');
    expect(page).toContain(`\`\`\`${language}\n${text}\`\`\`\n`);
  }
});

it('docs/testing.md shows the start of examples/code-first, which is run', () => {
  const [, block = ''] =
    /```js\n(server = [\s\S]*?)```/.exec(readFileSync('docs/testing.md', 'utf8')) ?? [];
  const lines = block.trim().split('\n');
  const test = readFileSync('examples/code-first/workflows.test.js', 'utf8');
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(test).toContain(line);
});

it('docs/testing.md shows the files of examples/inbox, which is run', () => {
  const page = readFileSync('docs/testing.md', 'utf8');
  for (const [language, file] of [
    ['jsx', 'app.jsx'],
    ['js', 'inbox.spec.js'],
  ]) {
    const text = readFileSync(`examples/inbox/${file}`, 'utf8');
    expect(page).toContain(`\`\`\`${language}\n${text}\`\`\`\n`);
  }
});

it('docs/sandbox.md lists the steps of the example workflows', () => {
  const page = readFileSync('docs/sandbox.md', 'utf8');
  const { environments } = parse(readFileSync('src/sandbox/state/built-in.yaml', 'utf8')) as {
    environments: { workflows?: { workflowId: string; steps?: { type: string }[] }[] }[];
  };
  const stepsByWorkflow = Object.fromEntries(
    environments
      .flatMap(({ workflows = [] }) => workflows)
      .map(({ workflowId, steps = [] }) => [workflowId, steps.map(({ type }) => type).join(', ')]),
  );
  const [, table = ''] = page.split('| Workflow | Steps | Shows |\n| --- | --- | --- |\n');
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([\w-]+)` \| ([^|]+) \|/gm)];
  expect(rows).toHaveLength(8);
  for (const [, workflow = '', steps] of rows)
    expect({ workflow, steps }).toEqual({ workflow, steps: stepsByWorkflow[workflow] });
});

describe.each(['CONTRIBUTING.md', 'SECURITY.md'])('%s', (file) => {
  const mentioned = [
    ...readFileSync(file, 'utf8').matchAll(/`((?:test|bench|scripts)\/[^` ]+\.[tj]s)`/g),
  ];
  it('mentions tests and scripts that exist', () => {
    const names = mentioned.map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !existsSync(name))).toEqual([]);
  });
});

it('docs/compatibility.md has the numbers of the recorded responses that agree', () => {
  const page = readFileSync('docs/compatibility.md', 'utf8');
  for (const folder of ['test/recorded', 'test/recorded/beyond']) {
    const areas: Record<string, number>[] = Object.values(
      JSON.parse(readFileSync(`${folder}/agreement.json`, 'utf8')),
    );
    const sums = ['exchanges', 'status', 'shape', 'whole'].map((name) =>
      areas.reduce((sum, area) => sum + (area[name] ?? 0), 0),
    );
    expect(page).toContain(`| ${sums.join(' | ')} |`);
  }
});
