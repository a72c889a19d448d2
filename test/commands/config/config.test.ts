import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

describe('svc config', () => {
  it('list shows the source of each value', async () => {
    const { svc } = await openRig();
    await svc(['config', 'set', 'retries', '2']);
    const { stdout, code } = await svc(['config', 'list', '--timeout', '5s'], {
      tty: true,
      env: { SVC_MAX_WAIT: '2m' },
    });
    expect({ stdout, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "KEY       VALUE  FROM
      output           default
      color     auto   default
      timeout   5s     --timeout
      retries   2      setting retries
      maxWait   2m     SVC_MAX_WAIT
      readOnly  false  default
      ",
      }
    `);
    expect((await svc(['config', 'list', '--fields', 'key,from'])).stdout).toContain(
      'retries\tsetting retries\n',
    );
  });

  it('set stores a value, get prints it and unset removes it', async () => {
    const { svc } = await openRig();
    expect((await svc(['config', 'set', 'output', 'json'], { tty: true })).stdout).toBe(
      'Set output to json.\n',
    );
    expect(JSON.parse((await svc(['config', 'get', 'output'])).stdout)).toEqual({
      key: 'output',
      value: 'json',
      from: 'setting output',
    });
    expect((await svc(['config', 'unset', 'output', '-o', 'table'])).stdout).toBe(
      'Removed the setting output.\n',
    );
    expect((await svc(['config', 'get', 'timeout'])).stdout).toBe('30s\n');
  });

  it.each([
    [['set', 'retires', '2'], 'Did you mean `retries`?'],
    [['set', 'timeout', 'soon'], 'is not a duration'],
    [['set', 'timeout', '5'], '`5` has no unit: write 5ms or 5s.'],
    [['set', 'output', 'xml'], 'Must be one of: table'],
    [['get', 'nope'], 'Unknown setting'],
    [['unset', 'nope'], 'Unknown setting'],
    [['reset'], '--yes'],
  ])('%j is a usage error', async (words, message) => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['config', ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('path and reset work with a broken file; other commands exit with 8 and name the file', async () => {
    const { svc, folder } = await openRig();
    const file = path.join(folder, 'config/config.json');
    mkdirSync(path.dirname(file));
    writeFileSync(file, '{');
    const broken = await svc(['topics', 'list']);
    expect(broken.code).toBe(8);
    expect(broken.stderr).toContain(`The configuration ${file} is invalid: `);
    expect(broken.stderr).toContain('svc config reset');
    expect((await svc(['config', 'path'])).stdout).toBe(`${file}\n`);
    expect((await svc(['config', 'reset', '--yes'])).code).toBe(0);
    expect((await svc(['topics', 'list'])).code).toBe(0);
  });
});
