// A resumed export continues only in the environment and with the options that it started with.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../support/fixed.ts';
import { openTwoEnvironments, sentKeys } from '../support/two-environments.ts';

/** Interrupts an export with the profile development. Without `requests`, at its last one. */
async function interrupt(line: readonly string[], more: readonly string[] = []) {
  const opened = await openTwoEnvironments();
  const { rig } = opened;
  const full = [...line, ...more];
  const { requests } = await rig.svc(full);
  rig.pass(requests.length - 1);
  rig.answer({ status: 400, body: { message: 'no' } });
  expect((await rig.svc([...full, '--yes'])).code).toBe(6);
  rig.clearResponses();
  const file = line.at(-1) ?? '';
  const partial = () => readFileSync(path.join(rig.folder, `${file}.partial`), 'utf8');
  const state = () => readFileSync(path.join(rig.folder, `${file}.partial.json`), 'utf8');
  return { ...opened, file, partial, state };
}

const exports = [
  ['activity', 'export', 'a.csv'],
  ['subscribers', 'export', 'a.csv'],
  ['subscribers', 'preferences', 'export', 'a.csv'],
];

describe.each(exports)('svc %s %s %s --resume', (...words) => {
  const line = words.filter((word) => word !== undefined);
  const resume = [...line, '--resume', '--yes'];

  it('refuses another environment of the same address, without a request', async () => {
    const { rig, keyOf, partial } = await interrupt(line);
    const before = partial();
    const variables = { SVC_BASE_URL: baseUrl, SVC_API_KEY: keyOf('production') };
    const others = [
      await rig.svc([...resume, '-p', 'production']),
      await rig.svc(resume, { env: { SVC_PROFILE: 'production' } }),
      await rig.svc(resume, { env: variables }),
    ];
    expect(others.map(({ code, requests }) => ({ code, requests }))).toEqual(
      Array(3).fill({ code: 2, requests: [] }),
    );
    expect(others[0]?.stderr).toBe(
      'Error: The export to a.csv cannot be resumed: the environment changed since it started.\nIt started with profile development. Use --profile development, or the new name of that profile.\n',
    );
    expect(partial()).toBe(before);
    const { code, requests } = await rig.svc(resume);
    expect({ code, keys: sentKeys(requests) }).toEqual({
      code: 0,
      keys: [`ApiKey ${keyOf('development')}`],
    });
  });

  it('refuses a service that is only given by another key, and accepts a new key of the environment', async () => {
    const { rig, edit, state, keyOf } = await interrupt(line);
    expect(state()).not.toContain(keyOf('development'));
    edit(({ profiles: { development } }) => {
      Object.assign(development ?? {}, { key: testKey.replace('0', 'f') });
    });
    rig.answer({ status: 401, body: { message: 'Unauthorized' } });
    expect((await rig.svc(resume)).code).toBe(4);
    edit(({ profiles: { development } }) => {
      delete development?.environmentId;
    });
    const { code, stderr, requests } = await rig.svc(resume);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('the API key changed since it started');
  });

  it('refuses --reveal and --csv-safe if the export started without them', async () => {
    const { rig } = await interrupt(line);
    for (const option of ['--reveal', '--csv-safe']) {
      const { code, stderr, requests } = await rig.svc([...resume, option]);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(stderr).toContain('has other filters or options');
    }
    expect((await rig.svc(resume)).code).toBe(0);
  });

  it('refuses to omit --reveal or --csv-safe, and prints the command with them', async () => {
    const { rig } = await interrupt(line, ['--reveal', '--csv-safe']);
    const { code, stderr, requests } = await rig.svc(resume);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`svc ${line.join(' ')} --reveal --csv-safe --resume\n`);
    expect((await rig.svc([...resume, '--csv-safe', '--reveal'])).code).toBe(0);
  });
});

describe('svc activity export --resume', () => {
  it('accepts the same filters in another order, or none, and refuses others', async () => {
    const line = ['activity', 'export', 'a.csv'];
    const filters = [
      ['--severity', 'none'],
      ['--since', '90d'],
    ];
    const { rig } = await interrupt(line, filters.flat());
    const resume = [...line, '--resume', '--yes', '--retries', '0'];
    const unavailable = { status: 500, body: {} };
    for (const same of [[], filters.flat(), filters.toReversed().flat()]) {
      rig.answer(unavailable);
      const { code } = await rig.svc([...resume, ...same]);
      rig.clearResponses();
      expect({ same, code }).toEqual({ same, code: 7 });
    }
    for (const other of [
      ['--severity', 'none'],
      ['--since', '90d'],
      ['--topic', 'x'],
    ]) {
      const { code, requests } = await rig.svc([...resume, ...other]);
      expect({ other, code, requests }).toEqual({ other, code: 2, requests: [] });
    }
  });
});

describe('svc subscribers export --resume', () => {
  it('refuses other parts than those that it started with', async () => {
    const line = ['subscribers', 'export', 'a.csv'];
    const { rig } = await interrupt(line, ['--with', 'topics']);
    const resume = [...line, '--resume', '--yes'];
    for (const parts of [[], ['--with', 'preferences'], ['--with', 'topics,preferences']]) {
      const { code, stderr, requests } = await rig.svc([...resume, ...parts]);
      expect({ parts, code, requests }).toEqual({
        parts,
        code: expect.toBeOneOf([2, 8]),
        requests: [],
      });
      expect(stderr).not.toBe('');
    }
    expect((await rig.svc([...resume, '--with', 'topics'])).code).toBe(0);
    expect(readFileSync(path.join(rig.folder, 'a.topics.csv'), 'utf8')).toContain('announcements');
  });
});
