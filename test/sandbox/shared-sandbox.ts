// A sandbox that all tests of a file share. No request may depend on an earlier one.
import { afterAll, beforeAll } from 'vitest';
import { createSandbox, openStore } from '../support/sandbox-311.ts';
import { key, noon } from './open.ts';

export function shareSandbox() {
  let sandbox: ReturnType<typeof createSandbox>;
  let close: () => void;
  beforeAll(async () => {
    const clock = { now: () => noon };
    const store = await openStore({ clock, key, frozen: true });
    sandbox = createSandbox({ store, clock });
    close = () => store.close();
  });
  afterAll(() => close());

  return async (line: string, sent?: unknown) => {
    const [method = '', target] = line.split(' ');
    const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
    const sentBody = sent === undefined ? {} : { body: JSON.stringify(sent) };
    const response = await sandbox(
      new Request(`http://localhost${target}`, { method, headers, ...sentBody }),
    );
    // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape
    const body: any = await response.json();
    return { status: response.status, body };
  };
}

/** A schedule with these hours on Monday. */
export const hours = (value: unknown) => ({
  schedule: { isEnabled: true, weeklySchedule: { monday: { isEnabled: true, hours: value } } },
});

/** The body of a workflow with these fields. */
export const workflow = (fields: object) => ({
  ...{ workflowId: 'texts', name: 'Texts', origin: 'novu-cloud', preferences: {}, steps: [] },
  ...fields,
});
