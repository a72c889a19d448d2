// Sandboxes that a test has stopped leave nothing in the memory of its process.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const count = 60;
const script = `
const { startSandbox } = require(${JSON.stringify(path.resolve('dist/testing.cjs'))});
const step = { stepId: 'wait', name: 'Wait', type: 'delay' };
const workflow = {
  workflowId: 'wait',
  name: 'Wait',
  steps: [{ ...step, controlValues: { type: 'regular', amount: 1, unit: 'days' } }],
};
const seed = { version: 1, environments: [{ name: 'Development', workflows: [workflow] }] };
async function startAndStop(listen) {
  const sandbox = await startSandbox({ seed, listen });
  const response = await sandbox.fetch('/v1/events/trigger', {
    method: 'POST',
    headers: { authorization: 'ApiKey ' + sandbox.key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'wait', to: 'u1', payload: {} }),
  });
  if (!response.ok) throw new Error(await response.text());
  await sandbox.stop();
  return new WeakRef(sandbox);
}
async function run(listen) {
  const refs = [];
  for (let index = 0; index < ${count}; index += 1) refs.push(await startAndStop(listen));
  await new Promise(setImmediate);
  gc();
  await new Promise(setImmediate);
  gc();
  return { left: refs.filter((ref) => ref.deref()).length, heap: process.memoryUsage().heapUsed };
}
(async () => {
  const listen = process.argv[2] === 'port';
  const { heap } = await run(listen);
  const { left, heap: after } = await run(listen);
  console.log(JSON.stringify({ left, bytes: (after - heap) / ${count} }));
})();
`;

test.each(['port', 'no port'])('with a pending delay and %s', (port) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-stopped-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'run.cjs');
  writeFileSync(file, script);
  const printed = execFileSync(process.execPath, ['--expose-gc', file, port], { encoding: 'utf8' });
  const { left, bytes } = JSON.parse(printed) as { left: number; bytes: number };
  expect(left).toBeLessThanOrEqual(1);
  expect(bytes).toBeLessThan(20_000);
});
