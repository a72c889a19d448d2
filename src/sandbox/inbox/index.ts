// The inbox of the sandbox: the handlers of the operations of inbox clients, and the sessions that may call them. Loaded
// with the first request for them.
import type { InboxOperations } from '../../service/operations/inbox-client.ts';
import type { CallOf } from '../api/handler.ts';
import { rememberEnvironment } from '../http/authorization.ts';
import { unauthorized } from '../http/http-error.ts';
import type { Clock } from '../store/ids.ts';
import type { Scope, Store } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { channelHandlers } from './channels.ts';
import { changeAllHandlers } from './filters.ts';
import { notificationHandlers, queryReaders } from './notifications.ts';
import { preferenceHandlers } from './preferences.ts';
import { openSession } from './session.ts';
import {
  createSessionTokens,
  type Inbox,
  type InboxHandlers,
  type SessionClaims,
} from './session-token.ts';
import { subscriptionHandlers } from './subscriptions.ts';

const handlers: InboxHandlers = {
  ...notificationHandlers,
  ...changeAllHandlers,
  ...preferenceHandlers,
  ...subscriptionHandlers,
  ...channelHandlers,
};

/** `clock` shows the time of the machine. */
export function createInbox(store: Store, clock: Clock) {
  const tokens = createSessionTokens(store, clock);

  return {
    queryReaders,
    handlers: {
      ...handlers,
      /** Writes at once, and resolves to the response, which has the token of the session. */
      openSession(call: CallOf<InboxOperations['openSession']> & { request: Request }) {
        const { scope, subscriber, contextKeys, response } = openSession(call.body, store);
        const { environmentId, organizationId } = scope;
        rememberEnvironment(call.request, environmentId);
        const { subscriberId, profile } = subscriber;
        const { firstName, lastName, email } = profile;
        return tokens
          .sign(
            { environmentId, subscriberId, contextKeys },
            { _id: subscriber.id, firstName, lastName, email, organizationId },
          )
          .then((token) => ({ token, ...response }));
      },
    },

    /** The session whose token a request has. Rejects without one. */
    async authorize(request: Request): Promise<SessionClaims> {
      const header = request.headers.get('authorization') ?? '';
      const [, token] = /^Bearer ([^\s]+)$/i.exec(header) ?? [];
      const claims = token === undefined ? undefined : await tokens.verify(token);
      if (!claims) throw noSession();
      rememberEnvironment(request, claims.environmentId);
      return claims;
    },

    /** Throws if the subscriber was deleted. */
    find(scope: Scope, { subscriberId, contextKeys }: SessionClaims): Inbox {
      const subscriber = findSubscriber(scope, subscriberId);
      if (!subscriber) throw noSession();
      return { subscriber, contextKeys };
    },
  };
}

const noSession = () => unauthorized('Unauthorized', { context: { statusCode: 401 } });
