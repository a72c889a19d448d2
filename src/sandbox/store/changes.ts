// Reports of writes: that something was committed, and the changes of inboxes for connected clients.

export interface InboxChange {
  environmentId: string;
  /** Internal id. */
  subscriber: string;
  /** A message was received, or the number of unread or unseen ones may have changed. */
  event: 'received' | 'unread' | 'unseen';
  /** The id of the message that was received. */
  message?: string;
  /** Only inboxes with these contexts change; absent: all inboxes of the subscriber. */
  contextKeys?: readonly string[];
}

export interface InboxChanges {
  add(change: InboxChange): void;
  /** Call it after a commit. */
  report(): void;
  /** Without a listener, changes are not kept. */
  listen(listener: (changes: InboxChange[]) => void): void;
}

export function createInboxChanges(): InboxChanges {
  let changes = new Map<string, InboxChange>();
  let listener: ((changes: InboxChange[]) => void) | undefined;
  return {
    add(change) {
      // A request that marks many messages is reported once.
      if (listener) changes.set(JSON.stringify(change), change);
    },
    report() {
      if (!listener || changes.size === 0) return;
      const committed = [...changes.values()];
      changes = new Map();
      listener(committed);
    },
    listen(newListener) {
      listener = newListener;
    },
  };
}

export interface Commits {
  /** Call it after every write, outside of its transaction. */
  committed(): void;
  /** Calls the listener after every write. */
  onCommit(listener: () => void): void;
}

export function createCommits(): Commits {
  const listeners: (() => void)[] = [];
  return {
    committed() {
      for (const listener of listeners) listener();
    },
    onCommit: (listener) => void listeners.push(listener),
  };
}
