// A reviewed plan compared with the files and the environment as they are now.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PlannedItem } from '../../src/environment/push-types.ts';
import { credentialsOf, type Resource } from '../../src/environment/resource.ts';
import { findOutdated, isPlanText, type PlanFile } from '../../src/environment/reviewed-plan.ts';
import {
  context,
  creation,
  deletion,
  integration,
  layout,
  topic,
  unchanged,
  update,
  workflow,
} from './resources.ts';

type Reviewed = PlanFile['resources'][number];

/** The members of all objects by name. */
const ordered = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The hash of a resource in a plan of format 1. */
function hashOf(resource: Resource | undefined): string | null {
  if (!resource) return null;
  const credentials = credentialsOf(resource);
  const text = JSON.stringify({ ...resource.value, ...(credentials && { credentials }) }, ordered);
  return createHash('sha256').update(text).digest('hex');
}

/** The item as a plan that was saved now has it. */
const review = ({ kind, id, action, wanted, current }: PlannedItem): Reviewed => ({
  ...{ kind, id, action, changes: [{ path: 'then' }] },
  ...{ fileHash: hashOf(wanted), targetHash: hashOf(current?.resource) },
});

const compared = (resources: Reviewed[], now: readonly PlannedItem[]) =>
  findOutdated(
    {
      ...{ format: 1, command: '', origin: '', environment: { id: '', name: '' }, options: {} },
      resources,
    },
    now,
  );

const reasons = (resources: Reviewed[], now: readonly PlannedItem[]) =>
  compared(resources, now).outdated.map(({ kind, id, message }) => `${kind} ${id}: ${message}`);

const [one, two] = [topic('t', 'One'), topic('t', 'Two')];
const changed = update(one, two, 'name');

describe('a plan', () => {
  it('is up to date if nothing has changed, whatever the order of members', () => {
    const data = { b: [{ y: 1, x: [2, null] }], a: { d: true, c: 'text' }, B: 1.5 };
    const again = { B: 1.5, a: { c: 'text', d: true }, b: [{ x: [2, null], y: 1 }] };
    const now = [
      ...[creation(context('a', data)), deletion(topic('gone')), changed, unchanged(layout('l'))],
      creation(integration('i', {}, { from: 'a@b.co', apiKey: { $env: 'KEY' } })),
    ];
    expect(compared(now.map(review), now)).toStrictEqual({ plan: now, outdated: [] });
    const other = [creation(context('a', again)), ...now.slice(1)];
    expect(compared(now.map(review), other).outdated).toEqual([]);
    for (const different of [{ ...again, B: 1 }, { ...again, b: [{ x: [null, 2], y: 1 }] }, {}])
      expect(reasons(now.map(review), [creation(context('a', different))])[0]).toBe(
        'context tenant:a: its file was changed after the plan was made',
      );
  });

  it.each<[string, PlannedItem, PlannedItem | undefined, string | undefined]>([
    ['a removed file', changed, undefined, 'its file was removed after the plan was made'],
    ['a removed file', changed, deletion(one), 'its file was removed after the plan was made'],
    ['a new file', deletion(one), changed, 'a file for it was added after the plan was made'],
    [
      'a changed file',
      creation(one),
      creation(two),
      'its file was changed after the plan was made',
    ],
    ['a deleted resource', changed, creation(two), 'it was deleted after the plan was made'],
    ['a new resource', creation(two), changed, 'it was created after the plan was made'],
    [
      ...(['a changed resource', changed, update(topic('t', 'Other'), two, 'name')] as const),
      'it was changed after the plan was made',
    ],
    ['a resource that is as planned', changed, unchanged(two), undefined],
    ['a deletion that has happened', deletion(one), undefined, undefined],
  ])('leaves out %s', (_what, then, now, message) => {
    const { outdated } = compared([review(then)], now ? [now] : []);
    expect(outdated).toStrictEqual(
      message === undefined
        ? []
        : [{ kind: 'topic', id: 't', result: 'skipped', status: null, issues: [], message }],
    );
  });

  it('shows what has gone, writes nothing that it did not write and ignores the rest', () => {
    const kept = unchanged(topic('kept', 'One'));
    const keptNow = update(topic('kept', 'Two'), topic('kept', 'One'), 'name');
    const now = [keptNow, creation(topic('later'))];
    const plan = [kept, changed, deletion(topic('gone'))];
    expect(compared(plan.map(review), now).plan).toEqual([
      { ...keptNow, action: 'unchanged', changes: [] },
      { ...review(changed), changes: [] },
    ]);
    // One resource that was written does not make another one written.
    const both = [unchanged(topic('kept', 'One')), creation(topic('new'))];
    const { plan: shown } = compared(both.map(review), [keptNow, creation(topic('new'))]);
    expect(shown.map(({ action }) => action)).toEqual(['unchanged', 'create']);
  });
});

/** The reasons if the environment has changed for some of the items. */
function reasonsAfter(outdated: readonly PlannedItem[], others: readonly PlannedItem[]) {
  const now = [...outdated, ...others];
  const stale = outdated.map((item) => ({ ...review(item), targetHash: 'other' }));
  const own = outdated.map(({ kind, id }) => `${kind} ${id}`);
  return reasons([...stale, ...others.map(review)], now).filter(
    (text) => !own.includes(text.split(':')[0] ?? ''),
  );
}

describe('what depends on a change is left out', () => {
  const frame = layout('frame');
  const other = layout('other');
  const mail = workflow('mail', ['other', 'frame']);
  const frameUpdate = update(layout('frame', 'Old'), frame, 'name');
  const mailUpdate = update(mail, workflow('mail', ['other'], 'New'), 'name');
  const needsFrame = 'workflow mail: it depends on layout frame, which has changed';
  const usesFrame = 'layout frame: workflow mail, which has changed, uses it';
  const primary = integration('one', { primary: true });
  const becomesPrimary = update(integration('one'), primary, 'name', 'primary');
  const needsTwo = 'integration one: it depends on integration two, which has changed';
  const second = (more = {}) => integration('two', more);
  const secondUpdate = (more = {}, ...paths: string[]) =>
    update(second({ name: 'Old', ...more }), second(more), 'name', ...paths);

  it.each<[string, PlannedItem[], PlannedItem[], string[]]>([
    ['a workflow of a layout', [frameUpdate], [creation(mail)], [needsFrame]],
    ['no workflow of another layout', [frameUpdate], [creation(workflow('mail', ['other']))], []],
    ['no workflow that is kept', [frameUpdate], [unchanged(mail)], []],
    [
      'no workflow of a topic with the same identifier',
      [update(topic('frame', 'Old'), topic('frame'), 'name')],
      [creation(mail)],
      [],
    ],
    ['the deletion of the layout of a workflow', [mailUpdate], [deletion(frame)], [usesFrame]],
    ['the deletion, not that of another layout', [mailUpdate], [deletion(layout('no'))], []],
    ['no deletion if the workflow has not changed', [], [mailUpdate, deletion(frame)], []],
    ['no update of the layout of a workflow', [mailUpdate], [frameUpdate], []],
    ['no deletion of a topic', [mailUpdate], [deletion(topic('frame'))], []],
    [
      'no deletion of a layout for another kind or a new workflow',
      [creation(workflow('new', ['frame'])), update(one, two, 'name')],
      [deletion(frame)],
      [],
    ],
    ['a new primary integration', [secondUpdate({}, 'primary')], [becomesPrimary], [needsTwo]],
    [
      'a new primary integration for another primary one',
      [secondUpdate({ primary: true })],
      [becomesPrimary],
      [needsTwo],
    ],
    ['no new primary integration for a name', [secondUpdate()], [becomesPrimary], []],
    [
      'no new primary integration of another channel',
      [secondUpdate({ channel: 'sms' }, 'primary')],
      [becomesPrimary],
      [],
    ],
    [
      'no integration that changes its name',
      [secondUpdate({ primary: true }, 'primary')],
      [update(primary, { ...primary, value: { ...primary.value, name: 'New' } }, 'name')],
      [],
    ],
    [
      'no new primary integration for a deletion or a topic',
      [deletion(second({ primary: true })), update(one, two, 'name', 'primary')],
      [becomesPrimary],
      [],
    ],
    ['no new primary integration for one that is kept', [], [becomesPrimary, secondUpdate()], []],
    ['no deletion of a topic for a change of another', [changed], [deletion(topic('u'))], []],
    ['no topic', [frameUpdate, mailUpdate, secondUpdate({}, 'primary')], [changed], []],
    ['what does not depend on it', [update(layout('x', 'Old'), layout('x'), 'name')], [], []],
  ])('%s', (_what, outdated, others, expected) => {
    expect(reasonsAfter(outdated, [...others, unchanged(other)])).toEqual(expected);
  });
});

it.each([
  ['{\n  "format": 1,\n  "command": "environments push",\n', true],
  ['{"format":1,"command":"workflows promote","x"', true],
  ['{ "format":  12, "command":  "workflows push",', true],
  [' {"format":1,"command":"workflows push",', false],
  ['{"format":1,"command":"workflows pull",', false],
  ['{"format":"1","command":"workflows push",', false],
  ['{"command":"workflows push","format":1}', false],
])('a file that starts with %j is a plan: %s', (text, expected) => {
  expect(isPlanText(text)).toBe(expected);
});
