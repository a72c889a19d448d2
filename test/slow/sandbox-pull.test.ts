// The content of a pulled state file, and of a sandbox that starts with it.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modes } from '../../src/service/mode.ts';
import { personal, personalState } from '../commands/sandbox/personal-state.ts';
import { firstEnvironment, pullState } from '../commands/sandbox/pull-rig.ts';
import { openRig, parsed, type Rig } from '../support/rig.ts';
import type { SandboxState } from '../support/sandbox-311.ts';

/** The value with all texts replaced by their type. */
const toStructure = (value: unknown): unknown =>
  typeof value === 'string'
    ? 'text'
    : Array.isArray(value)
      ? value.map(toStructure)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value).map(([name, inner]) => [name, toStructure(inner)]),
          )
        : value;

describe('a sandbox with the pulled file', () => {
  it.each(modes)('has the same file in the mode %s', async (mode) => {
    const more = ['--sample', '100', '--with-personal-data'];
    const { text, state } = await pullState(personalState(mode), more);
    const again = await pullState(state, more);
    expect(again.text).toBe(text);
    expect(firstEnvironment(state).subscribers).toHaveLength(5);
    expect(state.compat).toBe(mode === 'novu' ? undefined : mode);
  });

  it('has the same structure with replaced personal data', async () => {
    const { state } = await pullState(personalState());
    const again = await pullState(state);
    expect(toStructure(again.state)).toEqual(toStructure(state));
    const kept = await pullState(personalState(), ['--sample', '9', '--with-personal-data']);
    const { data: _, ...withoutData } = firstEnvironment(kept.state).subscribers[0] as {
      data?: unknown;
    };
    expect(toStructure(firstEnvironment(state).subscribers[0])).toEqual(toStructure(withoutData));
    expect(toStructure(firstEnvironment(state).topics)).toEqual(
      toStructure(firstEnvironment(kept.state).topics),
    );
    expect(firstEnvironment(state).workflows).toEqual(firstEnvironment(kept.state).workflows);
  });

  it('sends to subscribers the same as before', async () => {
    const seed = personalState();
    const { state, rig } = await pullState(seed, ['--sample', '9', '--with-personal-data']);
    const other = await openRig({ seed: state });
    for (const { subscriberId } of firstEnvironment(seed).subscribers) {
      const line = ['subscribers', 'preferences', 'get', subscriberId, '--criticality', 'all'];
      const switches = async (rig: Rig) => {
        const { global, workflows } = parsed((await rig.svc([...line, '--json'])).stdout) as {
          global: object;
          workflows: { enabled: boolean; channels: object; workflow: { identifier: string } }[];
        };
        return {
          global,
          workflows: workflows.map(({ enabled, channels, workflow }) => ({
            ...{ enabled, channels, id: workflow.identifier },
          })),
        };
      };
      expect(await switches(other)).toEqual(await switches(rig));
    }
  });

  it('has integrations that deliver', async () => {
    const { state } = await pullState(personalState());
    const { svc } = await openRig({ seed: state });
    const { subscriberId } = firstEnvironment(state).subscribers[3] as { subscriberId: string };
    const line = ['events', 'trigger', 'quiet', '--to', subscriberId, '--wait'];
    const { code, stderr } = await svc(line);
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });
});

describe('subscribers', () => {
  const subscriberIds = (state: SandboxState) =>
    (firstEnvironment(state).subscribers ?? []).map(({ subscriberId }) => subscriberId);
  const keep = '--with-personal-data';

  it('are not in the file unless they are selected', async () => {
    const { state, ran } = await pullState(personalState(), []);
    expect(subscriberIds(state)).toEqual([]);
    expect(firstEnvironment(state).topics[0]?.subscribers).toEqual([]);
    expect(ran.requests.some(({ line }) => line.includes('/subscri'))).toBe(false);
  });

  it('can be named, sampled and taken from topics; each is in the file once', async () => {
    const seed = personalState();
    const [email, phone] = personal.ids as [string, string];
    const named = await pullState(seed, ['--subscriber', 'plain-id', '--subscriber', phone, keep]);
    expect(subscriberIds(named.state)).toEqual(['plain-id', phone]);
    const ofTopic = await pullState(seed, ['--topic', 'announcements', keep]);
    expect(subscriberIds(ofTopic.state)).toEqual(['plain-id', email, phone]);
    const all = ['--sample', '1', '--subscriber', 'plain-id', '--topic', 'announcements', keep];
    const united = await pullState(seed, all);
    expect(subscriberIds(united.state)).toEqual([email, 'plain-id', phone]);
    expect(firstEnvironment(united.state).topics[0]?.subscribers).toEqual([
      email,
      'plain-id',
      phone,
    ]);
    const again = await pullState(united.state, all);
    expect(again.text).toBe(united.text);
  });

  it('have no preferences with --no-preferences', async () => {
    const { text, ran } = await pullState(personalState(), ['--sample', '9', '--no-preferences']);
    expect(text.split('subscribers:')[1]).not.toContain('preferences');
    expect(ran.requests.some(({ line }) => line.includes('/preferences'))).toBe(false);
  });

  it('and topics that do not exist are errors, and no file is written', async () => {
    const rig = await openRig({ seed: personalState() });
    const unknown = await rig.svc(['sandbox', 'pull', '--file', 'x.yaml', '--subscriber', 'nope']);
    expect({ code: unknown.code, stdout: unknown.stdout }).toEqual({ code: 5, stdout: '' });
    expect(unknown.stderr).toContain('Subscriber `nope` does not exist');
    const topic = await rig.svc(['sandbox', 'pull', '--file', 'x.yaml', '--topic', 'anouncements']);
    expect(topic.code).toBe(5);
    expect(topic.stderr).toContain('announcements');
    expect(readdirSync(rig.folder).filter((name) => name.includes('x.yaml'))).toEqual([]);
  });

  it('in large numbers are read page by page, and their topics by topic', async () => {
    const subscribers = Array.from({ length: 450 }, (_, index) => ({
      ...{ subscriberId: `user-${index}`, email: `user${index}@private.test` },
    }));
    const members = subscribers.map(({ subscriberId }) => subscriberId);
    const seed: SandboxState = {
      version: 1,
      environments: [
        {
          name: 'Development',
          subscribers,
          topics: [
            { key: 'all', subscribers: members },
            { key: 'late', subscribers: members.slice(290, 310) },
          ],
        },
      ],
    };
    const { state, ran } = await pullState(seed, ['--sample', '300', keep, '--no-preferences']);
    expect(subscriberIds(state)).toEqual(members.slice(0, 300));
    expect(firstEnvironment(state).topics.map(({ subscribers: list }) => list)).toEqual([
      members.slice(0, 300),
      members.slice(290, 300),
    ]);
    expect(ran.requests.length).toBeLessThan(25);
  });
});
