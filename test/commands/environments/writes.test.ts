// `svc environments update` and `delete`.
import { describe, expect, it } from 'vitest';
import { openRig, type Rig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const create = async ({ svc }: Rig) => {
  const { stdout } = await svc(words`environments create Staging --color #2f9e44 --json`);
  return (JSON.parse(stdout) as { _id: string })._id;
};
const names = async ({ svc }: Rig) =>
  (JSON.parse((await svc(['environments', 'list', '--json'])).stdout) as { name: string }[]).map(
    ({ name }) => name,
  );

describe('svc environments update', () => {
  it('finds the environment by name and prints it as it is afterwards', async () => {
    const rig = await openRig();
    const id = await create(rig);
    const line = ['environments', 'update', 'staging', '--name', 'Test', '--parent', 'Development'];
    const { stderr, stdout, requests } = await rig.svc(line, { tty: true });
    expect(requests[1]).toMatchObject({ line: `PUT /v1/environments/${id}` });
    expect(stderr).toContain('Updated environment Staging at http://sandbox.localhost.');
    expect(stdout).toMatch(/NAME +Test/);
    expect(await names(rig)).toEqual(['Development', 'Production', 'Test']);
  });

  it.each([
    ['no change', ['update', 'Staging'], 2],
    ['a blank name', ['update', 'Staging', '--name', ' '], 2],
    ['the name of another environment', ['update', 'Staging', '--name', 'Production'], 2],
    ['a color that is not hex', ['update', 'Staging', '--color', 'red'], 2],
    ['a new name for Production', ['update', 'Production', '--name', 'Live'], 6],
    ['an unknown environment', ['update', 'Nowhere', '--color', '#ffffff'], 5],
  ])('exits without a change for %s', async (_name, words, exitCode) => {
    const rig = await openRig();
    await create(rig);
    const { code } = await rig.svc(['environments', ...words]);
    expect(code).toBe(exitCode);
    expect(await names(rig)).toEqual(['Development', 'Production', 'Staging']);
  });
});

describe('svc environments delete', () => {
  it('asks for the name; without a terminal it needs --yes', async () => {
    const rig = await openRig();
    const id = await create(rig);
    const line = ['environments', 'delete', 'Staging'];
    const asked = await rig.svc(line);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(
      `to delete environment Staging (${id}) with everything in it at`,
    );
    const { stdout } = await rig.svc([...line, '--yes', '--json']);
    expect(JSON.parse(stdout)).toEqual({ deleted: true, id, name: 'Staging' });
    expect(await names(rig)).toEqual(['Development', 'Production']);
  });

  it('names the environment of the key, and is refused for Development', async () => {
    const { svc } = await openRig();
    const line = ['environments', 'delete', 'Development'];
    expect((await svc(line)).stderr).toContain('It is the environment of this key');
    const { code, stderr } = await svc([...line, '--yes']);
    expect(code).toBe(6);
    expect(stderr).toContain('protected');
  });

  it('checks the list if the service reports an error after deleting', async () => {
    const rig = await openRig();
    const id = await create(rig);
    let isDeleted = false;
    rig.answerBy(({ method }) => {
      if (method === 'DELETE') {
        isDeleted = true;
        return { status: 500, body: { statusCode: 500, message: 'Internal server error' } };
      }
      return isDeleted ? { status: 200, body: [] } : undefined;
    });
    const line = ['environments', 'delete', id, '--yes', '--retries', '0'];
    const { code, stderr } = await rig.svc(line, { tty: true });
    expect(code).toBe(0);
    expect(stderr).toContain('the environment is gone');
  });
});
