// `svc upgrade check --run`: a command in a sandbox of both versions.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, type Rig, writeInput } from '../../support/rig.ts';

/** Writes a program that sends these requests, one after the other, and prints their statuses. */
function writeProgram(rig: Rig, body: string): string {
  return writeInput(
    rig,
    'program.mjs',
    `
const { NOVU_API_URL: url, NOVU_SECRET_KEY: key } = process.env;
const send = async (method, path, body) => {
  const headers = { authorization: 'ApiKey ' + key, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, ...(await response.json()) };
};
const { data: { info: { apiVersion: { version } } } } = await send('GET', '/v1/health-check');
${body}
`,
  );
}

async function run(rig: Rig, body: string, more: string[] = []) {
  const file = writeProgram(rig, body);
  const line = ['upgrade', 'check', '--from', '3.11', '--run', '--json', ...more];
  const ran = await rig.svc([...line, '--', process.execPath, file]);
  const findings = ran.stdout === '' ? [] : (JSON.parse(ran.stdout) as Record<string, string>[]);
  return { ...ran, findings };
}

describe('the requests of a command', () => {
  it('that both versions answer alike are not listed, whatever their ids and times', async () => {
    const rig = await openRig({ bare: true });
    const { code, findings } = await run(
      rig,
      `
const id = 'u' + Math.random();
await send('POST', '/v2/subscribers', { subscriberId: id });
await send('GET', '/v2/subscribers/' + id);
for (let n = 0; n < (version === '3.11.0' ? 2 : 5); n += 1) await send('GET', '/v2/subscribers/none' + n);
await send('GET', '/v2/topics/none');
`,
    );
    expect(findings.filter(({ id }) => id !== 'other-shape')).toEqual([]);
    expect(code).toBe(0);
  });

  it('that are sent elsewhere are not compared, which a warning says', async () => {
    const rig = await openRig({ bare: true });
    const ran = await rig.svc(['upgrade', 'check', '--from', '3.11', '--run', '--', 'true']);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('Warning: `true` sent no request to the sandbox');
  });

  it('that only the new version rejects must be changed', async () => {
    const rig = await openRig({ bare: true });
    const { code, findings } = await run(
      rig,
      `await send('GET', '/v2/workflows?limit=101'); await send('GET', '/v2/workflows?limit=102');`,
    );
    expect(code).toBe(10);
    expect(findings.filter(({ id }) => id === 'other-status')).toEqual([
      {
        id: 'other-status',
        severity: 'must',
        thing: 'GET /v2/workflows',
        message: '2 requests with status 422 instead of 200: limit must not be greater than 100',
        next: 'svc help upgrade',
      },
    ]);
  });

  it('is found beside a request of the same route that both versions reject', async () => {
    const rig = await openRig({ bare: true });
    const { findings } = await run(
      rig,
      `await send('GET', '/v2/workflows?limit=0'); await send('GET', '/v2/workflows?limit=101');`,
    );
    expect(findings.filter(({ id }) => id === 'other-status')).toHaveLength(1);
  });

  it('have a note for new members, and more for missing ones', async () => {
    const rig = await openRig({ bare: true });
    const { findings } = await run(
      rig,
      `await send('GET', '/v1/environments/api-keys'); await send('GET', '/v1/integrations');`,
    );
    const shapes = findings.filter(({ id }) => id === 'other-shape');
    const integrations = shapes.find(({ thing }) => thing === 'GET /v1/integrations');
    expect(integrations?.severity).toBe('should');
    expect(integrations?.message).toMatch(
      /^Responses with status 200 have .*no data\[\]\.credentials\./,
    );
    expect(shapes.every(({ severity }) => ['should', 'note'].includes(`${severity}`))).toBe(true);
  });

  it('to routes that a sandbox does not have are not compared, which a warning says', async () => {
    const rig = await openRig({ bare: true });
    const publish = '/v2/environments/67748580715b67c40eeeb148/publish';
    const { findings, stderr } = await run(rig, `await send('POST', '${publish}', {});`);
    expect(findings.map(({ id }) => id)).toEqual(['refused-route']);
    expect(stderr).toContain(
      'not compared, because the sandboxes do not have them: POST /v2/environments/{targetEnvironmentId}/publish.',
    );
  });

  it('are checked for deprecated routes, too', async () => {
    const rig = await openRig({ bare: true });
    const { findings } = await run(rig, `await send('GET', '/v1/subscribers');`);
    expect(findings.map(({ id, thing }) => `${id} ${thing}`)).toContain(
      'deprecated-route GET /v1/subscribers',
    );
  });
});

describe('the command', () => {
  it('that fails in the new version only is a finding', async () => {
    const rig = await openRig({ bare: true });
    const { code, findings } = await run(rig, `process.exitCode = version === '3.11.0' ? 0 : 3;`);
    expect([code, findings]).toEqual([
      10,
      [
        {
          id: 'failed-command',
          severity: 'must',
          thing: expect.stringContaining('program.mjs'),
          message: 'It exits with 3 in a sandbox of 3.19, and with 0 in one of 3.11.',
          next: expect.stringMatching(/^svc sandbox exec --service 3\.19 -- .*program\.mjs$/),
        },
      ],
    ]);
  });

  it('must succeed in the present version', async () => {
    const rig = await openRig({ bare: true });
    const { code, stderr, stdout } = await run(rig, 'process.exitCode = 4;');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('exits with 4 in a sandbox of 3.11, so there is nothing to compare');
  });

  it('gets two sandboxes with the same initial data, and the configuration of neither', async () => {
    const rig = await openRig({ bare: true });
    const state = {
      ...{ version: 1, service: '3.11' },
      environments: [{ name: 'Development', topics: [{ key: 'own' }] }],
    };
    writeInput(rig, 'state.json', JSON.stringify(state));
    const { findings, code } = await run(
      rig,
      `
import { appendFileSync } from 'node:fs';
const { data } = await send('GET', '/v2/topics');
appendFileSync('seen', JSON.stringify([version, data.map(({ key }) => key)]) + '\\n');
`.replace(/^import .*$/m, "const { appendFileSync } = await import('node:fs');"),
      ['--seed', 'state.json'],
    );
    expect(code).toBe(0);
    expect(findings.filter(({ id }) => id !== 'other-shape')).toEqual([]);
    expect(readFileSync(path.join(rig.folder, 'seen'), 'utf8')).toBe(
      '["3.11.0",["own"]]\n["3.19.0",["own"]]\n',
    );
  });

  it('that does not exist is an error', async () => {
    const rig = await openRig({ bare: true });
    const line = ['upgrade', 'check', '--from', '3.11', '--run', '--', 'no-such-command'];
    const { code, stderr } = await rig.svc(line);
    expect([code, stderr]).toEqual([
      127,
      expect.stringContaining('The command `no-such-command` does not exist.'),
    ]);
  });

  it('needs the present version, and another one than the new version', async () => {
    const rig = await openRig({ bare: true });
    const command = ['--', 'true'];
    const unknown = await rig.svc(['upgrade', 'check', '--run', ...command]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('--from')]);
    const same = await rig.svc(['upgrade', 'check', '--from', '3.19', '--run', ...command]);
    expect([same.code, same.stderr]).toEqual([
      2,
      expect.stringContaining('have the same version, 3.19, so there is nothing to compare.'),
    ]);
    const line = ['upgrade', 'check', '--from', '3.15', '--to', '3.17', '--run', ...command];
    const between = await rig.svc(line, { tty: 'stderr' });
    expect(between.code).toBe(0);
    expect(between.stderr).toContain('--run compares the sandboxes of 3.11 and 3.19.');
  });
});
