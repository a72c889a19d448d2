// A payload schema with a pattern that would take years: signals and `svc sandbox stop` work meanwhile.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

const seed = `version: 1
environments:
  - name: Development
    workflows:
      - workflowId: slow
        validatePayload: true
        payloadSchema: { properties: { code: { type: string, pattern: "^(a+)+$" } } }
        steps: [{ stepId: sms, type: sms, controlValues: { body: "{{payload.code}}" } }]
`;
const code = `${'a'.repeat(50)}!`;

async function openSlow() {
  const home = openHome();
  const file = path.join(home.folder, 'seed.yaml');
  writeFileSync(file, seed);
  const sandbox = await home.sandbox(['--in-memory', '--seed', file]);
  return { ...home, ...sandbox };
}

it('--validate-only ends with a signal', async () => {
  const home = await openSlow();
  const line = ['events', 'trigger', 'slow', '--recipients', '-', '--validate-only'];
  const run = home.start(line, { stdio: ['pipe', 'pipe', 'pipe'] });
  const { stdin } = run.process;
  stdin?.write('subscriberId,payload.code\n');
  // The rows are more than a pipe contains, so the command has checked some of them when it takes more.
  for (let chunk = 0; chunk < 5; chunk += 1)
    if (!stdin?.write(`u1,${code}\n`.repeat(5_000))) await once(stdin as Writable, 'drain');
  run.process.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
});

it('the sandbox responds to other requests, and stops', async () => {
  const { svc } = await openSlow();
  const trigger = svc(['events', 'trigger', 'slow', '--to', 'u1', '-f', `code=${code}`, '--yes']);
  expect((await svc(['workflows', 'list', '-o', 'ids'])).stdout).toBe('slow\n');
  expect(await trigger).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('must match pattern "^(a+)+$", which takes too long'),
  });
  const again = svc(['events', 'trigger', 'slow', '--to', 'u1', '-f', `code=${code}`, '--yes']);
  expect(await svc(['sandbox', 'stop'])).toMatchObject({ code: 0 });
  // Depends on whether the request came first.
  expect([6, 7]).toContain((await again).code);
});
