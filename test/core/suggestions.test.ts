import { describe, expect, it } from 'vitest';
import type { Group } from '../../src/cli/command.ts';
import { suggestCommands } from '../../src/cli/suggest-command.ts';
import { commandTree } from '../../src/commands/index.ts';
import { closestMatches } from '../../src/core/suggestions.ts';
import { openRig } from '../support/rig.ts';

const openWorkflows = async () =>
  (await commandTree.workflows?.load()) as Group & { details: string };

describe('did you mean', () => {
  it.each([
    ['lsit', ['list', 'get', 'rename'], ['list']],
    ['topcis', ['topics', 'contexts'], ['topics']],
    ['sub', ['subscribers', 'topics'], ['subscribers']],
    ['zzz', ['list', 'get'], []],
  ])('%s among %j: %j', (word, candidates, suggested) => {
    expect(closestMatches(word, candidates)).toEqual(suggested);
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
  ])('of %s is not suggested among %j', (word, candidates, suggested) => {
    expect(closestMatches(word, candidates)).toEqual(suggested);
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
  ])('is suggested for %s only if it is a likely typo, among %j', (word, candidates, suggested) => {
    const writes = ['set', 'delete', 'import', 'rename', 'trigger', 'cancel'];
    expect(suggestCommands(word, candidates, writes)).toEqual(suggested);
  });

  it.each([
    ['topics subscribed announcements u1', 'unsubscribe'],
    ['topics remove announcements', 'rename'],
    ['subscribers credentials get u1', 'set'],
    ['config gte timeout', 'set'],
    ['integrations dsable x', 'enable'],
  ])('is not suggested for `svc %s`: %s', async (line, command) => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(line.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain('Unknown command');
    expect(/Did you mean .*/.exec(stderr)?.[0] ?? '').not.toContain(`\`${command}\``);
  });
});

describe('an unknown first word', () => {
  const suggestionFor = async (line: string) => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(line.split(' '));
    expect(code).toBe(2);
    return stderr;
  };

  it.each([
    ['list topics', 'Did you mean `svc topics list`?'],
    ['ls topic --json', 'Did you mean `svc topics list`?'],
    ['-p dev show topics news', 'Did you mean `svc topics get`?'],
    ['list topcis', 'Did you mean `svc topics list`?'],
    ['get preferences u1', 'Did you mean `svc subscribers preferences get`?'],
    ['preferences get u1', 'Did you mean `svc subscribers preferences get`?'],
    ['import users users.csv', 'Did you mean `svc subscribers bulk-import`?'],
  ])('in `svc %s`, with verb and noun swapped or incomplete: %s', async (line, suggestion) => {
    expect(await suggestionFor(line)).toContain(suggestion);
  });

  it.each([
    ['users import users.csv', 'Did you mean `svc subscribers bulk-import`?'],
    ['user create u1', 'Did you mean `svc subscribers create`?'],
    ['templates list', 'Did you mean `svc workflows list`?'],
    ['notifications list', 'Did you mean `svc activity list` or `svc inbox list`?'],
    ['users', 'Did you mean `svc subscribers`?'],
  ])('in `svc %s`, which is a synonym of a noun: %s', async (line, suggestion) => {
    expect(await suggestionFor(line)).toContain(suggestion);
  });

  it.each([
    ['trigger welcome --to u1', 'Did you mean `svc events trigger`?'],
    ['send welcome --to u1', 'Did you mean `svc events trigger`?'],
    ['subscribe news u1', 'Did you mean `svc topics subscribe`?'],
    ['reset', 'Did you mean `svc sandbox reset` or `svc config reset`?'],
  ])('in `svc %s`, which is a verb of few nouns: %s', async (line, suggestion) => {
    expect(await suggestionFor(line)).toContain(suggestion);
  });

  it.each(['create workflow x', 'add workflows x'])(
    'in `svc %s` explains that the noun has no such command',
    async (line) => {
      const stderr = await suggestionFor(line);
      expect(stderr).not.toContain('Did you mean');
      expect(stderr).toContain((await openWorkflows()).details);
      expect(stderr).toContain('svc workflows --help');
    },
  );

  it('never suggests a write for a read', async () => {
    for (const line of ['show integrations', 'get users u1', 'list users']) {
      const stderr = await suggestionFor(line);
      expect(stderr).toContain('Unknown command');
      expect(stderr).not.toMatch(/Did you mean .*(update|delete|create|import)/);
    }
  });

  it('offers no command if a verb has many nouns', async () => {
    const stderr = await suggestionFor('list');
    expect(stderr).toContain('Unknown command');
    expect(stderr).not.toContain('Did you mean');
  });

  it('treats the singular of a noun as the noun', async () => {
    expect(await suggestionFor('subscriber lsit')).toContain('for `svc subscribers`.');
  });
});
