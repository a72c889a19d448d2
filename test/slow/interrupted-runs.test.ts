// Imports that are killed at random points, against an unreliable service, and resumed. At the end the stored
// subscribers match the file and the counts are correct.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { heavyFaults, openChaosProxy, seeded } from '../support/chaos-proxy.ts';
import { testKey } from '../support/fixed.ts';

const rounds = Number(process.env.CHAOS_ROUNDS ?? 25);

interface Row {
  id: string;
  email: string;
  name: string;
}

/** Generates rows. Some have the same id, some are invalid. */
function rowsOf(random: () => number): Row[] {
  const count = 400 + Math.floor(random() * 1_400);
  return Array.from({ length: count }, (_unused, index) => {
    const isDuplicate = random() < 0.1 && index > 0;
    const id = isDuplicate ? Math.floor(random() * index) : index;
    const email = random() < 0.02 ? 'nonsense' : `p${id}@example.com`;
    return { id: `p${id}`, email, name: `N${index}` };
  });
}

const isValid = ({ email }: Row) => email !== 'nonsense';

describe('an import that is killed and resumed', () => {
  it(`stores exactly the rows of the file, in ${rounds} rounds`, { timeout: 900_000 }, async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const random = seeded(round);
      const rows = rowsOf(random);
      const proxy = await openChaosProxy(round, heavyFaults);
      const home = openHome();
      Object.assign(home.env, { SVC_BASE_URL: proxy.baseUrl, SVC_API_KEY: testKey });
      const file = path.join(home.folder, 'users.csv');
      const lines = rows.map(({ id, email, name }) => `${id},${email},${name}`);
      writeFileSync(file, `subscriberId,email,First Name\n${lines.join('\n')}\n`);

      const concurrency = String(1 + Math.floor(random() * 16));
      const first = ['subscribers', 'bulk-import', file, '--json', '--concurrency', concurrency];
      let result = await runOrKill(home.start(first), random() < 0.8 ? random() * 250 : undefined);
      let runId = '';
      for (let attempt = 1; ![0, 3].includes(result.code ?? -1) || runId === ''; attempt += 1) {
        expect(attempt, `round ${round} does not finish: ${result.stderr}`).toBeLessThan(60);
        runId = (await home.svc(['runs', 'list', '-o', 'ids'])).stdout.split('\n')[0] ?? '';
        if (runId === '') result = await runOrKill(home.start(first), undefined);
        else {
          const kill = random() < 0.3 ? random() * 200 : undefined;
          result = await runOrKill(home.start(['runs', 'resume', runId, '--json']), kill);
        }
      }

      const validRows = rows.filter(isValid);
      const expected = new Map(validRows.map(({ id, name }) => [id, name]));
      const stored = proxy.store.sql
        .all<{ subscriber_id: string; body: string }>(
          "SELECT subscriber_id, body FROM subscribers WHERE subscriber_id LIKE 'p%'",
        )
        .map(({ subscriber_id, body }) => [
          subscriber_id,
          (JSON.parse(body) as { firstName: string }).firstName,
        ]);
      expect(Object.fromEntries(stored), `round ${round}`).toEqual(Object.fromEntries(expected));
      expect(JSON.parse(result.stdout), `round ${round}`).toMatchObject({
        rows: rows.length,
        created: expected.size,
        updated: validRows.length - expected.size,
        invalid: rows.length - validRows.length,
        failed: 0,
        unknown: 0,
        stopped: null,
      });
      await proxy.close();
    }
  });
});

type Started = ReturnType<ReturnType<typeof openHome>['start']>;

/** Waits until the run has exited; kills it after this time, if given. */
function runOrKill(run: Started, afterMs: number | undefined) {
  const timer =
    afterMs === undefined ? undefined : setTimeout(() => run.process.kill('SIGKILL'), afterMs);
  return run.ended.finally(() => clearTimeout(timer));
}
