// Proposed commands with ids that look like options. A pasted line must take them as arguments.
import { expect, it } from 'vitest';
import { createPropose } from '../../src/config/propose.ts';
import { shellWord } from '../../src/core/text.ts';
import { openRig } from '../support/rig.ts';

const propose = createPropose({ globals: { profile: 'live' }, env: {} }, () => ({ profiles: {} }));

it.each([
  ['--yes', `svc topics get --profile live -- '--yes'`],
  ['-x', `svc topics get --profile live -- '-x'`],
  ['--profile=other', `svc topics get --profile live -- '--profile=other'`],
  ['news', 'svc topics get news --profile live'],
  ['-', 'svc topics get - --profile live'],
])('the id %s is an argument', (id, line) => {
  expect(propose(`svc topics get ${shellWord(id)}`)).toBe(line);
});

it.each([
  [
    `svc topics subscribe '-t' u1 --create < list.csv`,
    `svc topics subscribe --create --profile live -- '-t' u1 < list.csv`,
  ],
  [
    `svc topics subscribe news '-u' '-v' --json`,
    `svc topics subscribe news --json --profile live -- '-u' '-v'`,
  ],
  // A command that selects no service, and another program.
  [`svc runs delete '-x' --yes`, `svc runs delete --yes -- '-x'`],
  [`chmod 700 '-x'`, `chmod 700 -- '-x'`],
  // The value of an option.
  [`svc activity list --transaction '-x'`, `svc activity list --transaction '-x' --profile live`],
])('%s', (line, expected) => {
  expect(propose(line)).toBe(expected);
});

it('a pasted line reads the resource', async () => {
  const rig = await openRig();
  const id = '--yes';
  expect((await rig.svc(['topics', 'create', '--', id])).code).toBe(0);
  const words = propose(`svc topics get ${shellWord(id)} -o ids`)
    .split(' ')
    .slice(1);
  const pasted = words.filter((word) => !/^--profile$|^live$/.test(word));
  const { code, stdout } = await rig.svc(pasted.map((word) => word.replaceAll("'", '')));
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${id}\n` });
});
