// Malformed keys: svc rejects them without sending or printing them.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testKey } from '../support/fixed.ts';
import { openNetworkRig } from '../support/network-rig.ts';
import { json, nothing, openService } from '../support/service.ts';

const canary = 'canary0123456789';
const malformed = (source: string) =>
  `${source} does not contain a valid API key: it has whitespace, line breaks or non-ASCII characters.`;

describe('a key that is not valid in an HTTP header', () => {
  it.each([
    ['a line feed', `${canary}\nx-evil: 1`],
    ['a carriage return', `${canary}\rx-evil: 1`],
    ['both', `${canary}\r\nx-evil: 1`],
    ['a space', `${canary} 1`],
    ['a tab', `${canary}\t1`],
    ['non-ASCII letters', `${canary}ключ`],
    ['an emoji', `${canary}🔑`],
    ['a byte order mark inside', `${canary}\ufeff1`],
    ['an escape', `${canary}\u001b[2J`],
  ])('is rejected and not printed: %s', async (_name, text) => {
    const { baseUrl, seen } = await openService(nothing);
    const home = openNetworkRig();
    const file = path.join(home.folder, 'key');
    writeFileSync(file, text);
    const env = { SVC_BASE_URL: baseUrl };
    const line = ['topics', 'list'];
    const login = ['login', '--with-key', '--base-url', baseUrl];
    const results = await Promise.all([
      ...[[], ['--debug=body'], ['--json'], ['--all']].map((more) =>
        home.svc([...line, ...more], { env: { ...env, SVC_API_KEY: text } }),
      ),
      home.svc([...line, '--api-key-file', file], { env }),
      home.svc([...line, '--api-key-file', '-'], { env, stdin: text }),
      home.svc(login, { stdin: text }),
    ]);
    const sources = [
      ...Array<string>(4).fill('SVC_API_KEY'),
      ...Array<string>(2).fill('--api-key-file'),
      'Standard input',
    ];
    for (const [index, { code, stdout, stderr }] of results.entries()) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(malformed(sources[index] ?? ''));
      expect(stderr).not.toContain('canary');
    }
    expect(seen).toEqual([]);
  });
});

describe('a line break at the end of a key', () => {
  it.each(['\n', '\r\n', '\n\n'])('is removed, from every source of keys: %j', async (end) => {
    const { baseUrl, seen } = await openService(({ target }, response, requests) =>
      target.startsWith('/v1/environments')
        ? json(response, 200, [])
        : nothing({ target } as never, response, requests),
    );
    const home = openNetworkRig();
    const text = `${testKey}${end}`;
    const file = path.join(home.folder, 'key');
    writeFileSync(file, text);
    const env = { SVC_BASE_URL: baseUrl };
    const line = ['topics', 'list'];
    const login = ['login', '--with-key', '--profile', 'main', '--base-url', baseUrl];
    const results = await Promise.all([
      home.svc(line, { env: { ...env, SVC_API_KEY: text } }),
      home.svc([...line, '--api-key-file', file], { env }),
      home.svc([...line, '--api-key-file', '-'], { env, stdin: text }),
      home.svc(login, { stdin: text }),
    ]);
    results.push(await home.svc(line));
    expect(results.map(({ code, stderr }) => ({ code, stderr: code === 0 ? '' : stderr }))).toEqual(
      Array(5).fill({ code: 0, stderr: '' }),
    );
    // A login also reads the version of the server.
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(
      Array(6).fill(`ApiKey ${testKey}`),
    );
  });
});
