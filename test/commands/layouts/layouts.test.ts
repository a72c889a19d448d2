// `svc layouts`
import { describe, expect, it } from 'vitest';
import { openEnvironments } from '../environments/environment-folder.ts';

async function openLayouts() {
  const rig = await openEnvironments();
  await rig.pull('a', 'development', '--only', 'layouts,workflows');
  rig.files.write(
    'a/workflows/layouts/other.yaml',
    '# svc layout, format 1\nlayoutId: other\nname: Other\ncontrolValues:\n  email: { body: "<html><body>{{content}}</body></html>", editorType: html }\n',
  );
  rig.files.edit('a/workflows/welcome.yaml', 'layoutId: frame', 'layoutId: other');
  await rig.push('a', 'development');
  return rig;
}

describe('svc layouts', () => {
  it('list shows the default one', async () => {
    const { svc } = await openLayouts();
    const { stdout } = await svc(['layouts', 'list', '--order-by', 'name', '--order', 'asc']);
    expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 3))).toEqual([
      ['frame', 'Frame', 'yes'],
      ['other', 'Other', 'no'],
      [''],
    ]);
    expect((await svc(['layouts', 'list', '-o', 'ids', '--query', 'oth'])).stdout).toBe('other\n');
  });

  it('get shows the body, and suggests a similar name', async () => {
    const { svc } = await openLayouts();
    expect((await svc(['layouts', 'get', 'frame'], { tty: true })).stdout).toContain('{{content}}');
    const missing = await svc(['layouts', 'get', 'fram']);
    expect(missing.code).toBe(5);
    expect(missing.stderr).toContain('Did you mean `frame`?');
  });

  it('are offered by Tab', async () => {
    const { svc } = await openLayouts();
    await svc(['layouts', 'get', 'other']);
    const { stdout } = await svc(['__complete', '--', 'layouts', 'get', '']);
    expect(stdout.trimEnd().split('\n').sort()).toEqual(['frame\tFrame', 'other\tOther']);
  });

  it('delete names the workflows that use it and asks; the default one stays', async () => {
    const { svc } = await openLayouts();
    const refused = await svc(['layouts', 'delete', 'other']);
    expect(refused.code).toBe(2);
    expect(refused.stderr.replace(/\s+/g, ' ')).toContain('removes it from the steps of welcome');
    const deleted = await svc(['layouts', 'delete', 'other', '--yes', '--json']);
    expect(JSON.parse(deleted.stdout)).toEqual({
      ...{ deleted: true, layoutId: 'other', workflows: ['welcome'] },
    });
    const kept = await svc(['layouts', 'delete', 'frame', '--yes']);
    expect(kept.code).toBe(6);
    expect(kept.stderr).toContain('default layout');
  });
});
