// Folders that are made to write or read files elsewhere, and files that are not svc's.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostileTexts } from './hostile-texts.ts';
import { firstLine, openWorkflowRig } from './workflow-folder.ts';

/** A folder outside of the rig, with a file. */
function openOutside() {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-outside-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const secret = path.join(folder, 'secret.txt');
  writeFileSync(secret, 'secret');
  return { folder, secret };
}

const workflowWith = (reference: string) =>
  `${firstLine}\nworkflowId: bad\nsteps:\n  - { stepId: a, type: sms, controlValues: { body: { $file: ${JSON.stringify(reference)} } } }\n`;

describe('a symbolic link', () => {
  it.each([
    ['the folder', 'workflows', 'workflows'],
    ['a part of the path', 'linked', 'linked/workflows'],
    ['a part of the path that begins with dots', '..linked', '..linked/workflows'],
    ['the folder of the layouts', 'workflows/layouts', 'workflows'],
  ])(
    'as %s is refused before the first request and nothing is written',
    async (_what, link, dir) => {
      const rig = await openWorkflowRig();
      const { folder } = openOutside();
      mkdirSync(path.join(folder, 'workflows'));
      mkdirSync(path.dirname(path.join(rig.folder, link)), { recursive: true });
      symlinkSync(folder, path.join(rig.folder, link));
      const { code, stderr } = await rig.svc(['workflows', 'pull', 'welcome', '--dir', dir]);
      expect(code).toBe(2);
      expect(stderr).toContain('is a symbolic link, which svc does not follow.');
      expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['secret.txt', 'workflows']);
      const pushed = await rig.svc(['workflows', 'push', dir, '--yes']);
      expect({ code: pushed.code, requests: pushed.requests }).toEqual({ code: 2, requests: [] });
    },
  );

  it.each(['welcome.yaml', 'welcome.welcome-email.body.html'])(
    'in the place of %s is refused, and no file is written',
    async (name) => {
      const rig = await openWorkflowRig();
      const { secret } = openOutside();
      mkdirSync(path.join(rig.folder, 'workflows'));
      symlinkSync(secret, path.join(rig.folder, 'workflows', name));
      const { code, stderr } = await rig.svc(['workflows', 'pull', 'welcome']);
      expect(code).toBe(2);
      expect(stderr).toContain(`${name} is not a regular file`);
      expect(readFileSync(secret, 'utf8')).toBe('secret');
      expect(readdirSync(path.join(rig.folder, 'workflows'))).toEqual([name]);
    },
  );

  it('to a folder that does not exist is refused', async () => {
    const rig = await openWorkflowRig();
    const { folder } = openOutside();
    symlinkSync(path.join(folder, 'new'), path.join(rig.folder, 'workflows'));
    const { code } = await rig.svc(['workflows', 'pull', 'welcome']);
    expect(code).toBe(2);
    expect(existsSync(path.join(folder, 'new'))).toBe(false);
  });

  it('as content of a workflow is not read', async () => {
    const rig = await openWorkflowRig();
    const { secret } = openOutside();
    rig.files.write('workflows/bad.yaml', workflowWith('bad.a.body.txt'));
    symlinkSync(secret, path.join(rig.folder, 'workflows', 'bad.a.body.txt'));
    const { code, stdout, stderr, requests } = await rig.svc(['workflows', 'push', '--yes']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('is a symbolic link');
    expect(`${stdout}${stderr}`).not.toContain('secret"');
  });

  it('as .gitattributes is not followed', async () => {
    const rig = await openWorkflowRig();
    const { secret } = openOutside();
    mkdirSync(path.join(rig.folder, 'workflows'));
    symlinkSync(secret, path.join(rig.folder, 'workflows', '.gitattributes'));
    await rig.svc(['workflows', 'pull', 'welcome']);
    expect(readFileSync(secret, 'utf8')).toBe('secret');
  });
});

describe('$file', () => {
  it.each([
    '../secret.txt',
    '/etc/passwd',
    '..',
    '.',
    'layouts/../../secret.txt',
    '.env',
    'a\\b',
    'C:secret',
    'no-such.txt',
  ])('does not read %s', async (reference) => {
    const rig = await openWorkflowRig();
    rig.files.write('secret.txt', 'secret');
    rig.files.write('workflows/.env', 'secret');
    rig.files.write('workflows/bad.yaml', workflowWith(reference));
    const { code, stderr, requests } = await rig.svc(['workflows', 'push', '--yes']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toMatch(/bad\.yaml:4:\d+: /);
  });

  it.each([
    ['is not UTF-8', Buffer.from([0xff, 0xfe, 0x00]), 'is not UTF-8 text'],
    ['is larger than 16 MB', Buffer.alloc(17 * 1024 * 1024, 'x'), 'is larger than 16 MB'],
  ])('refuses a file that %s', async (_what, bytes, message) => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/bad.yaml', workflowWith('bad.a.body.txt'));
    writeFileSync(path.join(rig.folder, 'workflows', 'bad.a.body.txt'), bytes);
    const { code, stderr } = await rig.svc(['workflows', 'push', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('identifiers that cannot be file names', () => {
  it.each(hostileTexts)(
    '%j is listed and skipped, and nothing is written outside the folder',
    async (id) => {
      const rig = await openWorkflowRig();
      rig.answerBy(({ url }) => {
        const workflow = {
          workflowId: id,
          name: id,
          steps: [],
          origin: 'novu-cloud',
          updatedAt: '',
        };
        if (url.pathname === '/v2/workflows')
          return { status: 200, body: { data: { workflows: [workflow], totalCount: 1 } } };
        if (url.pathname === '/v2/layouts')
          return { status: 200, body: { data: { layouts: [], totalCount: 0 } } };
        return { status: 200, body: { data: workflow } };
      });
      const before = readdirSync(rig.folder);
      const { code, stdout } = await rig.svc(['workflows', 'pull', '--json']);
      expect(code).toBe(3);
      expect(JSON.parse(stdout)).toMatchObject([{ id, result: 'skipped' }]);
      expect(
        readdirSync(rig.folder).filter((name) => ![...before, 'cache'].includes(name)),
      ).toEqual(['workflows']);
      expect(readdirSync(path.join(rig.folder, 'workflows'))).toEqual(['.gitattributes']);
    },
  );
});

describe('a file that svc did not write', () => {
  it.each(['welcome.yaml', 'welcome.welcome-email.body.html'])(
    'is not overwritten as %s, and no other file is written',
    async (name) => {
      const rig = await openWorkflowRig();
      rig.files.write(`workflows/${name}`, 'mine');
      const { code, stderr } = await rig.svc(['workflows', 'pull']);
      expect(code).toBe(2);
      expect(stderr).toContain(`${name} was not written by svc`);
      expect(rig.files.contents()).toEqual({ [name]: 'mine' });
    },
  );

  it('is ignored by a push of its folder, which says so', async () => {
    const rig = await openWorkflowRig();
    await rig.svc(['workflows', 'pull', 'welcome']);
    rig.files.write('workflows/compose.yaml', 'services: {}\n');
    const { code, stderr } = await rig.svc(['workflows', 'push', '--check']);
    expect(code).toBe(0);
    expect(stderr).toContain('Ignored compose.yaml');
  });

  it('is refused if it is named', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/compose.yaml', 'services: {}\n');
    const { code, stderr } = await rig.svc(['workflows', 'push', 'workflows/compose.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain('The first line must be: # svc workflow, format 1');
  });
});

describe('a file with errors', () => {
  it.each([
    ['steps: 5', 'bad.yaml:3:1: steps must be an array'],
    ['nme: x', 'bad.yaml:3:1: nme is an unknown field'],
    ['tags: [a, 5]', 'bad.yaml:3:11: tags[1] must be a string'],
    ['name: "open', 'bad.yaml:4:1: Missing closing'],
    ['name: a\nname: b', 'bad.yaml:4:1: Map keys must be unique'],
    ['steps: [{ stepId: a, type: sms }, { stepId: a, type: sms }]', '"a" is a duplicate'],
    ['a: &a [*a]', 'bad.yaml:3:8: *a is inside its own value'],
    ['origin: external', 'bad.yaml:3:1: origin is an unknown field'],
  ])('%s is reported with its place, and no request is sent', async (text, message) => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/bad.yaml', `${firstLine}\nworkflowId: bad\n${text}\n`);
    const { code, stderr, requests } = await rig.svc(['workflows', 'push', '--yes']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it.each([
    ['# svc workflow, format 2', 'format 2 is not supported'],
    ['# svc layout, format 1', 'belongs in layouts/'],
  ])('with the first line %s is refused', async (line, message) => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/bad.yaml', `${line}\nworkflowId: bad\n`);
    const { code, stderr } = await rig.svc(['workflows', 'push', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('whose name is not its workflowId is refused', async () => {
    const rig = await openWorkflowRig();
    rig.files.write('workflows/a.yaml', `${firstLine}\nworkflowId: b\n`);
    const { code, stderr } = await rig.svc(['workflows', 'push', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('workflowId is b, but the file name is a.yaml');
  });

  it.each([['an empty folder'], ['a folder that does not exist']])(
    '%s is refused',
    async (what) => {
      const rig = await openWorkflowRig();
      if (what === 'an empty folder') mkdirSync(path.join(rig.folder, 'workflows'));
      const { code, stderr, requests } = await rig.svc(['workflows', 'push', '--delete', '--yes']);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(stderr).toContain('svc workflows pull');
    },
  );
});
