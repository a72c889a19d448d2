// `svc workflows pull`
import { describe, expect, it } from 'vitest';
import { firstLine, openWorkflowRig, writeFullFolder } from './workflow-folder.ts';

const missing = { status: 404, body: { statusCode: 404, message: 'Workflow cannot be found' } };

describe('svc workflows pull', () => {
  it('writes one file per workflow, and lists those that it skips', async () => {
    const { svc, files } = await openWorkflowRig();
    const { code, stdout } = await svc(['workflows', 'pull'], { tty: true, columns: 300 });
    expect(code).toBe(3);
    expect(stdout).toContain('+ workflows/welcome.yaml\n');
    expect(stdout).toContain(
      [
        'Skipped workflow partner-sync: the workflow is defined in code (origin external).',
        'Skipped workflow legacy-newsletter: the workflow was made with version 1 of the service, whose format differs (origin novu-cloud-v1).',
        'All others were processed. Change the skipped ones where they are defined. To exit with 0, pass the ids of the other workflows to `svc workflows pull` or `svc workflows promote`.\n',
      ].join('\n'),
    );
    expect(stdout).toMatch(/Pulled from .* to workflows: 10 created, 2 skipped\.\n$/);
    const names = Object.keys(files.contents());
    expect(names).toContain('welcome.welcome-email.body.html');
    expect(names).not.toContain('partner-sync.yaml');
  });

  it('warns in a pipe about workflows that it skips', async () => {
    const { svc } = await openWorkflowRig();
    expect((await svc(['workflows', 'pull'])).stderr).toBe(
      [
        'Warning: Skipped 2 resources that svc cannot keep as files.',
        '  workflow partner-sync: the workflow is defined in code (origin external)',
        '  workflow legacy-newsletter: the workflow was made with version 1 of the service, whose format differs (origin novu-cloud-v1)',
        'All others were processed. Change the skipped ones where they are defined. To exit with 0, pass the ids of the other workflows to `svc workflows pull` or `svc workflows promote`.',
        '',
      ].join('\n'),
    );
  });

  it('prints one line per workflow in a pipe, and a list with --json', async () => {
    const { svc } = await openWorkflowRig();
    const { stdout } = await svc(['workflows', 'pull', 'welcome']);
    expect(stdout).toBe('workflow\twelcome\tcreated\twelcome.yaml\t\n');
    const again = await svc(['workflows', 'pull', 'welcome', '--json']);
    expect(JSON.parse(again.stdout)).toEqual([
      { kind: 'workflow', id: 'welcome', file: 'welcome.yaml', result: 'unchanged', reason: null },
    ]);
  });

  it('contains no ids and no dates', async () => {
    const { svc, files } = await openWorkflowRig();
    expect((await svc(['workflows', 'pull'])).code).toBe(3);
    const text = Object.values(files.contents()).join('\n');
    expect(text).not.toMatch(/\b[0-9a-f]{24}\b|\d{4}-\d\d-\d\dT|_id|slug|updatedAt/);
  });

  it('writes the named workflows and the layouts that they use', async () => {
    const { svc, files } = await openWorkflowRig();
    writeFullFolder(files);
    await svc(['workflows', 'push', '--yes']);
    const { code } = await svc(['workflows', 'pull', 'full', '--dir', 'copy']);
    expect(code).toBe(0);
    expect(Object.keys(files.contents('copy'))).toEqual([
      '.gitattributes',
      'full.block-mail.body.json',
      'full.html-mail.body.html',
      'full.inbox.body.txt',
      'full.yaml',
      'layouts/frame.email.body.html',
      'layouts/frame.yaml',
    ]);
  });

  it('suggests a similar name for a workflow that does not exist', async () => {
    const { svc, files } = await openWorkflowRig();
    const { code, stderr } = await svc(['workflows', 'pull', 'welcom']);
    expect(code).toBe(5);
    expect(stderr).toContain('Did you mean `welcome`?');
    expect(() => files.contents()).toThrow();
  });

  it('writes nothing with --dry-run, and shows what would change', async () => {
    const { svc, files } = await openWorkflowRig();
    const { code, stdout } = await svc(['workflows', 'pull', 'welcome', '--dry-run'], {
      tty: true,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/Would pull from .*: 1 created\.\n$/);
    expect(() => files.contents()).toThrow();
  });

  it('removes content files that a workflow no longer has', async () => {
    const { svc, files } = await openWorkflowRig();
    await svc(['workflows', 'pull', 'welcome']);
    files.edit(
      'workflows/welcome.yaml',
      '$file: welcome.welcome-email.body.html',
      '$file: welcome.old.body.html',
    );
    files.write('workflows/welcome.old.body.html', 'old');
    // Its name belongs to another workflow.
    files.write('workflows/welcome-2.old.body.html', 'kept');
    files.remove('workflows/welcome.welcome-email.body.html');
    await svc(['workflows', 'pull', 'welcome']);
    expect(Object.keys(files.contents())).toEqual([
      '.gitattributes',
      'welcome-2.old.body.html',
      'welcome.welcome-email.body.html',
      'welcome.yaml',
    ]);
  });

  it('leaves files of workflows that no longer exist, and names --delete', async () => {
    const { svc, files } = await openWorkflowRig();
    files.write('workflows/gone.yaml', `${firstLine}\nworkflowId: gone\n`);
    const { stderr } = await svc(['workflows', 'pull']);
    expect(stderr).toContain('1 file in workflows is not in the environment: gone.yaml.');
    expect(stderr).toContain('svc workflows pull --delete');
    expect(Object.keys(files.contents())).toContain('gone.yaml');
  });
});

describe('svc workflows pull --delete', () => {
  it('removes only files with the first line of svc and their content', async () => {
    const { svc, files } = await openWorkflowRig();
    files.write(
      'workflows/gone.yaml',
      `${firstLine}\nworkflowId: gone\nsteps:\n  - { stepId: a, type: email, controlValues: { body: { $file: gone.a.body.html }, x: { $file: README.md } } }\n`,
    );
    const foreign = {
      'README.md': 'read me',
      'gone.notes.md': 'notes',
      'other.yaml': 'workflowId: other\n',
      'welcome.txt': 'mine',
      'layouts/mine.html': 'mine',
    };
    for (const [name, text] of Object.entries({ ...foreign, 'gone.a.body.html': 'x' }))
      files.write(`workflows/${name}`, text);
    const { stdout } = await svc(['workflows', 'pull', '--delete', '--yes']);
    expect(stdout).toContain('workflow\tgone\tdeleted\tgone.yaml\t\n');
    const after = files.contents();
    expect(after).toMatchObject(foreign);
    expect(Object.keys(after)).not.toContain('gone.yaml');
    expect(Object.keys(after)).not.toContain('gone.a.body.html');
  });

  it('asks first and removes nothing without an answer', async () => {
    const { svc, files } = await openWorkflowRig();
    files.write('workflows/gone.yaml', `${firstLine}\nworkflowId: gone\n`);
    const { code, stderr } = await svc(['workflows', 'pull', '--delete']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /to remove 1 file from workflows, because workflow gone does not exist at http/,
    );
    expect(Object.keys(files.contents())).toEqual(['gone.yaml']);
  });

  it('needs a whole folder', async () => {
    const { svc } = await openWorkflowRig();
    const { code, stderr, requests } = await svc(['workflows', 'pull', 'welcome', '--delete']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('--delete cannot be combined with workflow ids.');
  });
});

describe('a workflow that is listed and cannot be read', () => {
  const body = { workflows: [{ workflowId: 'welcome' }], totalCount: 1 };

  it('is not written if it was deleted in the meantime', async () => {
    const { svc, files, answerBy } = await openWorkflowRig();
    await svc(['workflows', 'delete', 'welcome', '--yes']);
    let lists = 0;
    answerBy(({ url }) => {
      if (url.pathname === '/v2/workflows/welcome') return missing;
      if (url.pathname !== '/v2/workflows' || lists > 0) return undefined;
      lists += 1;
      return { status: 200, body: { data: body } };
    });
    expect(await svc(['workflows', 'pull'])).toMatchObject({ code: 0 });
    expect(Object.keys(files.contents())).not.toContain('welcome.yaml');
  });

  it.each([
    ['the 404 of a gateway', { status: 404, body: { message: 'no Route matched' } }],
    ['a 404 of the service', missing],
    ['another workflow', { status: 200, body: { data: { workflowId: 'other', steps: [] } } }],
  ])('stops a pull that got %s, and its file stays', async (_answer, answer) => {
    const { svc, files, answerBy } = await openWorkflowRig();
    await svc(['workflows', 'pull', 'welcome']);
    answerBy(({ url }) => (url.pathname === '/v2/workflows/welcome' ? answer : undefined));
    const { code, stderr } = await svc(['workflows', 'pull', '--delete', '--yes']);
    expect(code).toBe(7);
    expect(stderr).toContain('The service lists workflow welcome, but does not return it.');
    expect(Object.keys(files.contents())).toContain('welcome.yaml');
  });
});
