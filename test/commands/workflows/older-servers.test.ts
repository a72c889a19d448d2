// Servers that lack layouts, or that cannot write workflows.
import { expect, it } from 'vitest';
import { parsed } from '../../support/rig.ts';
import { firstLine, openWorkflowRig } from './workflow-folder.ts';

const lacks = (method: string, pathname: string) => (request: { method: string; url: URL }) =>
  request.method === method && request.url.pathname.startsWith(pathname)
    ? {
        status: 404,
        body: { statusCode: 404, message: `Cannot ${method} ${request.url.pathname}` },
      }
    : undefined;

it('workflows of a server without layouts can be pulled and pushed', async () => {
  const { svc, files, answerBy } = await openWorkflowRig();
  answerBy(lacks('GET', '/v2/layouts'));
  expect((await svc(['workflows', 'pull'])).code).toBe(3);
  expect(Object.keys(files.contents())).toContain('welcome.yaml');
  files.edit('workflows/welcome.yaml', 'name: Welcome', 'name: Hi');
  const { code, stdout } = await svc(['workflows', 'push', '--yes', '--json']);
  expect(code).toBe(0);
  expect(parsed(stdout).results).toMatchObject([{ id: 'welcome', result: 'written' }]);
});

it('a push to a server that cannot write workflows exits with 5 and says so', async () => {
  const { svc, files, answerBy } = await openWorkflowRig();
  answerBy(lacks('POST', '/v2/workflows'));
  files.write('workflows/hello.yaml', `${firstLine}\nworkflowId: hello\n`);
  const { code, stdout } = await svc(['workflows', 'push', '--yes'], { tty: true, columns: 200 });
  expect(code).toBe(5);
  expect(stdout).toMatch(/failed {3}workflow hello: .*does not offer/);
});

it('a preview of an e-mail whose layout does not exist shows that', async () => {
  const { svc, answerBy } = await openWorkflowRig();
  const { stdout: current } = await svc(['workflows', 'get', 'welcome', '--json']);
  const workflow = JSON.parse(
    current.replaceAll('"editorType": "html"', '"editorType": "html", "layoutId": "gone"'),
  );
  answerBy(({ url }) =>
    url.pathname === '/v2/workflows/welcome'
      ? { status: 200, body: { data: workflow } }
      : undefined,
  );
  const { code, stdout } = await svc(['workflows', 'preview', 'welcome', '--json']);
  expect(code).toBe(3);
  expect(JSON.parse(stdout)[1].reason).toBe('its layout `gone` does not exist');
});
