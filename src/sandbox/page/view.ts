// The data that all views of the page share: the session, the environment and the clock.
import type { Scope } from '../store/scope.ts';

export interface View {
  scope: Scope;
  environment: string;
  /** Every form contains it. */
  token: string;
  /** ISO time of the sandbox. */
  now: string;
  isFrozen: boolean;
  /** ISO time of the next due job of any environment. */
  nextDue: string | undefined;
  /** Path and query of the view. */
  location: string;
  /** The result of the last action, shown once. */
  notice: string | undefined;
}

/** The path and query of a view; parameters without a value are left out. */
export function linkTo(path: string, parameters: Record<string, string | undefined> = {}): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

export const messagePath = (id: string) => `/page/messages/${encodeURIComponent(id)}`;
export const eventPath = (transactionId: string) =>
  `/page/activity/${encodeURIComponent(transactionId)}`;
export const inboxPath = (subscriberId: string) =>
  `/page/inbox/${encodeURIComponent(subscriberId)}`;
