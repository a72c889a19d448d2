// The common content of all events of a run stays the same when the run is resumed, with the whole program.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sentEvents } from '../../support/requests.ts';
import { openRig, parsed, type Ran, type Rig, writeInput } from '../../support/rig.ts';
import { runFolder, unauthorized } from '../../support/runs.ts';

const recipients = `subscriberId\n${Array.from({ length: 250 }, (_unused, index) => `u${index}`).join('\n')}\n`;

/** Starts a run that stops after its first request. Returns its command without `--yes`, and its id. */
async function startStoppedRun(rig: Rig, more: string[], stdin?: string) {
  const csv = writeInput(rig, 'users.csv', recipients);
  const line = ['events', 'trigger', 'welcome', '--recipients', csv, '--concurrency', '1', ...more];
  rig.answerWrites('sandbox', unauthorized);
  const input = stdin === undefined ? {} : { stdin };
  const { code, stdout } = await rig.svc([...line, '--yes', '--json'], input);
  expect(code).toBe(4);
  return { line, runId: String(parsed(stdout).runId) };
}

const sentContents = ({ requests }: Ran) => {
  const events = sentEvents(requests);
  return [
    ...new Set(events.map(({ payload, overrides }) => JSON.stringify({ payload, overrides }))),
  ];
};

describe('a resumed run of events', () => {
  it.each(['payload', 'overrides'])('is refused if the file of --%s was changed', async (name) => {
    const rig = await openRig();
    const file = writeInput(rig, 'content.json', '{"email":{"n":1}}');
    const { runId } = await startStoppedRun(rig, [`--${name}`, `@${file}`]);
    writeFileSync(file, '{"email":{"n":2}}');
    const { code, stderr, requests } = await rig.svc(['runs', 'resume', runId]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`Run ${runId} cannot be resumed: --${name} changed since it started.`);
    writeFileSync(file, '{"email":{"n":1}}');
    expect((await rig.svc(['runs', 'resume', runId])).code).toBe(0);
  });

  it('finds the file of --payload from any folder', async () => {
    const rig = await openRig();
    writeInput(rig, 'content.json', '{"n":1}');
    const { runId } = await startStoppedRun(rig, ['--payload', '@content.json']);
    const ran = await rig.svc(['runs', 'resume', runId], { cwd: '/' });
    expect({ code: ran.code, contents: sentContents(ran) }).toEqual({
      code: 0,
      contents: ['{"payload":{"n":1}}'],
    });
  });

  it('sends the original --payload of standard input, and is refused with another one', async () => {
    const rig = await openRig();
    const { line, runId } = await startStoppedRun(
      rig,
      ['--payload', '-', '-f', 'b=x'],
      '{"n":1}\n',
    );
    const other = await rig.svc([...line, '--resume', runId, '--yes'], { stdin: '{"n":2}\n' });
    expect({ code: other.code, requests: other.requests }).toEqual({ code: 2, requests: [] });
    expect(other.stderr).toContain('--payload changed since it started');
    const ran = await rig.svc(['runs', 'resume', runId]);
    expect({ code: ran.code, contents: sentContents(ran) }).toEqual({
      code: 0,
      contents: ['{"payload":{"n":1,"b":"x"}}'],
    });
  });

  it('accepts --resume with the same content on standard input', async () => {
    const rig = await openRig();
    const { line, runId } = await startStoppedRun(rig, ['--payload', '-'], '{"n":1}');
    const ran = await rig.svc([...line, '--resume', runId, '--yes'], { stdin: '{"n":1}' });
    expect({ code: ran.code, contents: sentContents(ran) }).toEqual({
      code: 0,
      contents: ['{"payload":{"n":1}}'],
    });
  });

  it('keeps content that was read from a pipe', async () => {
    const rig = await openRig();
    const pipe = path.join(rig.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', 'printf \'{"n":1}\' > "$0"', pipe]);
    const { runId } = await startStoppedRun(rig, ['--payload', `@${pipe}`]);
    writer.kill();
    const ran = await rig.svc(['runs', 'resume', runId]);
    expect({ code: ran.code, contents: sentContents(ran) }).toEqual({
      code: 0,
      contents: ['{"payload":{"n":1}}'],
    });
  });

  it('is refused if payload and rows come from the same input', async () => {
    const rig = await openRig();
    const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--payload', '-', '--yes'];
    const { code, stderr, requests } = await rig.svc(line, { stdin: '{}' });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('cannot both be read from standard input');
  });

  it('stores the hash of a file, not its content', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'content.json', '{"door":"sesame"}');
    const { runId } = await startStoppedRun(rig, ['--payload', `@${file}`]);
    const manifest = readFileSync(path.join(runFolder(rig, runId), 'manifest.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ content: { payload: expect.any(String) } });
    expect(manifest).not.toContain('sesame');
  });

  it('does not mistake a text for a file name', async () => {
    const rig = await openRig();
    const secret = writeInput(rig, 'secret.json', '{"door":"sesame"}');
    const csv = writeInput(rig, 'users.csv', recipients);
    const line = ['events', 'trigger', 'welcome', '--recipients', csv, '--yes', '--payload'];
    const { code, stderr, requests } = await rig.svc([...line, '-'], { stdin: `@${secret}` });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('--payload is not JSON');
  });
});
