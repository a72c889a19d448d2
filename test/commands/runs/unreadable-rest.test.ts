// Inputs that cannot be read to their end: the rows before are sent, the error contains the line and the cause, and the
// advice about resuming is correct.
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const good = '{"subscriberId":"good"}';

describe('a file with an unreadable rest', () => {
  it.each<[string, string, string, string]>([
    [
      'text behind a JSON array',
      'users.json',
      `[${good}]\n\ngarbage`,
      'line 3 has text after the end of the JSON array: `garbage`.',
    ],
    [
      'a second JSON array',
      'users.json',
      `[${good}]\n[${good}]`,
      'line 2 has text after the end of the JSON array: `[{"subscriberId":"go`.',
    ],
    [
      'a truncated JSON array',
      'users.json',
      `[${good},\n{"subscriberId":"c`,
      'it ends inside the element that starts on line 2.',
    ],
    [
      'a JSON array truncated between elements',
      'users.json',
      `[${good},\n`,
      'it ends on line 2 without the closing `]` of the JSON array.',
    ],
    [
      'a CSV file with an unclosed quote',
      'users.csv',
      'subscriberId,firstName\ngood,x\nb,"y\nc,z\n',
      'the quote that opens on line 3 is not closed.',
    ],
  ])('is imported as far as possible: %s', async (_name, name, text, why) => {
    const rig = await openRig();
    const file = writeInput(rig, name, text);
    const ran = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
    expect(ran.code).toBe(3);
    const summary = parsed(ran.stdout);
    expect(summary).toMatchObject({ rows: 1, created: 1, stopped: { line: expect.any(Number) } });
    const error = printedError(ran.stderr);
    expect(error.message).toBe(`${file} cannot be read to the end: ${why}`);
    expect(error.hint).toContain('Fix the input and import it again.');
    expect(ran.stderr).not.toContain('runs resume');
    // Later output agrees: the run is finished.
    const shown = await rig.svc(['runs', 'show', String(summary.runId), '--json'], { tty: true });
    expect(parsed(shown.stdout)).toMatchObject({ state: 'finished' });
    expect(shown.stderr).toBe('');
    const resumed = await rig.svc(['runs', 'resume', String(summary.runId), '--json']);
    expect(resumed).toMatchObject({ code: 3, requests: [] });
    expect(parsed(resumed.stdout)).toEqual({ ...parsed(ran.stdout), alreadyFinished: true });
    expect(resumed.stderr).toContain('cannot be read to the end');
  });

  it.each<[string, string, string, number]>([
    ['exits with 2 if nothing was sent', '[\n', 'u1', 2],
    ['exits with 2 if all rows before are invalid', '[{"subscriberId":7},', 'u1', 2],
    ['exits with 6 if the service rejected all rows before', `[${good},`, 'other', 6],
    ['exits with 3 if a row before succeeded', `[${good},`, 'good', 3],
  ])('%s', async (_name, text, created, code) => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.json', text);
    rig.answer({ status: 201, body: { created: [{ subscriberId: created }] } });
    const ran = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
    expect(ran.code).toBe(code);
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { code, message: expect.stringContaining('cannot be read to the end') },
    });
  });

  it('exits with 2 if --validate-only finds no valid row, with 3 if it finds some', async () => {
    const rig = await openRig();
    const check = async (text: string) =>
      (
        await rig.svc(
          words`subscribers bulk-import --validate-only ${writeInput(rig, 'users.json', text)}`,
        )
      ).code;
    expect(await check(`[{"subscriberId":7}`)).toBe(2);
    expect(await check(`[{"subscriberId":7},${good}`)).toBe(3);
  });
});
