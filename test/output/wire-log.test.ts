import { expect, it } from 'vitest';
import { wireLog } from '../../src/output/wire-log.ts';

const log = wireLog({ bodies: false, reveal: false });
const exchange = { method: 'GET', url: 'http://x/v2/topics' };

it('svc --debug: prints durations in whole milliseconds', () => {
  const ms = 36.04771299999999;
  expect(log({ ...exchange, type: 'response', status: 200, headers: {}, text: '', ms })).toBe(
    '< 200 GET http://x/v2/topics in 36 ms\n',
  );
  expect(log({ ...exchange, type: 'failure', error: new Error('reset'), ms })).toBe(
    '! GET http://x/v2/topics failed after 36 ms: Error: reset\n',
  );
  expect(log({ type: 'retry', afterMs: 512.3333, reason: '503' })).toContain('in 512 ms');
});
