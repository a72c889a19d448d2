// The token of a session. It opens the inbox of one subscriber of one environment, and nothing else.
import { jwtVerify, SignJWT } from 'jose';
import type { z } from 'zod';
import type { InboxRouteId, inboxRoutes } from '../../service/inbox-routes.ts';
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
          ...{ issuer, audience },
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

// A call of an inbox client, and the handlers of its routes.

export interface InboxCall<Query = unknown, Body = unknown> {
  /** The parameter of the path; empty if the path has none. */
  id: string;
  query: Query;
  body: Body;
  scope: Scope;
  subscriber: StoredSubscriber;
  contextKeys: SessionClaims['contextKeys'];
}

type Output<Id extends InboxRouteId, Part extends 'query' | 'body'> =
  (typeof inboxRoutes)[Id] extends Record<Part, infer Schema extends z.ZodType>
    ? z.output<Schema>
    : undefined;

/** In a transaction, except for GET. Each returns the body of the response; undefined: a response with status 204. */
export type InboxHandlers = {
  [Id in InboxRouteId]: (call: InboxCall<Output<Id, 'query'>, Output<Id, 'body'>>) => unknown;
};
