// `svc subscribers bulk-import` with the built program, into a sandbox that stores its data on disk.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { controlAt } from '../support/control.ts';
import { words } from '../support/words.ts';

const csv = (count: number, change: (row: string[], index: number) => string[] = (row) => row) =>
  `id,Email,First Name,data.plan\n${Array.from({ length: count }, (_unused, index) =>
    change([`user-${index}`, `user-${index}@example.com`, `Name ${index}`, 'pro'], index).join(','),
  ).join('\n')}\n`;

/** Waits until the sandbox has at least this number of subscribers. */
const hasSubscribers = (sandbox: { baseUrl: string; key: string }, count: number) =>
  expect
    .poll(async () => (await controlAt(sandbox).status()).subscribers, {
      timeout: 15_000,
      interval: 20,
    })
    .toBeGreaterThanOrEqual(count);

describe('svc subscribers bulk-import', () => {
  it('creates rows, updates them, and writes invalid rows to a file that can be fixed and imported', async () => {
    const home = openHome();
    await home.sandbox(['--data', path.join(home.folder, 'data')]);
    const users = path.join(home.folder, 'users.csv');
    const line = ['subscribers', 'bulk-import', users, '--map', 'subscriberId=id', '--json'];
    writeFileSync(users, csv(1000));
    const first = await home.svc(line);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      rows: 1000,
      created: 1000,
      rejects: null,
      stopped: null,
    });
    expect(JSON.parse((await home.svc(line)).stdout)).toMatchObject({ created: 0, updated: 1000 });

    writeFileSync(
      users,
      csv(1000, (row, index) => (index % 200 === 7 ? [row[0] ?? '', 'nonsense', '', ''] : row)),
    );
    const mixed = await home.svc(line);
    expect(mixed.code).toBe(3);
    const summary = JSON.parse(mixed.stdout) as { rejects: string };
    expect(summary).toMatchObject({ rows: 1000, updated: 995, invalid: 5 });
    const rejects = readFileSync(summary.rejects, 'utf8');
    expect(rejects.split('\n')[1]).toBe('9,email: not an e-mail address,user-7,nonsense,,');
    writeFileSync(users, rejects.replaceAll('nonsense', 'fixed@example.com'));
    expect(JSON.parse((await home.svc(line)).stdout)).toMatchObject({
      rows: 5,
      updated: 5,
      invalid: 0,
    });
  });

  it('loses no acknowledged row when the sandbox is killed and restarted', async () => {
    const home = openHome();
    const data = ['--data', path.join(home.folder, 'data')];
    const users = path.join(home.folder, 'users.csv');
    writeFileSync(users, csv(6_000));
    const sandbox = await home.sandbox(data);
    const run = home.start(words`
      subscribers bulk-import ${users} --map subscriberId=id --json --retries 0 --concurrency 2
    `);
    await hasSubscribers(sandbox, 1_000);
    sandbox.process.kill('SIGKILL');
    const { code, stdout } = await run.ended;
    const { created, stopped } = JSON.parse(stdout) as { created: number; stopped: unknown };
    expect({ code, stopped: stopped !== null }).toEqual({ code: 7, stopped: true });
    await home.sandbox(data);
    const second = JSON.parse(
      (await home.svc(['subscribers', 'bulk-import', users, '--map', 'subscriberId=id', '--json']))
        .stdout,
    ) as { created: number; updated: number };
    expect(second.updated).toBeGreaterThanOrEqual(created);
    expect(second.created + second.updated).toBe(6_000);
  });

  it('finishes requests in flight after one Ctrl-C, prints the summary and exits with 130', async () => {
    const home = openHome();
    const sandbox = await home.sandbox();
    const run = home.start(['subscribers', 'bulk-import', '-', '--format', 'ndjson', '--json'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (let index = 0; index < 1500; index += 1)
      run.process.stdin?.write(`{"subscriberId":"u${index}"}\n`);
    await hasSubscribers(sandbox, 1_000);
    run.process.kill('SIGINT');
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    const summary = JSON.parse(stdout) as {
      rows: number;
      created: number;
      updated: number;
      stopped: { reason: string };
    };
    expect(summary.stopped.reason).toBe('interrupted');
    expect(summary.created + summary.updated).toBeGreaterThanOrEqual(1000);
  });
});
