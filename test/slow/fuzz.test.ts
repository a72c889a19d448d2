// Fuzz tests: for any command line, configuration, file or response, svc exits with a documented code and a message,
// never with a stack trace. Seeded; `npm run fuzz` uses more runs.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/core/errors.ts';
import { openRig, type Ran } from '../support/rig.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 150);
const seed = Number(process.env.FUZZ_SEED ?? 20260115);
const settings = { numRuns: runs, seed };
const timeout = 60_000 + runs * 100;

const codes = new Set<number>(Object.values(exitCodes).map(({ code }) => code));

/** Expects a documented exit code other than `bug`, and no stack trace or internal error text. */
function expectSane({ code, stdout, stderr }: Ran) {
  expect(codes).toContain(code);
  expect(code, stderr).not.toBe(exitCodes.bug.code);
  expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at \S+ \(?\S+:\d+:\d+\)?/);
  expect(stderr).not.toMatch(/\[object Object\]|undefined is not|Cannot read propert/);
}

const words = fc.constantFrom(
  ...'topics list get rename subscribe workflows step contexts inbox mark events trigger cancel activity integrations update delete enable environments create subscribers bulk-import credentials set preferences profiles use show runs resume config path schema commands completion bash doctor whoami help api GET POST /v2/topics u1 announcements welcome tenant:org-acme read - -- --all --json -o ids yaml csv --limit 5 0 -1 --page-size --fields key,name --jq .[0] . --dry-run --dry-run=curl --yes --no-input --quiet --debug --debug=body --profile nope --timeout 1ms --retries --to --file --recipients --payload {} [] {"a":1} @nothing -f a=b a.b=c -F x:=1 x:=y --since 2h never --color always --reveal --after --before --order asc --include-cursor --wait=settled --hours mon-fri=off --provider slack --credential apiKey=x'.split(
    ' ',
  ),
);
const word = fc.oneof(
  { weight: 8, arbitrary: words },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);

describe('arbitrary input', () => {
  it('on the command line results in a documented exit code', { timeout }, async () => {
    const { svc } = await openRig();
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (argv) => {
        if (argv.some((word) => ['sandbox', 'demo'].includes(word))) return;
        expectSane(await svc(argv));
      }),
      settings,
    );
  });

  it('in the configuration file is reported with its path, and `config path` still works', {
    timeout,
  }, async () => {
    const rig = await openRig({ bare: true });
    const folder = path.join(rig.folder, 'config');
    mkdirSync(folder, { mode: 0o700 });
    const file = path.join(folder, 'config.json');
    const json = fc.json().map((text) => Buffer.from(text));
    const similar = fc
      .record(
        { current: fc.jsonValue(), profiles: fc.jsonValue(), settings: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((value) => Buffer.from(JSON.stringify(value)));
    const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, similar, bytes), async (content) => {
        writeFileSync(file, content, { mode: 0o600 });
        for (const line of [
          ['topics', 'list'],
          ['profiles', 'list', '--json'],
          ['config', 'list'],
        ]) {
          const ran = await rig.svc(line);
          expectSane(ran);
          if (ran.code === exitCodes.local.code) {
            refused += 1;
            expect(ran.stderr).toContain(file);
          }
        }
        expect((await rig.svc(['config', 'path'])).code).toBe(0);
      }),
      { ...settings, numRuns: Math.ceil(runs / 3) },
    );
    expect(refused).toBeGreaterThan(0);
  });

  it('in a file of rows gets one outcome per row', { timeout }, async () => {
    const rig = await openRig();
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 120 }).map((array) => Buffer.from(array)),
      fc
        .string({ unit: 'binary', maxLength: 80 })
        .map((text) => Buffer.from(`subscriberId,email\n${text}`)),
      fc
        .array(fc.json({ maxDepth: 2 }), { maxLength: 6 })
        .map((lines) => Buffer.from(lines.join('\n'))),
    );
    let summaries = 0;
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom('csv', 'ndjson', 'json'), async (content, format) => {
        const file = path.join(rig.folder, `rows.${format}`);
        writeFileSync(file, content);
        const ran = await rig.svc([
          'subscribers',
          'bulk-import',
          file,
          '--json',
          '--data-rest',
          '-q',
        ]);
        expectSane(ran);
        if (ran.stdout !== '') {
          summaries += 1;
          const { rows, created, updated, failed, invalid, skipped, unknown } = JSON.parse(
            ran.stdout,
          ) as Record<string, number>;
          expect(rows).toBe(
            [created, updated, failed, invalid, skipped, unknown].reduce(
              (sum = 0, count = 0) => sum + count,
              0,
            ),
          );
        }
      }),
      { ...settings, numRuns: Math.ceil(runs / 2) },
    );
    expect(summaries).toBeGreaterThan(0);
  });

  it('in a response is accepted or reported as invalid', { timeout }, async () => {
    const lines = [
      ['topics', 'list'],
      ['topics', 'get', 'k'],
      ['workflows', 'get', 'w'],
      ['workflows', 'list', '--json'],
      ['activity', 'list', '--limit', '5'],
      ['activity', 'get', 't'],
      ['inbox', 'list', 'u1', '-o', 'csv'],
      ['environments', 'list'],
      ['subscribers', 'preferences', 'get', 'u1'],
      ['contexts', 'list', '-o', 'ids'],
      ['events', 'trigger', 'w', '--to', 'u1'],
      ['integrations', 'delete', 'a'.repeat(24), '--yes'],
    ];
    const inner = fc.jsonValue({ maxDepth: 3 });
    const responseBody = fc.oneof(
      inner,
      fc.record(
        {
          data: fc.oneof(inner, fc.array(inner, { maxLength: 3 })),
          next: inner,
          hasMore: inner,
          totalCount: inner,
        },
        { requiredKeys: [] },
      ),
      fc.record({ workflows: fc.array(inner, { maxLength: 3 }), totalCount: inner }),
    );
    const rig = await openRig();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...lines),
        responseBody,
        fc.constantFrom(200, 200, 200, 201, 204, 400, 404, 422),
        fc.boolean(),
        async (line, body, status, tty) => {
          rig.answer(...Array.from({ length: 8 }, () => ({ status, body })));
          expectSane(await rig.svc([...line, '--retries', '0'], { tty }));
          rig.clearResponses();
        },
      ),
      { ...settings, numRuns: runs * 2 },
    );
  });
});
