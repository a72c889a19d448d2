import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/cli/suggest.ts';

describe('did you mean', () => {
  it.each([
    ['lsit', ['list', 'get', 'rename'], ['list']],
    ['topcis', ['topics', 'contexts'], ['topics']],
    ['sub', ['subscribers', 'topics'], ['subscribers']],
    ['zzz', ['list', 'get'], []],
  ])('%s among %j offers %j', (word, among, offered) => {
    expect(nearest(word, among)).toEqual(offered);
  });
});
