import { describe, expect, it } from 'vitest';
import { suggestCommands } from '../../src/cli/suggest-command.ts';
import { closestMatches } from '../../src/cli/suggestions.ts';
import { openRig } from '../support/rig.ts';

describe('did you mean', () => {
  it.each([
    ['lsit', ['list', 'get', 'rename'], ['list']],
    ['topcis', ['topics', 'contexts'], ['topics']],
    ['sub', ['subscribers', 'topics'], ['subscribers']],
    ['zzz', ['list', 'get'], []],
  ])('%s among %j offers %j', (word, among, offered) => {
    expect(closestMatches(word, among)).toEqual(offered);
  });
});

describe('an opposite', () => {
  it.each([
    ['unsubscribe', ['list', 'get', 'rename', 'subscribe'], []],
    ['unsubscirbe', ['subscribe'], []],
    ['unsub', ['subscribe'], []],
    ['subscirbe', ['unsubscribe', 'subscribe'], ['subscribe']],
    ['dsable', ['enable', 'disable'], ['disable']],
    ['enabel', ['enable', 'disable'], ['enable']],
    ['unred', ['read', 'unread', 'seen', 'unseen'], ['unread']],
    ['raed', ['read', 'unread'], ['read']],
    ['nread', ['read', 'unread'], []],
    ['unsee', ['seen', 'unseen'], ['unseen']],
    ['--nocheck', ['--check', '--no-check'], ['--no-check']],
    ['--unread', ['--read', '--json'], []],
  ])('of %s is not offered among %j', (word, among, offered) => {
    expect(closestMatches(word, among)).toEqual(offered);
  });
});

describe('a command that writes', () => {
  it.each([
    ['get', ['set', 'delete', 'import'], []],
    ['gte', ['set', 'get', 'delete'], ['get']],
    ['et', ['set', 'get'], ['get']],
    ['lst', ['set', 'list'], ['list']],
    ['delet', ['get', 'set', 'delete'], ['delete']],
    ['remove', ['rename', 'delete', 'get'], ['delete']],
    ['show', ['set', 'get'], ['get']],
    ['renmae', ['rename', 'get'], ['rename']],
    ['cancle', ['trigger', 'cancel'], ['cancel']],
  ])('is not offered for %s unless it was meant: among %j', (word, among, offered) => {
    const writes = ['set', 'delete', 'import', 'rename', 'trigger', 'cancel'];
    expect(suggestCommands(word, among, writes)).toEqual(offered);
  });

  it.each([
    ['topics unsubscribe announcements u1', 'subscribe'],
    ['topics remove announcements', 'rename'],
    ['subscribers credentials get u1', 'set'],
    ['config gte timeout', 'set'],
    ['integrations dsable x', 'enable'],
  ])('is not offered for `svc %s`', async (line, never) => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(line.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain('Unknown command');
    expect(/Did you mean .*/.exec(stderr)?.[0] ?? '').not.toContain(`\`${never}\``);
  });
});
