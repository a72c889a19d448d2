// `svc sandbox start --seed <folder> --watch` with the built program.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

const workflow = (id: string, body: string) => `# svc workflow, format 1
workflowId: ${id}
name: ${id}
steps:
  - stepId: sms
    name: SMS
    type: sms
    controlValues:
      body: ${body}
`;

async function openWatched() {
  const home = openHome();
  const folder = path.join(home.folder, 'workflows');
  mkdirSync(folder);
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  write('first.yaml', workflow('first', 'One'));
  write('second.yaml', workflow('second', 'Two'));
  const line = ['sandbox', 'start', '--port', '0', '--in-memory', '--seed', 'workflows', '--watch'];
  const run = home.start(line);
  let printed = '';
  run.process.stderr?.on('data', (text: string) => {
    printed += text;
  });
  await run.says('baseUrl');
  const stderr = () => printed;
  const readBody = async (id: string) => {
    const { stdout } = await home.svc(['workflows', 'get', id, '--json', '-p', 'sandbox']);
    return JSON.parse(stdout).steps[0].controls.values.body;
  };
  return { home, folder, write, stderr, bodyOf: readBody };
}

it('follows valid changes, and keeps the last version of a broken or deleted file', async () => {
  const { home, folder, write, stderr, bodyOf } = await openWatched();
  expect(await bodyOf('first')).toBe('One');
  write('first.yaml', workflow('first', 'Changed'));
  await expect.poll(stderr, { timeout: 10_000 }).toContain('Loaded workflows/first.yaml.');
  expect(await bodyOf('first')).toBe('Changed');
  expect(stderr()).not.toContain('second');
  write('first.yaml', `${workflow('first', 'Broken')}  - stepId: [`);
  await expect
    .poll(stderr, { timeout: 10_000 })
    .toMatch(/workflows\/first\.yaml:\d+:\d+: .*The last valid version stays\./);
  expect(await bodyOf('first')).toBe('Changed');
  write('third.yaml', workflow('third', 'Three'));
  rmSync(path.join(folder, 'second.yaml'));
  await expect.poll(stderr, { timeout: 10_000 }).toContain('Loaded workflows/third.yaml.');
  expect(await bodyOf('third')).toBe('Three');
  expect(await bodyOf('second')).toBe('Two');
  expect(stderr()).toContain(
    'workflows/second.yaml was deleted. The sandbox keeps its last version.\n',
  );
  await home.svc(['sandbox', 'reset', '--yes', '-p', 'sandbox']);
  expect(await bodyOf('first')).toBe('Changed');
  await home.svc(['sandbox', 'stop', '-p', 'sandbox']);
});

it('reports broken steps once, keeps the last version, and loads the file when it is fixed', async () => {
  const { home, write, stderr, bodyOf } = await openWatched();
  // At once: the folder is watched before the address is printed.
  write('first.yaml', workflow('first', '"{% broken"'));
  const error = 'workflows/first.yaml: workflow first, step sms, body: ';
  await expect.poll(stderr, { timeout: 10_000 }).toContain(error);
  expect(stderr()).toMatch(/step sms, body: .*\. The last valid version stays\.\n/);
  expect(await bodyOf('first')).toBe('One');
  write('second.yaml', workflow('second', 'Changed'));
  await expect.poll(stderr, { timeout: 10_000 }).toContain('Loaded workflows/second.yaml.');
  expect(stderr().split(error)).toHaveLength(2);
  expect(stderr()).not.toContain('Loaded workflows/first.yaml.');
  write('first.yaml', workflow('first', 'Fixed'));
  await expect.poll(stderr, { timeout: 10_000 }).toContain('Loaded workflows/first.yaml.');
  expect(await bodyOf('first')).toBe('Fixed');
  await home.svc(['sandbox', 'stop', '-p', 'sandbox']);
});

it('needs a folder', async () => {
  const home = openHome();
  writeFileSync(path.join(home.folder, 'one.yaml'), workflow('one', 'One'));
  for (const seed of [[], ['--seed', 'one.yaml'], ['--seed', 'absent']]) {
    const line = ['sandbox', 'start', '--port', '0', '--in-memory', '--watch', ...seed];
    const { code, stderr } = await home.svc(line);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--watch needs --seed with a folder'),
    ]);
  }
});
