// `svc subscribers preferences update` for several workflows.
import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

const line = ['subscribers', 'preferences', 'update', 'u1'];

describe('svc subscribers preferences update for several workflows', () => {
  it('sends one request for all of them and prints the changes', async () => {
    const { svc } = await openRig();
    const options = ['--workflow', 'welcome', '--workflow', 'comment-digest', '--email', 'off'];
    const { stdout, requests } = await svc([...line, ...options], { tty: true });
    expect(requests[1]).toMatchObject({
      line: 'PATCH /v2/subscribers/u1/preferences/bulk',
      body: {
        preferences: [
          { workflowId: 'welcome', channels: { email: false } },
          { workflowId: 'comment-digest', channels: { email: false } },
        ],
      },
    });
    expect(stdout).toContain('Updated the preferences of u1');
    expect(stdout).toContain('welcome  email: on → off');
    expect(stdout).toContain('comment-digest  email: on → off');
  });

  it('reports the critical workflows among them as unchanged', async () => {
    const { svc } = await openRig();
    const options = ['--workflow', 'welcome', '--workflow', 'one-time-code', '--email', 'off'];
    const { code, stdout, stderr } = await svc([...line, ...options, '--json']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'Warning: The service ignores the changes for critical workflows. Unchanged: one-time-code.\n',
    });
    const results = JSON.parse(stdout) as { workflow: { identifier: string }; result: string }[];
    expect(results.map(({ workflow, result }) => [workflow.identifier, result])).toEqual([
      ['welcome', 'updated'],
      ['one-time-code', 'unchanged'],
    ]);
  });

  it('finds the workflows of a tag and all workflows', async () => {
    const { svc } = await openRig();
    const tagged = await svc([...line, '--tag', 'onboarding', '--email', 'off', '--json']);
    const names = (text: string) =>
      (JSON.parse(text) as { workflow: { identifier: string } }[]).map(
        ({ workflow }) => workflow.identifier,
      );
    expect(names(tagged.stdout)).toEqual(['trial-ending', 'welcome']);
    const all = await svc([...line, '--all-workflows', '--email', 'off', '--json']);
    const listed = (await svc(['workflows', 'list', '--all', '-o', 'ids'])).stdout;
    expect(names(all.stdout).sort()).toEqual(listed.trim().split('\n').sort());
    expect((await svc([...line, '--tag', 'nothing', '--email', 'off'])).code).toBe(5);
  });

  it.each([
    [['--workflow', 'welcome', '--all-workflows', '--email', 'off']],
    [['--tag', 'onboarding', '--schedule', 'on']],
    [['--all-workflows', '--body', '{}']],
    [['--all-workflows']],
  ])('is a usage error for %j', async (options) => {
    const { svc } = await openRig();
    expect((await svc([...line, ...options])).code).toBe(2);
  });

  it('changes nothing if a workflow does not exist', async () => {
    const { svc } = await openRig();
    const options = ['--workflow', 'welcome', '--workflow', 'nope', '--email', 'off'];
    const { code, stderr } = await svc([...line, ...options]);
    expect(code).toBe(5);
    expect(stderr).toContain('nope');
  });
});
