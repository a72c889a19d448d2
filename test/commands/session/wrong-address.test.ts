// A base URL that does not belong to the service: the error names where it comes from.
import { expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { printedError } from '../../support/printed-error.ts';
import { openRig, type Rig } from '../../support/rig.ts';

const notFound = (path: string) => ({
  status: 404,
  body: { statusCode: 404, message: `Cannot GET ${path}` },
});

/** Opens a rig with a profile that has the address of the sandbox. */
async function openWithProfile(): Promise<Rig> {
  const rig = await openRig({ bare: true });
  const login = ['login', '--base-url', baseUrl, '--profile', 'work', '--with-key'];
  expect(await rig.svc(login, { stdin: testKey })).toMatchObject({ code: 0 });
  return rig;
}

const line = ['topics', 'list'];
const message = `Error: The base URL ${baseUrl} is not the address of the service: Cannot GET /v2/topics\n  (status 404, /v2/topics)\n`;

it('a wrong base URL in a variable is reported with the variable', async () => {
  const rig = await openRig();
  rig.answer(notFound('/v2/topics'));
  const { code, stderr } = await rig.svc(line);
  expect(code).toBe(8);
  expect(stderr).toBe(`${message}Check the base URL (from SVC_BASE_URL).\n`);
});

it('a wrong base URL of an option is reported with the option', async () => {
  const rig = await openRig();
  rig.answer(notFound('/v2/topics'));
  const { code, stderr } = await rig.svc([...line, '--base-url', baseUrl, '--json']);
  expect(code).toBe(8);
  expect(printedError(stderr)).toMatchObject({
    hint: 'Check the base URL (from --base-url).',
    next: [],
  });
});

it('a wrong base URL of a profile is reported with the command that shows the profile', async () => {
  const rig = await openWithProfile();
  rig.answer(notFound('/v2/topics'));
  const { code, stderr } = await rig.svc(line);
  expect(code).toBe(8);
  expect(stderr).toBe(
    `${message}Check the base URL (from profile work).\n  svc profiles show work\n`,
  );
});

it('a wrong base URL of another profile that the command names is reported with that profile', async () => {
  const rig = await openWithProfile();
  rig.answerBy(({ url }) => notFound(url.pathname));
  const { code, stderr } = await rig.svc(['diff', 'work', '--dir', '.']);
  expect(code).toBe(2);
  expect(stderr).toContain('no workflow files');
  const pull = await rig.svc(['sandbox', 'pull', '--from', 'work', '--file', 'state.yaml'], {
    env: { SVC_BASE_URL: 'http://other.localhost', SVC_API_KEY: testKey },
  });
  expect(pull.code).toBe(8);
  expect(pull.stderr).toContain('(from profile work).\n  svc profiles show work\n');
});

it('a wrong base URL at login is reported with its source', async () => {
  const rig = await openRig({ bare: true });
  rig.answer(notFound('/v1/environments'));
  const login = ['login', '--base-url', baseUrl, '--profile', 'work', '--with-key'];
  const { code, stderr } = await rig.svc(login, { stdin: testKey });
  expect(code).toBe(8);
  expect(stderr).toContain('Check the base URL (from --base-url).\n');
});

it('a page of HTML and a path that the service does not have are reported with the source, too', async () => {
  const rig = await openWithProfile();
  const headers = { 'content-type': 'text/html' };
  rig.answer({ status: 200, text: '<!doctype html>', headers }, notFound('/v2/nothing'));
  const page = await rig.svc([...line, '--retries', '0']);
  expect(page.code).toBe(7);
  expect(page.stderr).toContain('Check the base URL (from profile work), and whether a proxy');
  const { code, stderr } = await rig.svc(['api', 'GET', '/v2/nothing']);
  expect(code).toBe(5);
  expect(stderr).toContain(
    'or check the base URL (from profile work).\n  svc schema\n  svc profiles show work\n',
  );
});
