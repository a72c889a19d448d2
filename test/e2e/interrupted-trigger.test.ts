// A trigger that is interrupted before its outcome is known.
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { json, openService } from '../support/service.ts';

const trigger = ['events', 'trigger', 'welcome', '--to', 'u1'];

it.each([[[]], [['--wait']]])(
  'an event is named by its id if the command is interrupted: %j',
  async (options) => {
    const home = openHome();
    let onRequest = () => undefined as unknown;
    const requested = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    const { env, seen } = await openService(({ method, target, body }, response) => {
      if (target.endsWith('/preferences')) return json(response, 200, {});
      if (method === 'GET' || options.length === 0) return onRequest();
      const [{ transactionId }] = JSON.parse(body).events;
      json(response, 201, [{ acknowledged: true, status: 'processed', transactionId }]);
    });
    const run = home.start([...trigger, ...options], { env: { ...home.env, ...env } });
    await requested;
    run.process.kill('SIGINT');
    const { code, stderr } = await run.ended;
    const [{ transactionId }] = JSON.parse(
      seen.find(({ method }) => method === 'POST')?.body ?? '',
    ).events;
    expect(code).toBe(130);
    expect(stderr).toContain(`svc activity get ${transactionId}`);
  },
);
