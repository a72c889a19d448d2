// Who may see the page: links that work once within a minute, and the sessions that they start. Both are kept in
// memory and end with the sandbox. Only digests of the secrets are stored.

import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../store/ids.ts';
import { linkLifetimeMs } from './client.ts';

export interface Notice {
  text: string;
  isProblem?: boolean;
}

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export interface PageSession {
  environmentId: string;
  /** Every form contains it. */
  token: string;
  /** The result of its last action, until it was shown. */
  notice?: Notice | undefined;
  /** Chosen on the page. By default, the setting of the browser. */
  theme?: Theme | undefined;
  /** E-mails load images from other machines. By default, they do not. */
  loadsImages?: boolean;
  /** The last input of the preview of each workflow, by identifier. */
  previews: Map<string, { payload: string; subscriber: string }>;
}

export interface PageSessions {
  /** Returns the secret of a new link to the page of an environment. */
  createLink(environmentId: string): string;
  /** Ends a link and starts a session. Returns the value of its cookie; undefined if the link is not valid. */
  redeem(secret: string): string | undefined;
  find(cookie: string | undefined): PageSession | undefined;
}

/** Fewer than in a cookie, so that a link fits into 80 columns. */
const linkBytes = 16;
const maxLinks = 100;
const maxSessions = 100;

/** `clock` shows the time of the machine. */
export function createPageSessions(clock: Clock): PageSessions {
  const links = new Map<string, { environmentId: string; expiresAt: number }>();
  const sessions = new Map<string, PageSession>();
  return {
    createLink(environmentId) {
      const secret = newSecret(linkBytes);
      removeOldest(links, maxLinks);
      links.set(digest(secret), { environmentId, expiresAt: clock.now() + linkLifetimeMs });
      return secret;
    },
    redeem(secret) {
      const key = digest(secret);
      const link = links.get(key);
      links.delete(key);
      if (!link || clock.now() >= link.expiresAt) return undefined;
      const cookie = newSecret();
      removeOldest(sessions, maxSessions);
      sessions.set(digest(cookie), {
        environmentId: link.environmentId,
        token: newSecret(),
        previews: new Map(),
      });
      return cookie;
    },
    find: (cookie) => (cookie === undefined ? undefined : sessions.get(digest(cookie))),
  };
}

const newSecret = (bytes = 32) => randomBytes(bytes).toString('base64url');

const digest = (secret: string) => createHash('sha256').update(secret).digest('base64url');

/** Makes room for one more entry. */
function removeOldest(entries: Map<string, unknown>, limit: number): void {
  const [oldest] = entries.keys();
  if (entries.size >= limit && oldest !== undefined) entries.delete(oldest);
}
