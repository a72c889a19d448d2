// Adds the routes of inbox clients to the sandbox. They are loaded with the first request for them.
import type { Hono } from 'hono';
import type { HandleInbox, InboxOptions } from './handle.ts';

export function mountInbox(app: Hono, options: InboxOptions): void {
  let inbox: Promise<HandleInbox> | undefined;
  app.all('/v1/inbox/*', async ({ req }, next) => {
    inbox ??= import('./handle.ts').then(({ createInboxHandler }) => createInboxHandler(options));
    const response = await (await inbox)(req.raw);
    return response ?? next();
  });
}
