// `svc workflows promote`
import { describe, expect, it } from 'vitest';
import { modes } from '../../../src/service/mode.ts';
import { filterWrites, listWrites } from '../../support/requests.ts';
import { parsed } from '../../support/rig.ts';
import { sentKeys } from '../../support/two-environments.ts';
import {
  firstLine,
  markedLine,
  openStaging,
  openWorkflowRig,
  writeFullFolder,
} from './workflow-folder.ts';

const promote = ['workflows', 'promote', '-p', 'development', '--to', 'staging'];

describe('svc workflows promote', () => {
  it('names both environments in the plan and in the question', async () => {
    const { svc } = await openStaging();
    const { code, stderr, requests } = await svc([...promote, 'welcome']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'Plan for Staging (profile staging), from Development (profile development):',
    );
    expect(stderr).toContain(
      'to copy from Development (profile development) (1 to create) and write in Staging (profile staging).',
    );
    expect(filterWrites(requests)).toEqual([]);
  });

  it('reads with the key of the active profile and writes with the key of the other one', async () => {
    const { svc } = await openStaging();
    const { code, requests } = await svc([...promote, 'welcome', '--yes']);
    expect(code).toBe(0);
    const writes = filterWrites(requests);
    expect(writes.map(({ line }) => line)).toEqual([
      'POST /v2/workflows',
      'PUT /v2/workflows/welcome',
    ]);
    expect(sentKeys(requests)).toHaveLength(2);
    expect(sentKeys(writes)).not.toEqual(sentKeys(requests.slice(0, 1)));
  });

  it('copies the layouts that the workflows use first', async () => {
    const { svc, files } = await openStaging();
    writeFullFolder(files);
    await svc(['workflows', 'push', '--yes', '-p', 'development']);
    const { code, stdout } = await svc([...promote, 'full', '--yes', '--json']);
    expect(code).toBe(0);
    expect(parsed(stdout).results).toMatchObject([
      { kind: 'layout', id: 'frame', result: 'written' },
      { kind: 'workflow', id: 'full', result: 'written' },
    ]);
  });

  it('with --all copies everything but workflows that are defined in code, and exits with 3', async () => {
    const { svc } = await openStaging();
    const { code, stderr } = await svc([...promote, '--all', '--yes']);
    expect(code).toBe(3);
    expect(stderr).toContain('workflow partner-sync: the workflow is defined in code');
    const { stdout } = await svc(['workflows', 'list', '-o', 'ids', '-p', 'staging']);
    expect(stdout.trim().split('\n')).toHaveLength(10);
  });

  it.each([
    ['without workflows', [], 'Name the workflows to copy, or use --all'],
    ['with workflows and --all', ['welcome', '--all'], 'Name the workflows to copy, or use --all'],
    ['of a workflow that is defined in code', ['partner-sync', '--yes'], 'origin external'],
    ['to itself', ['welcome', '--to', 'development', '--yes'], 'nothing can be copied to itself'],
    ['to an unknown profile', ['welcome', '--to', 'stagin', '--yes'], 'Did you mean `staging`?'],
  ])('%s is refused', async (_how, more, message) => {
    const { svc } = await openStaging();
    const { code, stderr, requests } = await svc([...promote, ...more]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(filterWrites(requests)).toEqual([]);
  });

  it('of a workflow that does not exist exits with 5', async () => {
    const { svc } = await openStaging();
    const { code, stderr } = await svc([...promote, 'nothing', '--yes']);
    expect(code).toBe(5);
    expect(stderr).toContain(
      'Workflow `nothing` does not exist in Development (profile development).',
    );
  });

  it('needs the name of the other profile if that is protected, not of the active one', async () => {
    const { svc, edit } = await openStaging();
    edit(({ profiles }) => {
      if (profiles.staging) profiles.staging.protected = true;
    });
    const refused = await svc([...promote, 'welcome', '--yes']);
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
    expect(refused.stderr).toContain('changes data in Staging (profile staging)');
    const confirmed = await svc([...promote, 'welcome', '--yes', '--confirm', 'staging']);
    expect(confirmed.code).toBe(0);
    edit(({ profiles }) => {
      if (profiles.staging) profiles.staging.protected = false;
      if (profiles.development) profiles.development.protected = true;
    });
    expect((await svc([...promote, 'draft', '--yes'])).code).toBe(0);
  });

  it('is not resumed, because that would not check the name of the other profile', async () => {
    const { svc } = await openStaging();
    await svc([...promote, 'welcome', '--yes']);
    const { code, stderr, requests } = await svc(['runs', 'resume', 'last', '--yes']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('A run of `svc workflows promote` cannot be resumed.');
  });
});

describe('skip conditions', () => {
  const withSkip = (mark: string) =>
    `${firstLine}${mark}\nworkflowId: hello\nsteps:\n  - { stepId: text, type: sms, controlValues: { body: Hi, skip: { "==": [{ var: payload.plan }, pro] } } }\n`;

  it.each([
    ['novu', 'specification'],
    ['specification', 'novu'],
  ] as const)(
    'pulled from a server in the mode %s are not pushed to one in the mode %s',
    async (from, to) => {
      const rig = await openWorkflowRig({ mode: to });
      rig.files.write('workflows/hello.yaml', withSkip(`, compat ${from}`));
      const { code, stderr, requests } = await rig.svc(['workflows', 'push', '--yes']);
      expect(code).toBe(2);
      expect(stderr).toContain(
        'The skip conditions of these workflows have the opposite meaning at http://sandbox.localhost: hello.',
      );
      expect(stderr).toContain(`They come from a server in the mode \`${from}\``);
      expect(stderr).toContain(`This server has the mode \`${to}\``);
      for (const mode of [from, to]) expect(stderr).toContain(`\`${firstLine}, compat ${mode}\``);
      expect(filterWrites(requests)).toEqual([]);
    },
  );

  it.each(modes)('do not matter in the mode %s if a workflow has none', async (mode) => {
    const rig = await openWorkflowRig({ mode });
    for (const mark of ['', ', compat novu', ', compat specification']) {
      rig.files.write('workflows/hello.yaml', `${firstLine}${mark}\nworkflowId: hello\n`);
      expect((await rig.svc(['workflows', 'push', '--yes'])).code).toBe(0);
    }
  });

  it.each(modes)('are pushed to and compared with a server in their mode %s', async (mode) => {
    const { svc, files } = await openWorkflowRig({ mode });
    files.write('workflows/hello.yaml', withSkip(`, compat ${mode}`));
    expect((await svc(['workflows', 'push', '--yes'])).code).toBe(0);
    const { code, stderr } = await svc(['workflows', 'push', '--check']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.each([
    ['workflows', 'push', '--yes'],
    ['workflows', 'push', '--check'],
    ['diff', 'development', '--dir', 'workflows'],
  ])('of a file without a mark are refused by %s %s %s', async (...line) => {
    const { svc, files } = await openStaging();
    files.write('workflows/hello.yaml', withSkip(''));
    const { code, stderr, requests } = await svc(line);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `Error: The files of these workflows have skip conditions and do not name their mode: hello. Replace their first line by the one that fits:
  # svc workflow, format 1, compat novu: a true condition runs the step
  # svc workflow, format 1, compat specification: a true condition skips the step
This server has the mode \`novu\`.
`,
    });
    expect(listWrites(requests)).toEqual([]);
  });

  it.each([
    ['novu', 'welcome', ''],
    ['novu', 'trial-ending', ', compat novu'],
    ['specification', 'welcome', ', compat specification'],
    ['specification', 'trial-ending', ', compat specification'],
  ] as const)('and the mode %s decide the first line of %s: %j', async (mode, id, mark) => {
    const { svc, files } = await openWorkflowRig({ mode });
    await svc(['workflows', 'pull', id]);
    expect(files.read(`workflows/${id}.yaml`).split('\n')[0]).toBe(`${firstLine}${mark}`);
  });

  it('of a server that does not name its mode have the meaning of novu', async () => {
    const rig = await openWorkflowRig();
    const { stdout } = await rig.svc(['workflows', 'get', 'trial-ending', '--json']);
    rig.answerBy(() => ({ status: 200, body: { data: JSON.parse(stdout) } }));
    await rig.svc(['workflows', 'pull', 'trial-ending']);
    expect(rig.files.read('workflows/trial-ending.yaml').split('\n')[0]).toBe(markedLine);
  });
});
