import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';

describe('svc topics create', () => {
  it('creates a topic and prints it', async () => {
    const { svc } = await openRig();
    const line = ['topics', 'create', 'launch', '--name', 'Product launch'];
    const { code, stderr, stdout, requests } = await svc(line, { tty: true });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Created topic launch at http://sandbox.localhost.\n',
    });
    expect(stdout).toMatch(/NAME +Product launch/);
    expect(requests.at(-1)).toMatchObject({
      line: 'POST /v2/topics',
      body: { key: 'launch', name: 'Product launch' },
    });
  });

  it('names the option for a second argument', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['topics', 'create', 'launch', 'Launch']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'Error: Unexpected argument `Launch`.\nPass the name with --name.\n  svc topics create --help\n',
    });
  });

  it('says when the topic existed, and prints its new name', async () => {
    const { svc } = await openRig();
    const line = ['topics', 'create', 'announcements', '--name', 'News'];
    const { stderr, stdout } = await svc(line, { tty: true });
    expect(stderr).toContain('Topic announcements already existed and has the name News at');
    expect(stdout).toMatch(/NAME +News/);
    const same = await svc(['topics', 'create', 'announcements'], { tty: true });
    expect(same.stderr).toContain('Topic announcements already existed at');
    expect(same.stdout).toMatch(/NAME +News/);
  });

  it('is refused for a key that the service does not accept', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['topics', 'create', 'not a key']);
    expect(code).toBe(6);
    expect(stderr).toContain('Invalid topic key: "not a key".');
  });

  it('says that a server does not offer the operation', async () => {
    const { svc, answer } = await openRig();
    answer(
      { status: 404, body: { statusCode: 404, message: 'Topic not found' } },
      { status: 404, body: { statusCode: 404, message: 'Cannot POST /v2/topics' } },
    );
    const { code, stderr } = await svc(['topics', 'create', 'launch']);
    expect(code).toBe(5);
    expect(stderr).toContain('This server does not offer POST /v2/topics.');
  });
});

describe('svc topics delete', () => {
  it('asks first, then deletes the topic', async () => {
    const { svc } = await openRig();
    const line = ['topics', 'delete', 'announcements'];
    const asked = await svc(line);
    expect(asked).toMatchObject({ code: 2, requests: [] });
    expect(asked.stderr).toContain('to delete topic announcements at http://sandbox.localhost.');
    const { stdout } = await svc([...line, '--yes', '--json']);
    expect(JSON.parse(stdout)).toEqual({ deleted: true, key: 'announcements' });
    expect((await svc(['topics', 'get', 'announcements'])).code).toBe(5);
    expect((await svc(['subscribers', 'get', 'u1'])).code).toBe(0);
  });

  it('suggests a similar key for an unknown topic', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['topics', 'delete', 'announcement', '--yes']);
    expect(code).toBe(5);
    expect(stderr).toContain('Did you mean `announcements`?');
  });
});
