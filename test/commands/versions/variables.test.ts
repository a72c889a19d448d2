// The variables of an environment, which servers have since 3.15.
import { expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { createVariables319 } from '../../support/variables-319.ts';

async function openVariables(used?: Record<string, string[]>) {
  const rig = await openRig();
  const [own, other] = JSON.parse((await rig.svc(['environments', 'list', '--json'])).stdout);
  const { all, answer } = createVariables319(own._id, used);
  all.push({ key: 'BASE_URL', isSecret: false, values: { [own._id]: 'https://a.example' } });
  all.push({ key: 'TOKEN', isSecret: true, values: { [own._id]: 'old', [other._id]: 'kept' } });
  rig.answerBy(answer);
  const svc = (line: string, options = {}) =>
    rig.svc(['environments', 'variables', ...line.split(' ')], options);
  return { rig, all, own: own._id as string, svc };
}

it('list and get show the values of the environment, without those of secrets', async () => {
  const { svc } = await openVariables();
  const table = await svc('list', { tty: true });
  expect(table.stdout).toMatch(/BASE_URL +https:\/\/a\.example +false/);
  expect(table.stdout).toMatch(/TOKEN +•+ +true/);
  expect((await svc('list --search tok -o ids')).stdout).toBe('TOKEN\n');
  const { stdout } = await svc('get BASE_URL --jq .values[0].value');
  expect(stdout).toBe('https://a.example\n');
  expect((await svc('get NOPE')).code).toBe(5);
});

it('set creates a variable, and changes the value of an existing one', async () => {
  const { svc, all, own } = await openVariables();
  const created = await svc('set NAME --value Acme --json');
  expect({ code: created.code, value: parsed(created.stdout) }).toMatchObject({
    code: 0,
    value: { key: 'NAME', isSecret: false, values: [{ value: 'Acme' }] },
  });
  expect(created.requests.at(-1)?.body).toEqual({
    key: 'NAME',
    values: [{ _environmentId: own, value: 'Acme' }],
  });
  const changed = await svc('set BASE_URL --value https://b.example');
  expect(changed.requests.at(-1)).toMatchObject({
    line: 'PATCH /v1/environment-variables/BASE_URL',
    body: { values: [{ _environmentId: own, value: 'https://b.example' }] },
  });
  expect(all.map(({ key }) => key)).toEqual(['BASE_URL', 'TOKEN', 'NAME']);
});

it.each([
  ['-', { stdin: 'n3w-secret\n' }],
  ['env:MY_TOKEN', { env: { MY_TOKEN: 'n3w-secret' } }],
  ['@token.txt', {}],
])('the value of a secret comes from %s, and is never printed', async (source, options) => {
  const { rig, svc, all, own } = await openVariables();
  writeInput(rig, 'token.txt', 'n3w-secret\n');
  for (const more of ['', ' --json', ' --dry-run', ' --debug', ' --debug=body']) {
    const { code, stdout, stderr } = await svc(`set TOKEN --value ${source}${more}`, options);
    expect({ code, leaks: `${stdout}${stderr}`.includes('n3w-secret') }).toEqual({
      code: 0,
      leaks: false,
    });
  }
  expect(all[1]?.values[own]).toBe('n3w-secret');
});

it.each([
  [
    'set TOKEN --value n3w-secret',
    'TOKEN is a secret, so its value must not be in the command line',
  ],
  ['set NEW --secret --value n3w-secret', 'NEW is a secret'],
  [
    'set BASE_URL --secret --value env:HOME',
    'BASE_URL is not a secret, and an API key cannot change',
  ],
  ['set 1-bad --value x', '`1-bad` is not a key'],
  ['set NEW', '--value is missing'],
  [`set NEW --value ${'x'.repeat(257)}`, 'The value of NEW has 257 characters: the limit is 256.'],
])('svc environments variables %s is refused', async (line, message) => {
  const { svc } = await openVariables();
  const { code, stderr, requests } = await svc(line, { env: { HOME: 'x' } });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('n3w-secret');
  expect(requests.filter((one) => !one.line.startsWith('GET'))).toEqual([]);
});

it('delete names the workflows that use a variable, and keeps the values of other environments', async () => {
  const { svc, all, own } = await openVariables({ BASE_URL: ['welcome'] });
  const refused = await svc('delete BASE_URL TOKEN');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('BASE_URL is used by 1 workflow: welcome.');
  const { code, stdout } = await svc('delete BASE_URL TOKEN NOPE --yes --json');
  expect({ code, value: parsed(stdout) }).toMatchObject({
    code: 3,
    value: [
      { key: 'BASE_URL', deleted: true },
      { key: 'TOKEN', deleted: true },
      { key: 'NOPE', deleted: false },
    ],
  });
  expect(all.map(({ key, values }) => [key, Object.values(values)])).toEqual([['TOKEN', ['kept']]]);
  expect(all[0]?.values[own]).toBeUndefined();
});

it('usage lists the workflows', async () => {
  const { svc } = await openVariables({ BASE_URL: ['welcome', 'digest'] });
  expect((await svc('usage BASE_URL -o ids')).stdout).toBe('welcome\ndigest\n');
});

it('an older server does not have them', async () => {
  const rig = await openRig();
  const { code, stderr } = await rig.svc(['environments', 'variables', 'list']);
  expect(code).toBe(5);
  expect(stderr).toContain('This server does not offer GET /v1/environment-variables');
});
