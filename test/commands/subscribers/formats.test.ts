// --format offers a list of ids only where rows can be ids.
import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

const formatHelp = (help: string) => {
  const [first = ''] = / --format <format>[\s\S]*?(?=\n +--)/.exec(help) ?? [];
  return first.replace(/\s+/g, ' ').trim();
};

describe.each(['preferences', 'credentials'])('svc subscribers %s import', (noun) => {
  it('offers only formats with columns', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['subscribers', noun, 'import', '--help', '--all']);
    expect(formatHelp(stdout)).toMatch(/\(csv, ndjson, json\)$/);
  });

  it('refuses a list of ids', async () => {
    const { svc } = await openRig();
    const line = ['subscribers', noun, 'import', '-', '--format', 'lines', '--yes'];
    const { code, stderr, requests } = await svc(line, { stdin: 'u1\n' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/--format: .*`lines`.* csv, ndjson, json\./);
    expect(requests).toEqual([]);
  });
});

it('svc subscribers bulk-import and delete accept a list of ids', async () => {
  const { svc } = await openRig();
  for (const verb of ['bulk-import', 'delete']) {
    const { stdout } = await svc(['subscribers', verb, '--help', '--all']);
    expect(formatHelp(stdout)).toMatch(/\(csv, ndjson, json, lines\)$/);
  }
});
