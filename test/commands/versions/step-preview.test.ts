// The preview of a step by the service, which is open to API keys since 3.15.
import { expect, it } from 'vitest';
import { openRig, type Rig } from '../../support/rig.ts';
import { answered } from '../../support/server-319.ts';

interface Body {
  previewPayload: { payload: object; subscriber: object; steps: object };
}

/** Its previews have the text `from the server`. `knows`: the fields of the payload that it uses. */
function answerPreviews(rig: Rig, knows = ['product']): Body[] {
  const bodies: Body[] = [];
  rig.answerBy(({ method, url, body }) => {
    const [, stepId] = /\/step\/([\w-]+)\/preview$/.exec(url.pathname) ?? [];
    if (method !== 'POST' || stepId === undefined) return undefined;
    bodies.push(body as Body);
    const given = Object.entries((body as Body).previewPayload.payload);
    const payload = Object.fromEntries(given.filter(([name]) => knows.includes(name)));
    const preview = stepId === 'welcome-email' ? {} : { body: `from the server: ${stepId}` };
    return answered(201, {
      result: { preview, type: 'in_app' },
      previewPayloadExample: { payload },
      schema: null,
    });
  });
  return bodies;
}

const line = ['workflows', 'preview', 'welcome', '--to', 'u1', '-f', 'product=svc'];

it('workflows preview shows what the server renders, and its own rendering of the rest', async () => {
  const rig = await openRig();
  const local = JSON.parse((await rig.svc([...line, '--local', '--json'])).stdout) as object[];
  const bodies = answerPreviews(rig);
  const { code, stdout } = await rig.svc([...line, '--json']);
  const steps = JSON.parse(stdout) as { stepId: string; result: string; content: object }[];
  expect({ code, count: steps.length }).toEqual({ code: 0, count: local.length });
  const inApp = steps.find(({ stepId }) => stepId === 'welcome-inbox');
  expect(inApp?.content).toEqual({ body: 'from the server: welcome-inbox' });
  // An empty preview says nothing.
  const email = steps.findIndex(({ stepId }) => stepId === 'welcome-email');
  expect(steps[email]).toEqual(local[email]);
  expect(bodies[0]?.previewPayload).toMatchObject({
    payload: { product: 'svc' },
    subscriber: { subscriberId: 'u1', avatar: expect.any(String) },
  });
});

it.each([['--local'], ['--dry-run']])(
  'workflows preview %s does not ask the server',
  async (option) => {
    const rig = await openRig();
    const bodies = answerPreviews(rig);
    const { code, stdout } = await rig.svc([...line, option, '--json']);
    expect({ code, bodies }).toEqual({ code: 0, bodies: [] });
    expect(stdout).not.toContain('from the server');
  },
);

it('workflows preview renders itself if the server ignores a field of the payload', async () => {
  const rig = await openRig();
  answerPreviews(rig, []);
  const { code, stdout, stderr } = await rig.svc(line);
  expect(code).toBe(0);
  expect(stdout).not.toContain('from the server');
  expect(stderr).toContain('ignores payload fields that payloadSchema lacks: product.');
});

it('workflows preview renders itself on an older server', async () => {
  const rig = await openRig();
  const message = 'API endpoint not accessible';
  rig.answerBy(({ url: { pathname } }) =>
    pathname.endsWith('/preview')
      ? { status: 401, body: { statusCode: 401, error: 'Unauthorized', message, path: pathname } }
      : undefined,
  );
  const older = await rig.svc(line);
  expect({ code: older.code, stderr: older.stderr }).toEqual({ code: 0, stderr: '' });
  expect(older.stdout).toBe((await rig.svc([...line, '--local'])).stdout);
});
