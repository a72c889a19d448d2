// The token of a session. It opens the inbox of one subscriber of one environment, and nothing else.
import { jwtVerify, SignJWT } from 'jose';
import type { InboxId, InboxOperations } from '../../service/operations/inbox-client.ts';
import type { CallOf } from '../api/handler.ts';
import type { Clock } from '../store/ids.ts';
import type { Scope, Store } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';

export interface SessionClaims {
  environmentId: string;
  subscriberId: string;
  contextKeys: string[];
}

const algorithm = 'HS256';
const issuer = 'novu_api';
const audience = 'widget_user';
const lifetimeSeconds = 15 * 24 * 60 * 60;

interface SessionTokens {
  /** `details` are for the client, and are not read again. */
  sign(claims: SessionClaims, details: Record<string, unknown>): Promise<string>;
  /** Undefined for a token that this sandbox did not sign, or that has expired. */
  verify(token: string): Promise<SessionClaims | undefined>;
}

/** `clock` shows the time of the machine, so that a frozen clock keeps no session alive and a moved one ends none. */
export function createSessionTokens(
  { sessionSecret }: Pick<Store, 'sessionSecret'>,
  clock: Clock,
): SessionTokens {
  const seconds = () => Math.floor(clock.now() / 1000);
  return {
    sign: (claims, details) =>
      new SignJWT({ ...details, ...claims })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setIssuedAt(seconds())
        .setExpirationTime(seconds() + lifetimeSeconds)
        .setIssuer(issuer)
        .setAudience(audience)
        .sign(sessionSecret),
    async verify(token) {
      try {
        const { payload } = await jwtVerify<SessionClaims>(token, sessionSecret, {
          algorithms: [algorithm],
          issuer,
          audience,
          requiredClaims: ['exp'],
          currentDate: new Date(clock.now()),
        });
        return payload;
      } catch {
        return undefined;
      }
    },
  };
}

// The calls of inbox clients, and the handlers of their operations.

/** The inbox of a session. */
export interface Inbox {
  subscriber: StoredSubscriber;
  /** Of the session; undefined with an API key that names none: any. */
  contextKeys: SessionClaims['contextKeys'] | undefined;
  /** Of the session. */
  request?: Request;
}

type SessionId = Exclude<InboxId, 'openSession'>;
export type InboxCall<Id extends SessionId> = CallOf<InboxOperations[Id]> & Inbox;
/** The members of all calls. */
export type AnyInboxCall = Inbox & { scope: Scope };

/** In a transaction, except for GET. Each returns the body of the response. */
export type InboxHandlers = { [Id in SessionId]: (call: InboxCall<Id>) => unknown };
