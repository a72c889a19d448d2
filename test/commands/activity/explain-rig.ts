// The environment and the command lines for the tests of `svc activity explain`, and servers with fewer operations.
import { expect } from 'vitest';
import { openRig, parsed, type Rig } from '../../support/rig.ts';
import { explainState, type StateOptions } from './explain-state.ts';

export interface Explained {
  transactionId: string | null;
  workflow: string | null;
  at: string | null;
  cause: string | null;
  message: string;
  channels: {
    channel: string;
    verdict: string;
    cause: string | null;
    message: string;
    evidence: string[];
    next: string[];
  }[];
}

export const trigger = async ({ svc }: Rig, ...line: string[]) => {
  const { code, stderr } = await svc(['events', 'trigger', ...line, '--yes', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
};

export const explain = async ({ svc }: Rig, ...line: string[]) => {
  const { stdout, code, requests } = await svc(['activity', 'explain', ...line, '--json']);
  expect(requests.length).toBeLessThanOrEqual(7);
  expect(requests.every((request) => request.line.startsWith('GET '))).toBe(true);
  return { ...(parsed(stdout) as unknown as Explained), code };
};

/** Explains the newest event; the workflow has one e-mail or SMS. */
export const explainOne = async (rig: Rig, ...line: string[]) => {
  const { channels, cause, code } = await explain(rig, ...line);
  expect(channels).toHaveLength(1);
  const [only] = channels;
  if (!only) throw new Error('no channel');
  expect(only.cause).toBe(cause);
  return { ...only, code };
};

export const open = (options: StateOptions = {}): Promise<Rig> =>
  openRig({ seed: explainState(options) });

export const beyondSpecification = [
  '/v1/integrations',
  '/v2/subscribers/bare',
  '/v2/topics/announcements/subscriptions',
];

/** An integration that is inactive for a while is no longer primary. */
export async function loseThePrimary(rig: Rig): Promise<void> {
  const { stdout } = await rig.svc(['integrations', 'list', '--json']);
  const all = JSON.parse(stdout) as { _id: string; identifier: string }[];
  const id = all.find(({ identifier }) => identifier === 'sendgrid-email')?._id;
  for (const verb of ['disable', 'enable'])
    expect(await rig.svc(['integrations', verb, id ?? '', '--yes'])).toMatchObject({ code: 0 });
}

/** Responds like a server without these operations. */
export function answerCannot({ answerBy }: Rig, paths: readonly string[]): void {
  answerBy(({ method, url }) =>
    paths.includes(url.pathname)
      ? {
          status: 404,
          body: {
            statusCode: 404,
            message: `Cannot ${method} ${url.pathname}`,
            error: 'Not Found',
          },
        }
      : undefined,
  );
}
