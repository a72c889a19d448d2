// The data that all views of the page share: the session, the environment and the clock.

import { createHash } from 'node:crypto';
import { shellWord } from '../../core/text.ts';
import type { NotEmulatedRoute } from '../control/schemas.ts';
import type { Notice, PageSession, Theme } from '../control/sessions.ts';
import type { ComingJobs } from '../store/page-overview.ts';
import type { Scope } from '../store/scope.ts';
import type { FileProblem } from './file-problems.tsx';

/** Which sandbox it is, of several on the machine. */
export interface Place {
  port: string;
  /** The profile that selects the sandbox on a command line. */
  profile: string | undefined;
}

/** A command line that selects the sandbox. */
export const commandForProfile = ({ profile }: Place, command: string): string =>
  profile === undefined ? command : `${command} -p ${shellWord(profile)}`;

/** The values that a request has in the router of the page. */
export type Variables = { session: PageSession };

export interface View {
  scope: Scope;
  place: Place;
  environment: { name: string; color: string };
  theme: Theme | undefined;
  /** E-mails load images from other machines. */
  loadsImages: boolean;
  /** Every form contains it. */
  token: string;
  /** ISO time of the sandbox. */
  now: string;
  isFrozen: boolean;
  /** The waiting jobs of all environments that are due first. */
  coming: readonly ComingJobs[];
  /** Path and query of the view. */
  location: string;
  /** The result of the last action, shown once. */
  notice: Notice | undefined;
  /** The errors in the files that the sandbox follows. */
  fileProblems: readonly FileProblem[];
  /** The routes of the service that were requested and that the sandbox does not have. */
  notEmulated: readonly NotEmulatedRoute[];
}

/** The path and query of a view; parameters without a value are left out. */
export function linkTo(path: string, parameters: Record<string, string | undefined> = {}): string {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => !!pair[1]);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

/** An id in a path. A URL cannot contain `.` or `..`, so a tilde comes before them, and before another tilde. */
export const pathPart = (id: string) =>
  encodeURIComponent(/^(?:~|\.{1,2}$)/.test(id) ? `~${id}` : id);
/** The ids in the parameters of a path. */
export const idsIn = (
  parameters: Record<string, string | undefined>,
): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, part]) => [name, part?.replace(/^~/, '')]),
  );

export const messagesPath = '/page/messages';
export const messagePath = (id: string) => `${messagesPath}/${encodeURIComponent(id)}`;
export const activityPath = '/page/activity';
export const eventPath = (transactionId: string) => `${activityPath}/${pathPart(transactionId)}`;
export const inboxPath = (subscriberId: string) => `/page/inbox/${pathPart(subscriberId)}`;
/** The story of a person. */
export const storyPath = (subscriberId: string) => `/page/story/${pathPart(subscriberId)}`;
export const requestPath = (id: number) => `/page/requests/${id}`;
export const workflowPath = (workflowId: string) => `/page/workflows/${pathPart(workflowId)}`;

/** The views in the navigation. */
export const sections = [
  { name: 'Home', path: '/', icon: 'home' },
  { name: 'Messages', path: messagesPath, icon: 'email' },
  { name: 'People', path: '/page/inbox', icon: 'person' },
  { name: 'Activity', path: activityPath, icon: 'trigger' },
  { name: 'Requests', path: '/page/requests', icon: 'request' },
  { name: 'Workflows', path: '/page/workflows', icon: 'digest' },
] as const;

export type Section = (typeof sections)[number]['name'];

/** Changes with the content, so that a frame loads it again only then. */
export const contentKey = (content: string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 12);
