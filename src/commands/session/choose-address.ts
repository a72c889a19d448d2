// The addresses that `svc login` proposes on a terminal.
import type { Context } from '../../app/context.ts';
import type { Choice } from '../../input/prompts.ts';
import { cloudRegions } from '../../service/servers.ts';
import { isSandboxRunning } from '../shared/running-sandbox.ts';

export interface ChosenAddress {
  baseUrl: string;
  /** The profile of the sandbox that was chosen. */
  sandbox?: { name: string; key: string | undefined };
}

/** Asks for an address: one of the list, or any other that is typed. */
export async function chooseAddress(context: Context): Promise<ChosenAddress> {
  const { prompt } = context;
  const sandboxes = await runningSandboxes(context);
  const known: Choice[] = [
    ...cloudRegions.map(({ name, baseUrl }) => toChoice(name, baseUrl)),
    ...sandboxes.map(({ name, baseUrl }) => toChoice(`Running sandbox, profile ${name}`, baseUrl)),
    { value: '', name: 'Self-hosted: enter the address of its API' },
  ];
  const question = 'Base URL of the service:';
  const picked = await prompt.pick(question, async (input) => matching(known, input.trim()));
  const baseUrl = picked || (await prompt.text(question));
  const sandbox = sandboxes.find((running) => running.baseUrl === baseUrl);
  return { baseUrl, ...(sandbox ? { sandbox } : {}) };
}

const toChoice = (name: string, baseUrl: string): Choice => ({
  value: baseUrl,
  name: `${name}  ${baseUrl}`,
});

/** The choices that contain the text, then the text itself as an address. */
function matching(known: readonly Choice[], input: string): Choice[] {
  const text = input.toLowerCase();
  const choices = known.filter(({ name = '' }) => name.toLowerCase().includes(text));
  const isOther = input !== '' && !known.some(({ value }) => value === input);
  return isOther ? [...choices, { value: input }] : choices;
}

async function runningSandboxes(context: Context) {
  const profiles = Object.entries(context.configuration.read().profiles);
  const sandboxes = await Promise.all(
    profiles.map(async ([name, profile]) =>
      profile.sandbox && (await isSandboxRunning(context, profile))
        ? [{ name, baseUrl: profile.baseUrl, key: profile.key }]
        : [],
    ),
  );
  return sandboxes.flat();
}
