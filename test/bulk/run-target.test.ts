// The identity of a run, and what is refused with another service, key or environment.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  hashIdScope,
  hashKeyForRun,
  hashServiceUrl,
  listTargetChanges,
  type RunTarget,
  requireSameTarget,
} from '../../src/bulk/journal/run-target.ts';
import { thrown } from '../support/thrown.ts';

const own: RunTarget = { profile: 'dev', service: 'tag', keyMark: 'mark', environmentId: 'e1' };
const key = '0123456789abcdef0123456789abcdef';

describe('the identity of a run', () => {
  it('contains a hash of the key that differs in each run', () => {
    expect(hashKeyForRun('r1', key)).toBe(hashKeyForRun('r1', key));
    const marks = [
      hashKeyForRun('r1', key),
      hashKeyForRun('r2', key),
      hashKeyForRun('r1', 'other'),
    ];
    expect(new Set(marks).size).toBe(3);
    for (const mark of marks) expect(mark).toMatch(/^[0-9a-f]{32}$/);
  });

  it('contains a hash of the base URL instead of the URL', () => {
    const tag = createHash('sha256').update('https://api.example.com').digest('hex').slice(0, 32);
    expect(hashServiceUrl('https://api.example.com')).toBe(tag);
    expect(hashServiceUrl('https://eu.example.com')).not.toBe(tag);
  });

  it.each<[string, Partial<RunTarget>, Partial<RunTarget>, string[]]>([
    ['no change', {}, {}, []],
    ['another profile name', {}, { profile: 'other' }, []],
    ['an unknown environment with the same key', {}, { environmentId: null }, []],
    ['another key of the environment', {}, { keyMark: 'new' }, []],
    ['another environment', {}, { keyMark: 'new', environmentId: 'e2' }, ['the environment']],
    ['another key', {}, { keyMark: 'new', environmentId: null }, ['the API key']],
    ['another key', { environmentId: null }, { keyMark: 'new' }, ['the API key']],
    ['another service', {}, { service: 'other' }, ['the service']],
    [
      'an environment of the same id elsewhere',
      {},
      { service: 'other', keyMark: 'new' },
      ['the service', 'the environment'],
    ],
    ['a removed service', {}, { service: '', keyMark: null }, ['the service']],
    ['an added service', { service: '', keyMark: null }, {}, ['the service']],
  ])('detects %s', (_name, before, now, other) => {
    expect(listTargetChanges({ ...own, ...before }, { ...own, ...now })).toEqual(other);
  });
});

describe('an action on a run of another service or environment', () => {
  const refusal = (before: Partial<RunTarget>, now: Partial<RunTarget>) => {
    const what = { verb: 'be undone', command: 'svc undo', ifReplaced: 'do it by hand' };
    return thrown(() =>
      requireSameTarget({ ...own, runId: 'r1', ...before }, { ...own, ...now }, what),
    );
  };

  it('is refused with the profile of the run', () => {
    const now = { profile: 'prod', keyMark: 'new', environmentId: 'e2' };
    expect(refusal({}, now)).toMatchObject({
      exitReason: 'usage',
      message: 'Run r1 cannot be undone: the environment changed since it started.',
      details: {
        hint: 'It started with profile dev. Use --profile dev, or the new name of that profile.',
        next: ['svc undo --profile dev'],
      },
    });
  });

  it('is refused with every difference', () => {
    const now = { service: 'other', keyMark: 'new', environmentId: 'e2' };
    expect(refusal({}, now)).toMatchObject({
      message: 'Run r1 cannot be undone: the service and the environment changed since it started.',
    });
  });

  it('is refused with advice for a replaced key', () => {
    const now = { keyMark: 'new', environmentId: null };
    expect(refusal({}, now)).toMatchObject({
      message: 'Run r1 cannot be undone: the API key changed since it started.',
      details: {
        hint: 'It started when profile dev had another API key. A new API key of the same environment also works after `svc login --profile dev`.',
      },
    });
    expect(refusal({}, now)).not.toHaveProperty('details.next');
    expect(refusal({ environmentId: null }, now)).toMatchObject({
      details: {
        hint: 'It started when profile dev had another API key. If the key was replaced, do it by hand.',
      },
    });
    const nameless = refusal({ profile: null, environmentId: null }, { ...now, profile: 'prod' });
    expect(nameless).not.toHaveProperty('details.next');
    expect(nameless).toMatchObject({
      details: {
        hint: 'Its service was set by variables or options. Use the same URL and API key again. If the key was replaced, do it by hand.',
      },
    });
  });

  it('is allowed for the same service and environment, and if nothing was sent', () => {
    expect(refusal({}, { profile: 'called otherwise' })).toBeUndefined();
    expect(refusal({ service: '', keyMark: null }, {})).toBeUndefined();
  });
});

it('the text for keys and transaction ids differs by service, environment, command, arguments and run id', () => {
  const parts: Parameters<typeof hashIdScope>[0] = ['s', 'e', 'c', { topicKey: 't' }, 'r'];
  const others: Parameters<typeof hashIdScope>[0][] = [
    ['s2', 'e', 'c', { topicKey: 't' }, 'r'],
    ['s', null, 'c', { topicKey: 't' }, 'r'],
    ['s', 'e', 'c2', { topicKey: 't' }, 'r'],
    ['s', 'e', 'c', { topicKey: 't2' }, 'r'],
    ['s', 'e', 'c', { topicKey: 't' }, 'r2'],
  ];
  expect(hashIdScope(parts)).toBe('6f5e546386eaa9347917129b34539313');
  expect(new Set([parts, ...others].map(hashIdScope)).size).toBe(6);
});
