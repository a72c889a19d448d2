// `svc workflows push`: plan, question, results and exit codes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listWrites } from '../../support/requests.ts';
import { parsed } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import {
  firstLine,
  openStaging,
  openWorkflowRig,
  smsFile,
  writeFullFolder,
} from './workflow-folder.ts';

/** A rig with the folder of its workflows. */
async function openPulled(ids = ['welcome', 'order-update', 'draft']) {
  const rig = await openWorkflowRig();
  await rig.svc(['workflows', 'pull', ...ids]);
  return rig;
}

/** Creates, updates and keeps a workflow. */
async function openChanged() {
  const rig = await openPulled();
  const { files } = rig;
  files.edit('workflows/welcome.yaml', 'name: Welcome', 'name: Welcome aboard');
  files.edit(
    'workflows/welcome.welcome-email.body.html',
    '<p>good to have you here.</p>',
    '<p>nice to see you.</p>',
  );
  files.edit('workflows/order-update.yaml', 'severity: none', 'severity: high');
  files.write('workflows/hello.yaml', smsFile('hello'));
  return rig;
}

describe('the plan', () => {
  it('shows every change at 80 columns', async () => {
    const { svc } = await openChanged();
    const { code, stdout, requests } = await svc(['workflows', 'push', '--dry-run'], { tty: true });
    expect(code).toBe(0);
    expect(listWrites(requests)).toEqual([]);
    expect(stdout).toMatchInlineSnapshot(`
      "Plan for http://sandbox.localhost, from workflows:

      + workflow hello
        steps: text (sms)

      ~ workflow order-update  "Order update"
        ~ severity: "none" → "high"

      ~ workflow welcome  "Welcome aboard"
        ~ name: "Welcome" → "Welcome aboard"
        ~ step welcome-email
          ~ body:
              - <p>Hello {{subscriber.firstName}},</p><p>good to have you here.</p>
              + <p>Hello {{subscriber.firstName}},</p><p>nice to see you.</p>

      1 to create, 2 to update, 1 unchanged.
      Dry run: nothing was sent.
      "
    `);
  });

  it('has colors on a terminal, and none with NO_COLOR or in a pipe', async () => {
    const { svc } = await openChanged();
    const line = ['workflows', 'push', '--check', '-o', 'table'];
    const colored = await svc(line, { tty: true, env: { NO_COLOR: '' } });
    expect(colored.stdout).toContain('\u001b[32m+ \u001b[39mworkflow \u001b[1mhello\u001b[22m');
    expect((await svc(line, { tty: true })).stdout).not.toContain('\u001b');
    expect((await svc(line, { env: { NO_COLOR: '' } })).stdout).not.toContain('\u001b');
  });

  it('is one line per change in a pipe, with the values as JSON', async () => {
    const { svc } = await openChanged();
    const { stdout } = await svc(['workflows', 'push', '--check']);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'workflow\tdraft\tunchanged\t\t\t',
      'workflow\thello\tcreate\t\t\t',
      'workflow\torder-update\tupdate\tseverity\t"none"\t"high"',
      'workflow\twelcome\tupdate\tname\t"Welcome"\t"Welcome aboard"',
    ]);
  });

  it('is data with --json', async () => {
    const { svc } = await openChanged();
    const { stdout, stderr } = await svc(['workflows', 'push', '--dry-run', '--json']);
    expect(stderr).toBe('');
    const { plan, results } = parsed(stdout);
    expect(results).toEqual([]);
    expect(plan).toMatchObject([
      { kind: 'workflow', id: 'draft', action: 'unchanged', changes: [] },
      { id: 'hello', action: 'create', changes: [] },
      { id: 'order-update', changes: [{ path: 'severity', from: 'none', to: 'high' }] },
      {
        id: 'welcome',
        action: 'update',
        changes: [{ path: 'name' }, { path: 'steps.welcome-email.controlValues.body' }],
      },
    ]);
  });

  it('shows control characters of files, instead of sending them to the terminal', async () => {
    const { svc, files } = await openPulled();
    files.edit('workflows/welcome.yaml', 'name: Welcome', 'name: "\\e]0;title\\a\\u202e"');
    const { stdout } = await svc(['workflows', 'push', '--check'], { tty: true });
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(stdout).toContain('title');
  });
});

describe('svc workflows push --check', () => {
  it('exits with 10 if there is a difference and 0 if not, and writes nothing', async () => {
    const { svc, files } = await openPulled();
    expect(await svc(['workflows', 'push', '--check'])).toMatchObject({ code: 0, stderr: '' });
    files.edit('workflows/welcome.yaml', 'name: Welcome', 'name: Hi');
    for (const options of [[], ['--json'], ['--quiet'], ['-o', 'table'], ['--read-only']]) {
      const { code, stderr, requests } = await svc(['workflows', 'push', '--check', ...options]);
      expect({ code, stderr }).toEqual({ code: 10, stderr: '' });
      expect(listWrites(requests)).toEqual([]);
    }
  });

  it('with --delete reports workflows without a file', async () => {
    const { svc, files } = await openWorkflowRig();
    expect((await svc(['workflows', 'pull'])).code).toBe(3);
    files.remove('workflows/draft.yaml');
    expect((await svc(['workflows', 'push', '--check'])).code).toBe(0);
    const { code, stdout } = await svc(['workflows', 'push', '--check', '--delete']);
    expect(code).toBe(10);
    expect(stdout).toContain('workflow\tdraft\tdelete\t\t\t\n');
  });
});

describe('the question', () => {
  it('names the counts, the environment and the profile, and nothing is written without an answer', async () => {
    const { svc, files } = await openStaging();
    files.write('workflows/hello.yaml', smsFile('hello'));
    const { code, stderr, requests } = await svc(['workflows', 'push', '-p', 'staging']);
    expect(code).toBe(2);
    expect(stderr).toContain('Plan for Staging (profile staging), from workflows:');
    expect(stderr).toContain('to apply this plan (1 to create) in Staging (profile staging).');
    expect(stderr).toContain('--yes');
    expect(listWrites(requests)).toEqual([]);
  });

  it('is not asked if there is nothing to do', async () => {
    const { svc } = await openPulled();
    const { code, stdout } = await svc(['workflows', 'push'], { tty: true });
    expect(code).toBe(0);
    expect(stdout).toBe('Nothing to do: 3 unchanged at http://sandbox.localhost.\n');
  });

  it('comes with the name of a protected profile', async () => {
    const { svc, files, edit } = await openStaging();
    edit(({ profiles }) => {
      if (profiles.staging) profiles.staging.protected = true;
    });
    files.write('workflows/hello.yaml', smsFile('hello'));
    const line = ['workflows', 'push', '--yes', '-p', 'staging'];
    const refused = await svc(line);
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
    expect(refused.stderr).toContain('--confirm staging');
    expect((await svc([...line, '--confirm', 'staging'])).code).toBe(0);
  });

  it('is refused with --read-only before the first request', async () => {
    const { svc } = await openPulled();
    const { code, requests } = await svc(['workflows', 'push', '--yes', '--read-only']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });
});

describe('the results', () => {
  it('list every write on a terminal, with issues and the command that restores the previous versions', async () => {
    const { svc, folder } = await openChanged();
    const { code, stdout } = await svc(['workflows', 'push', '--yes'], { tty: true, columns: 200 });
    expect(code).toBe(0);
    expect(stdout.replaceAll(folder, '<folder>')).toMatchInlineSnapshot(`
      "created  workflow hello  ACTIVE
      updated  workflow order-update  ACTIVE
      updated  workflow welcome  ACTIVE
               step welcome-inbox, in_app: Inbox is not connected. Please connect your Inbox integration.
      Wrote 3 of 3 resources at http://sandbox.localhost.
      The previous versions are in <folder>/state/runs/20260115-120000-000001/backup.
      To restore the previous versions: svc workflows push <folder>/state/runs/20260115-120000-000001/backup
      "
    `);
  });

  it('are broken at blanks on a narrow terminal', async () => {
    const { svc } = await openChanged();
    const { stdout } = await svc(['workflows', 'push', '--yes'], { tty: true, columns: 80 });
    expect(stdout).toContain(
      [
        '         step welcome-inbox, in_app: Inbox is not connected. Please connect your',
        '           Inbox integration.\n',
      ].join('\n'),
    );
  });

  it('have a backup that restores the previous versions', async () => {
    const { svc, files } = await openChanged();
    expect((await svc(['workflows', 'pull', '--dir', 'before'])).code).toBe(3);
    const { stdout } = await svc(['workflows', 'push', '--yes'], { tty: true });
    const [, command = ''] = /svc (workflows push \S+)/.exec(stdout) ?? [];
    expect((await svc([...command.split(' '), '--yes'])).code).toBe(0);
    await svc(['workflows', 'pull', 'welcome', 'order-update', '--dir', 'after']);
    const before = files.contents('before');
    for (const [name, text] of Object.entries(files.contents('after')))
      expect({ name, text }).toEqual({ name, text: before[name] });
  });

  it('are a run that svc runs lists', async () => {
    const { svc, folder } = await openChanged();
    await svc(['workflows', 'push', '--yes']);
    const { stdout } = await svc(['runs', 'list', '--json']);
    const [run] = JSON.parse(stdout);
    expect(run).toMatchObject({ command: 'workflows push', state: 'finished', rows: 3, done: 3 });
    const backup = path.join(folder, 'state', 'runs', run.runId, 'backup', 'welcome.yaml');
    expect(readFileSync(backup, 'utf8')).toContain('name: Welcome\n');
  });

  it('are not written again when the run is resumed', async () => {
    const { svc } = await openChanged();
    await svc(['workflows', 'push', '--yes']);
    const { code, requests } = await svc(['runs', 'resume', 'last']);
    expect({ code, writes: listWrites(requests) }).toEqual({ code: 0, writes: [] });
  });
});

describe('svc workflows push --delete', () => {
  it('deletes workflows and layouts without a file, last and only in a whole folder', async () => {
    const { svc, files } = await openStaging();
    writeFullFolder(files);
    const options = ['--yes', '-p', 'staging'];
    await svc(['workflows', 'push', ...options]);
    files.remove('workflows');
    files.write('workflows/hello.yaml', smsFile('hello'));
    const { code, stderr, requests } = await svc(['workflows', 'push', '--delete', ...options]);
    expect(code).toBe(0);
    // The default layout cannot be deleted.
    expect(stderr).not.toContain('layout');
    expect(listWrites(requests)).toEqual(['POST /v2/workflows', 'DELETE /v2/workflows/full']);
    const named = await svc(['workflows', 'push', 'workflows/hello.yaml', '--delete', ...options]);
    expect(named.code).toBe(2);
    expect(named.stderr).toContain('--delete needs a whole folder');
  });

  it('names the workflows that lose a layout', async () => {
    const { svc, files, answerBy } = await openStaging();
    const options = ['--yes', '-p', 'staging'];
    const layout = (id: string) =>
      `# svc layout, format 1, compat novu\nlayoutId: ${id}\ncontrolValues: { email: { body: "<html><body>{{content}}</body></html>", editorType: html } }\n`;
    const mail = (more: string) =>
      `${firstLine}\nworkflowId: mail\nsteps:\n  - { stepId: mail, type: email, controlValues: { subject: Hi, body: Hi, editorType: html${more} } }\n`;
    files.write('workflows/layouts/a-default.yaml', layout('a-default'));
    files.write('workflows/layouts/frame.yaml', layout('frame'));
    files.write('workflows/mail.yaml', mail(', layoutId: frame'));
    await svc(['workflows', 'push', ...options]);
    files.remove('workflows/layouts/frame.yaml');
    const refused = await svc(['workflows', 'push', '--delete', ...options]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('refers to layout `frame`');
    files.write('workflows/mail.yaml', mail(''));
    const { code, stderr, requests } = await svc(['workflows', 'push', '--delete', ...options]);
    expect(code).toBe(0);
    expect(stderr).toContain('- layout frame\n  The service removes it from the steps of mail.\n');
    expect(listWrites(requests)).toEqual(['PUT /v2/workflows/mail', 'DELETE /v2/layouts/frame']);
    files.remove('workflows/mail.yaml');
    files.write('workflows/layouts/frame.yaml', layout('frame'));
    expect((await svc(['workflows', 'push', ...options])).code).toBe(0);
    files.remove('workflows/layouts/frame.yaml');
    const workflows = ['c', 'a', 'b'].map((workflowId) => ({ workflowId, name: workflowId }));
    answerBy(({ url }) =>
      url.pathname.endsWith('/usage') ? { status: 200, body: { data: { workflows } } } : undefined,
    );
    const several = await svc([...words`workflows push --delete --dry-run -o table`, ...options]);
    expect(several.stdout).toContain(
      '- layout frame\n  The service removes it from the steps of a, b and c.\n',
    );
  });

  it('keeps workflows that are defined in code', async () => {
    const { svc, files } = await openWorkflowRig();
    files.write('workflows/hello.yaml', smsFile('hello'));
    await svc(['workflows', 'push', '--delete', '--yes']);
    const { stdout } = await svc(['workflows', 'list', '-o', 'ids']);
    expect(stdout.split('\n').sort()).toEqual(['', 'hello', 'legacy-newsletter', 'partner-sync']);
  });
});
