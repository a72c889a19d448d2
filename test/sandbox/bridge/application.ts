// An application that defines workflows by code, with its endpoint on a free port.
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Client, workflow } from '@novu/framework';
import { serve } from '@novu/framework/hono';
import { Hono } from 'hono';
import { onTestFinished, vi } from 'vitest';
import { testKey } from '../../support/fixed.ts';

/** A digest, then an e-mail about its events, and a message in the inbox that is skipped for one of them. */
export const comments = workflow(
  'comments',
  async ({ step, payload, subscriber }) => {
    const digested = await step.digest('collect', async () => ({ unit: 'minutes', amount: 10 }));
    await step.email('mail', async () => ({
      subject: `${digested.events.length} comments for ${subscriber.firstName}`,
      body: digested.events.map(({ payload }) => `<p>${payload.text}</p>`).join(''),
    }));
    await step.inApp('inbox', async () => ({ body: payload.text }), {
      skip: () => digested.events.length > 1,
    });
  },
  {
    ...{ name: 'Comments', tags: ['social'] },
    payloadSchema: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    } as const,
  },
);

export const reminder = workflow('reminder', async ({ step }) => {
  await step.delay('wait', async () => ({ unit: 'hours', amount: 1 }));
  const { isUrgent } = await step.custom('check', async () => ({ isUrgent: true }), {
    outputSchema: {
      type: 'object',
      properties: { isUrgent: { type: 'boolean' } },
      required: ['isUrgent'],
    } as const,
  });
  await step.sms('text', async () => ({ body: isUrgent ? 'Now!' : 'Soon.' }));
});

export const broken = workflow('broken', async ({ step }) => {
  await step.inApp('inbox', async () => {
    throw new Error('No database');
  });
});

interface ApplicationOptions {
  workflows?: Parameters<typeof serve>[0]['workflows'];
  secretKey?: string;
  /** A free one if absent. */
  port?: number;
}

/** Returns the address of the endpoint. It accepts only signed requests. */
export async function startApplication({
  workflows = [comments, reminder, broken],
  secretKey = testKey,
  port,
}: ApplicationOptions = {}) {
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const requests: string[] = [];
  const client = new Client({ secretKey, strictAuthentication: true });
  const app = new Hono();
  app.use(async ({ req }, next) => {
    requests.push(`${req.query('action')} ${req.query('stepId') ?? ''}`.trim());
    await next();
  });
  app.on(['GET', 'POST', 'OPTIONS'], '/api/novu', (c) => serve({ client, workflows })(c));
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  return { url: `${await listen(server, port)}/api/novu`, requests, server };
}

/** Listens until the test is over. Returns the origin. */
export async function listen(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}
