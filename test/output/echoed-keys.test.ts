// A service or gateway that includes the key in its responses: svc neither prints the key nor writes it to a file.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testKey } from '../support/fixed.ts';
import { openNetworkRig } from '../support/network-rig.ts';
import { runParallel } from '../support/parallel.ts';
import { json, openService } from '../support/service.ts';

const forms = [testKey, Buffer.from(testKey).toString('base64').replace(/=+$/, '')];

it.each([
  [302, 7],
  [400, 6],
  [401, 4],
  [403, 4],
  [404, 5],
  [422, 6],
])(
  'the key in a response with status %i is redacted',
  { timeout: 60_000 },
  async (status, exitCode) => {
    const { env } = await openService((_seen, response) => {
      const message = `no such key: authorization=ApiKey ${forms.join(' or ')}`;
      response.setHeader('location', `https://login.example.com/${testKey}`);
      response.setHeader('x-request-id', testKey);
      json(response, status, { statusCode: status, message, errors: { [testKey]: [message] } });
    });
    const home = openNetworkRig();
    writeFileSync(path.join(home.folder, 'users.csv'), 'subscriberId\na\nb\n');
    const lines = [
      'topics list',
      'topics list --json',
      'topics list --debug=body',
      'whoami --json',
      'doctor',
      'events trigger welcome --to u1 --json',
      'api GET /v2/topics --debug=body',
      'subscribers bulk-import users.csv --json',
      'subscribers bulk-import users.csv -o ndjson',
    ];
    const results = await runParallel(lines, async (line) => {
      const { code, stdout, stderr } = await home.svc(line.split(' '), {
        env: { ...env, SVC_MAX_WAIT: '1s' },
      });
      return { line, code, hasKey: forms.some((form) => `${stdout}${stderr}`.includes(form)) };
    });
    expect(results).toEqual(lines.map((line) => ({ line, code: exitCode, hasKey: false })));
    // grep exits with 1 if it finds nothing.
    const search = spawnSync('grep', ['-rlF', testKey, home.folder]);
    expect({ status: search.status, files: search.stdout.toString() }).toEqual({
      status: 1,
      files: '',
    });
  },
);

describe('the key in a successful response is redacted:', () => {
  const message = `no, ApiKey ${testKey}, \\u0030${testKey.slice(1)}`;
  const topic = { _id: '1', key: 'a', name: `named ${testKey}`, note: { message } };
  const listing = {
    data: [topic],
    next: null,
    previous: null,
    totalCount: 1,
    totalCountCapped: false,
  };

  it.each([
    'topics list --json',
    'topics list -o csv',
    'topics get a --json',
    'api GET /v2/topics',
    'api GET /v2/topics --include --debug=body',
    'topics rename a b --json',
    'subscribers bulk-import users.csv -o ndjson',
  ])('%s', async (line) => {
    const { env } = await openService(({ method, target }, response) => {
      response.setHeader('x-echo', `ApiKey ${testKey}`);
      if (target.endsWith('/bulk'))
        json(response, 201, { created: [], updated: [], failed: [{ subscriberId: 'a', message }] });
      else json(response, 200, method === 'GET' && !target.endsWith('/a') ? listing : topic);
    });
    const home = openNetworkRig();
    writeFileSync(path.join(home.folder, 'users.csv'), 'subscriberId\na\n');
    const { stdout, stderr } = await home.svc(line.split(' '), { env });
    expect(stdout).toContain('********');
    expect(`${stdout}${stderr}`).not.toContain(testKey.slice(1));
    const search = spawnSync('grep', ['-rlF', testKey, home.folder]);
    expect({ status: search.status, files: search.stdout.toString() }).toEqual({
      status: 1,
      files: '',
    });
  });
});
