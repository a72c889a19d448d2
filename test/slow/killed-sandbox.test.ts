// A sandbox that is killed many times while clients write to it. `npm run chaos` runs a hundred rounds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runChaos } from '../sandbox/chaos.ts';
import { bundleSandbox } from '../sandbox/child.ts';
import { drivers } from '../sandbox/drivers.ts';

const rounds = Number(process.env.CHAOS_ROUNDS ?? 30);

test.each(drivers)(
  'a sandbox with $name loses no acknowledged write when it is killed',
  { timeout: 60_000 + rounds * 5_000 },
  async ({ name }) => {
    const bundled = await bundleSandbox();
    const directory = mkdtempSync(path.join(tmpdir(), 'svc-chaos-'));
    onTestFinished(() => {
      bundled.remove();
      rmSync(directory, { recursive: true, force: true });
    });
    // Without CHAOS_ROUNDS, starts no round after 8 seconds.
    const end = process.env.CHAOS_ROUNDS ? Number.POSITIVE_INFINITY : Date.now() + 8_000;
    const outcome = await runChaos({
      script: bundled.script,
      driver: name,
      directory: path.join(directory, 'sandbox'),
      rounds,
      until: () => Date.now() > end,
      random: Math.random,
    });
    expect(outcome).toMatchObject({ lost: [], repeated: [], integrity: ['ok'] });
    expect(outcome.rounds).toBeGreaterThan(1);
    expect(outcome.acknowledged).toBeGreaterThan(0);
  },
);
