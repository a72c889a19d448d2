// The commands that `--dry-run=curl` prints work in a shell, and other users cannot see the key that they send.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openNetworkRig } from '../support/network-rig.ts';
import { json, openService } from '../support/service.ts';

const run = promisify(execFile);

/** The command lines of all processes of the machine. */
const commandLines = () =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
    } catch {
      // The process has ended.
      return [];
    }
  });

it.each(['sh', 'bash'])('works in %s, and no command line contains the key', async (shell) => {
  const key = randomBytes(16).toString('hex');
  const seen: { request: object; lines: string[] }[] = [];
  const service = await openService(({ method, target, headers, body }, response) => {
    const { authorization, 'content-type': type } = headers;
    const request = { method, target, authorization, type, body: JSON.parse(body) };
    seen.push({ request, lines: commandLines() });
    json(response, 200, { data: {} });
  });
  const rig = openNetworkRig();
  const line = ['topics', 'rename', 'announcements', "It's $new", '--dry-run=curl'];
  const { stdout, code } = await rig.svc(line, {
    env: { SVC_BASE_URL: service.baseUrl, SVC_API_KEY: key },
  });
  expect({ code, hasKey: stdout.includes(key) }).toEqual({ code: 0, hasKey: false });
  await run(shell, ['-c', stdout], { env: { PATH: process.env.PATH, SVC_API_KEY: key } });
  expect(seen.map(({ request }) => request)).toEqual([
    {
      method: 'PATCH',
      target: '/v2/topics/announcements',
      authorization: `ApiKey ${key}`,
      type: 'application/json',
      body: { name: "It's $new" },
    },
  ]);
  const [{ lines } = { lines: [] }] = seen;
  expect(
    lines.filter((text) => text.startsWith('curl\0') && text.includes(service.baseUrl)),
  ).toHaveLength(1);
  expect(lines.filter((text) => text.includes(key))).toEqual([]);
});
