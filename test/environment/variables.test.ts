// Variables of an environment in its folder: variables.yaml, on servers since 3.15.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openRig, parsed } from '../support/rig.ts';
import { createVariables319 } from '../support/variables-319.ts';

async function openEnvironment() {
  const rig = await openRig();
  const [own, other] = JSON.parse((await rig.svc(['environments', 'list', '--json'])).stdout);
  const { all, answer } = createVariables319(own._id);
  all.push({ key: 'BASE_URL', isSecret: false, values: { [own._id]: 'https://a.example' } });
  all.push({ key: 'apiToken', isSecret: true, values: { [own._id]: 'old' } });
  all.push({ key: 'ELSEWHERE', isSecret: false, values: { [other._id]: 'x' } });
  rig.answerBy(answer);
  const file = path.join(rig.folder, 'env', 'variables.yaml');
  const svc = (line: string, options = {}) => rig.svc(line.split(' '), options);
  const push = (more = '', env = {}) =>
    svc(`environments push env --only variables --yes --json${more}`, { env });
  const pull = await svc('environments pull env --only variables,topics');
  expect(pull.code).toBe(0);
  return {
    ...{ rig, all, own: own._id as string, other: other._id as string, file, svc, push },
    read: () => readFileSync(file, 'utf8'),
    write: (...items: string[]) =>
      writeFileSync(file, ['# svc variables, format 1', ...items, ''].join('\n')),
  };
}

it('a pull writes the values of the environment, and references for secrets', async () => {
  const { read, svc, rig } = await openEnvironment();
  expect(read()).toBe(
    [
      '# svc variables, format 1',
      '- key: BASE_URL',
      '  value: https://a.example',
      '- key: apiToken',
      '  isSecret: true',
      '  value:',
      '    $env: API_TOKEN',
      '',
    ].join('\n'),
  );
  expect(readFileSync(path.join(rig.folder, 'env', 'environment.yaml'), 'utf8')).toContain(
    '- variables',
  );
  const text = read().replace('API_TOKEN', 'MY_TOKEN');
  writeFileSync(path.join(rig.folder, 'env', 'variables.yaml'), text);
  expect((await svc('environments pull env --only variables')).code).toBe(0);
  expect(read()).toBe(text);
  expect((await svc('diff env --only variables')).code).toBe(0);
});

it('a push creates and changes values, and keeps secrets unless asked', async () => {
  const { all, own, other, write, push } = await openEnvironment();
  write(
    ...['- key: BASE_URL', '  value: https://b.example', '- key: ELSEWHERE', '  value: "5"'],
    ...['- {key: apiToken, isSecret: true, value: {$env: API_TOKEN}}'],
    ...['- {key: NEW, isSecret: true, value: {$env: NEW_SECRET}}'],
  );
  const missing = await push();
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('"field":"NEW_SECRET","message":"of variable NEW"');
  const { code, stdout, stderr } = await push('', { NEW_SECRET: 's3cret-new' });
  expect({ code, leaks: `${stdout}${stderr}`.includes('s3cret-new') }).toEqual({
    ...{ code: 0, leaks: false },
  });
  const result = parsed(stdout) as { plan: object[] };
  expect(result.plan).toMatchObject([
    { id: 'BASE_URL', action: 'update', changes: [{ path: 'value', to: 'https://b.example' }] },
    { id: 'ELSEWHERE', action: 'create' },
    { id: 'NEW', action: 'create', credentials: 'differ' },
    { id: 'apiToken', action: 'unchanged', credentials: 'unknown' },
  ]);
  expect(Object.fromEntries(all.map(({ key, values }) => [key, values]))).toEqual({
    BASE_URL: { [own]: 'https://b.example' },
    apiToken: { [own]: 'old' },
    ELSEWHERE: { [own]: '5', [other]: 'x' },
    NEW: { [own]: 's3cret-new' },
  });
  await push(' --with-credentials', { NEW_SECRET: 's3cret-new', API_TOKEN: 'changed' });
  expect(all[1]?.values).toEqual({ [own]: 'changed' });
});

it('a push with --delete removes the values of the environment only', async () => {
  const { all, own, other, write, push } = await openEnvironment();
  if (all[0]) all[0].values[other] = 'kept';
  write('[]');
  expect((await push(' --delete')).code).toBe(0);
  expect(all.map(({ key }) => key)).toEqual(['BASE_URL', 'ELSEWHERE']);
  expect(all[0]?.values[own]).toBeUndefined();
});

it('a secret stays a secret, and needs a value when it is new', async () => {
  const { write, push } = await openEnvironment();
  write('- {key: apiToken, value: plain}', '- {key: OTHER, isSecret: true}');
  const { code, stderr } = await push();
  expect(code).toBe(2);
  expect(stderr).toContain('the variable exists and is a secret, which an API key cannot change');
  expect(stderr).toContain('the file has no value for the secret; add value: {$env: NAME}');
});

it.each([
  ['- {key: A, isSecret: true, value: s3cret}', 'value is secret: write {$env: NAME}'],
  ['- {key: A, value: {$env: B}}', 'value is a reference, so the variable must have isSecret'],
  ['- {key: A, isSecret: true, value: {$env: SVC_API_KEY}}', 'refers to a variable of svc itself'],
  ['- {key: A, value: 5}', 'value must be a text; put numbers in quotes'],
  ['- {key: 1A, value: x}', 'must start with a letter and contain only letters, digits and _'],
  ['- {key: A, value: x}\n- {key: A, value: y}', 'A is a duplicate'],
])('variables.yaml with %s is refused', async (item, message) => {
  const { write, push } = await openEnvironment();
  write(item);
  const { code, stderr } = await push();
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('s3cret');
});

it('a folder from an older server has no variables, and a note only if there were some', async () => {
  const rig = await openRig();
  const { stderr } = await rig.svc(['environments', 'pull', 'old']);
  expect(stderr).not.toContain('variables');
  expect(existsSync(path.join(rig.folder, 'old', 'variables.yaml'))).toBe(false);
  const { svc, rig: newer } = await openEnvironment();
  newer.answerBy(() => undefined);
  const again = await svc('environments pull env');
  expect(again.stderr).toContain('Not pulled: variables, which a server does not offer.');
});

it('the backup of a push restores the values that it replaced', async () => {
  const { all, own, write, push, svc } = await openEnvironment();
  write('- key: BASE_URL', '  value: https://b.example');
  const { stdout } = await svc('environments push env --only variables --yes', { tty: true });
  const [, folder = ''] = /svc environments push (\S+)/.exec(stdout) ?? [];
  expect(folder).not.toBe('');
  await push();
  expect((await svc(`environments push ${folder} --yes`)).code).toBe(0);
  expect(all[0]?.values[own]).toBe('https://a.example');
});
