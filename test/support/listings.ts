// Runs the program against a service whose listings return the pages of a test.
import { expect } from 'vitest';
import { openNetworkRig } from './network-rig.ts';
import { printedError } from './printed-error.ts';
import { json, openService } from './service.ts';

const at = '2026-01-15T12:00:00.000Z';
export const item = (name: string) => ({ _id: name, key: name, createdAt: at });
export const ids = (stdout: string) =>
  (JSON.parse(stdout) as { _id: string }[]).map(({ _id }) => _id);

/** Returns the body of a page. `number` starts at 1. */
export type Page = (number: number, query: URLSearchParams) => unknown;

export async function listed(line: string, page: Page) {
  const service = await openService(({ target }, response, number) =>
    json(response, 200, page(number, new URL(target, 'http://base').searchParams)),
  );
  const home = openNetworkRig();
  const ended = await home.svc([...line.split(' '), '--json'], { env: service.env });
  const asked = service.seen.map(({ target }) => new URL(target, 'http://base').searchParams);
  return { ...ended, asked };
}

/** Expects exit code 7, the reason, and the items that came before the error. */
export function expectEndlessListing(
  { code, stdout, stderr }: { code: number | null; stdout: string; stderr: string },
  reason: string,
  shown: string[],
) {
  // Nothing is printed for a listing without items.
  expect(shown.length === 0 ? stdout : ids(stdout)).toEqual(shown.length === 0 ? '' : shown);
  const error = printedError(stderr);
  expect({ code, message: error.message }).toEqual({
    code: 7,
    message: expect.stringContaining(`does not end: ${reason}`),
  });
  expect(error.hint).toContain('a fault of the service');
}

export const cursorPage = (data: unknown[], next: string | null, totalCount = 2) => ({
  data,
  next,
  previous: null,
  totalCount,
  totalCountCapped: false,
});
