// The socket of inbox clients: reports new notifications and changed counts to each connected client.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server } from 'socket.io';
import { hasSameItems } from '../../core/objects.ts';
import { toServiceProviders } from '../http/provider-ids.ts';
import type { InboxChange } from '../store/changes.ts';
import type { Clock } from '../store/ids.ts';
import { findMessage } from '../store/messages.ts';
import type { Scope, Store } from '../store/scope.ts';
import { findSubscriber, saveProfile, subscriberById } from '../store/subscribers.ts';
import { unreadEvent, unseenEvent } from './filters.ts';
import { serializeReceived } from './notifications.ts';
import { createSessionTokens, type SessionClaims } from './session-token.ts';

export interface InboxSocketOptions {
  store: Store;
  /** The system clock. */
  clock: Clock;
  /** Aborts when the server stops. */
  stopSignal: AbortSignal;
}

export interface InboxSocket {
  /** Takes over the connection of a request to upgrade it. */
  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void;
  /** Handles a request of a client that polls. */
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** Clients send nothing but the messages of the protocol. */
const maxMessageBytes = 10_000;
const connectTimeoutMs = 5_000;

type Events = Record<string, (data: unknown) => void>;
interface Client {
  claims?: SessionClaims;
}

export function createInboxSocket(options: InboxSocketOptions): InboxSocket {
  const { store, clock, stopSignal } = options;
  const tokens = createSessionTokens(store, clock);
  // Never listens: the server of the sandbox passes on what belongs to the socket, after its checks.
  const http = createServer();
  const io = new Server<Events, Events, Events, Client>(http, {
    serveClient: false,
    connectTimeout: connectTimeoutMs,
    maxHttpBufferSize: maxMessageBytes,
  });

  const openScope = ({ environmentId }: SessionClaims) => store.scope(environmentId);

  const saveOnline = (
    claims: SessionClaims,
    change: { isOnline: boolean; lastOnlineAt?: string },
  ) => {
    if (!store.sql.isOpen()) return;
    const subscriber = findSubscriber(openScope(claims), claims.subscriberId);
    if (!subscriber) return;
    saveProfile(openScope(claims), subscriber, { ...subscriber.profile, ...change });
    store.committed();
  };

  // Before the client hears that it is connected, so that it misses nothing from then on.
  io.use(async (socket, next) => {
    const { auth, query } = socket.handshake;
    const token: unknown = auth?.token ?? query.token;
    const claims = typeof token === 'string' ? await tokens.verify(token) : undefined;
    if (claims && store.sql.isOpen() && findSubscriber(openScope(claims), claims.subscriberId))
      socket.data.claims = claims;
    next();
  });
  /** Like the service, ends a connection without a valid token after it was accepted. */
  io.on('connection', (socket) => {
    const { claims } = socket.data;
    if (!claims) return void socket.disconnect(true);
    const room = roomName(claims);
    void socket.join(room);
    saveOnline(claims, { isOnline: true });
    socket.on('disconnect', () => {
      if (stopSignal.aborted) return;
      const isOnline = (io.sockets.adapter.rooms.get(room)?.size ?? 0) > 0;
      saveOnline(claims, { isOnline, lastOnlineAt: new Date(store.clock.now()).toISOString() });
    });
  });

  const send = (change: InboxChange) => {
    const scope = store.scope(change.environmentId);
    const subscriber = subscriberById(scope, change.subscriber);
    if (!subscriber) return;
    const room = roomName({ ...change, subscriberId: subscriber.subscriberId });
    for (const id of io.sockets.adapter.rooms.get(room) ?? []) {
      const socket = io.sockets.sockets.get(id);
      const contextKeys = socket?.data.claims?.contextKeys ?? [];
      if (!socket || (change.contextKeys && !hasSameItems(change.contextKeys, contextKeys)))
        continue;
      for (const [event, data] of toEvents(scope, change, contextKeys)) socket.emit(event, data);
    }
  };
  store.inboxChanges.listen((changes) => {
    if (io.sockets.sockets.size > 0 && store.sql.isOpen()) changes.forEach(send);
  });

  // Without this, connected clients would delay the end of the server.
  stopSignal.addEventListener('abort', () => void io.close().catch(() => undefined));
  return {
    upgrade: (request, connection, head) => void http.emit('upgrade', request, connection, head),
    handle: (request, response) => void http.emit('request', request, response),
  };
}

const roomName = ({
  environmentId,
  subscriberId,
}: Pick<SessionClaims, 'environmentId' | 'subscriberId'>) => `${environmentId} ${subscriberId}`;

/** The events of a change, in the order of the service. */
function toEvents(
  scope: Scope,
  { event, subscriber, message: id }: InboxChange,
  contextKeys: readonly string[],
): [event: string, data: unknown][] {
  const unread = () => unreadEvent(scope, subscriber, contextKeys);
  const unseen = () => unseenEvent(scope, subscriber, contextKeys);
  if (event === 'unread') return [['unread_count_changed', unread()]];
  if (event === 'unseen') return [['unseen_count_changed', unseen()]];
  const message = id === undefined ? undefined : findMessage(scope, id);
  if (!message || message.snoozedUntil) return [];
  const { hasNovuProviders } = scope.dialect;
  const received = serializeReceived(scope, message);
  return [
    [
      'notification_received',
      { message: hasNovuProviders ? toServiceProviders(received) : received },
    ],
    ['unseen_count_changed', unseen()],
    ['unread_count_changed', unread()],
  ];
}
