// Global options without their value, at any place on the command line.
import { describe, expect, it } from 'vitest';
import { openRig } from '../support/rig.ts';

describe('a global option without its value', () => {
  it.each([
    ['topics list --profile', '--profile', 'svc topics list --help'],
    ['topics list -p', '--profile', 'svc topics list --help'],
    ['topics list --timeout', '--timeout', 'svc topics list --help'],
    ['topics list --profile --', '--profile', 'svc topics list --help'],
    ['topics --profile', '--profile', 'svc topics --help'],
    ['--timeout', '--timeout', 'svc --help'],
  ])('svc %s: reports that %s needs a value', async (line, option, next) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(line.split(' '));
    expect({ code, stderr, requests }).toEqual({
      code: 2,
      stderr: `Error: \`${option}\` needs a value.\n  ${next}\n`,
      requests: [],
    });
  });

  it.each([
    ['topics list --profile --json', '--profile', '--json'],
    ['topics list -p --json', '--profile', '--json'],
    ['--profile --json topics list', '--profile', '--json'],
    ['topics --profile --json list', '--profile', '--json'],
    ['topics list --json --timeout --limit 3', '--timeout', '--limit'],
    ['topics list --json --jq --no-color', '--jq', '--no-color'],
    ['topics list --json --fields --debug=body', '--fields', '--debug=body'],
  ])('svc %s: does not take an option as the value of %s', async (line, option, value) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(line.split(' '));
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        message: `\`${option}\` needs a value.`,
        hint: `If \`${value}\` is the value, write \`${option}=${value}\`.`,
        next: ['svc topics list --help'],
      },
    });
  });

  it('is not reported when the value only looks like an option', async () => {
    const { svc } = await openRig();
    const argv = ['topics', 'rename', 'announcements', 'x', '--idempotency-key', '--a'];
    expect(await svc(argv)).toMatchObject({ code: 0 });
    expect(await svc(['topics', 'list', '--profile=--json'])).toMatchObject({ code: 2 });
    expect(await svc(['topics', 'list', '--name', '--profile'])).toMatchObject({ code: 0 });
  });

  it('is not reported when help is requested for a group', async () => {
    const { svc } = await openRig();
    expect(await svc(['topics', '--profile', '--help'])).toMatchObject({ code: 0 });
  });
});
