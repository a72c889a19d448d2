// Runs a command in a sandbox of the present version and in one of the new version, and compares the responses that it
// gets.

import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { groupBy, isObject, jsonOr, withoutUndefined } from '../../core/objects.ts';
import { counted, listText, shellLine, shellWord } from '../../core/text.ts';
import type { Exchange } from '../../sandbox/index.ts';
import { type SandboxVersion, sandboxesOf } from '../../service/versions.ts';
import { readSeed, runInSandbox } from '../shared/run-in-sandbox.ts';
import type { Finding, Upgrade } from './check.ts';
import { openRoutes, rejectionText, routeFindings } from './request-findings.ts';

/**
 * `seed`: the initial data of both sandboxes, a file or folder. Throws if the command cannot be started, or fails in the
 * present version.
 */
export async function runFindings(
  context: Context,
  line: readonly [string, ...string[]],
  { from, to }: Upgrade,
  seed: string | undefined,
): Promise<Finding[]> {
  const { before, after } = sandboxesOf(from, to);
  if (before === after)
    throw usageError(
      `The sandboxes for ${from} and ${to} have the same version, ${before}, so there is nothing to compare.`,
      { hint: 'Leave out --run.' },
    );
  if (!from.startsWith(before) || !to.startsWith(after))
    context.note(`--run compares the sandboxes of ${before} and ${after}.`);
  const state = seed ? (await readSeed(context, seed, '--seed')).state : undefined;
  const { serveSandbox } = await context.sandbox();
  const runIn = async (service: SandboxVersion) => {
    const exchanges: Exchange[] = [];
    const server = await serveSandbox({
      host: '127.0.0.1',
      port: 0,
      isEmbedded: true,
      service,
      // Each sandbox has its own version.
      ...(state ? { seed: withoutUndefined({ ...state, service: undefined }) } : {}),
      onInternalError: (_error, text) => context.warn(text),
      onExchange: (exchange) => exchanges.push(exchange),
    });
    try {
      return { exitCode: await runInSandbox(context, line, server, 'stderr'), exchanges };
    } finally {
      await server.close();
    }
  };
  const command = shellLine(line);
  const commandFor = (version: SandboxVersion) =>
    `svc sandbox exec --service ${version}${seed ? ` --seed ${shellWord(seed)}` : ''} -- ${command}`;
  const old = await runIn(before);
  if (context.host.shutdownSignal.aborted) return [];
  if (old.exitCode !== 0)
    throw usageError(
      `\`${command}\` exits with ${old.exitCode} in a sandbox of ${before}, so there is nothing to compare.`,
      { next: [commandFor(before)] },
    );
  if (old.exchanges.length === 0)
    context.warn(`\`${command}\` sent no request to the sandbox, so no response is compared.`);
  const now = await runIn(after);
  const message = `It exits with ${now.exitCode} in a sandbox of ${after}, and with 0 in one of ${before}.`;
  const failure: Finding = {
    id: 'failed-command',
    thing: command,
    message,
    next: commandFor(after),
  };
  return [
    ...(now.exitCode === 0 ? [] : [failure]),
    ...(await compareExchanges(context, old.exchanges, now.exchanges)),
    ...(await routeFindings(old.exchanges, to)),
  ];
}

/**
 * Compares the responses to requests that both runs sent alike with each other. Ids and times differ between runs, so the
 * responses to other requests are compared by route. How often a status occurs does not count: a command can wait for a
 * result.
 */
async function compareExchanges(
  context: Context,
  old: readonly Exchange[],
  now: readonly Exchange[],
): Promise<Finding[]> {
  const findRoute = await openRoutes();
  const keyOf = ({ method, target, body }: Exchange) => JSON.stringify([method, target, body]);
  const routeOf = (exchange: Exchange) =>
    `${exchange.method} ${findRoute(exchange)?.path ?? exchange.target.replace(/\?.*/, '')}`;
  // A sandbox cannot say how the service responds there.
  const others = new Set([...old, ...now].filter((one) => one.isNotEmulated).map(routeOf));
  if (others.size > 0)
    context.warn(
      `The responses of these routes are not compared, because the sandboxes do not have them: ${[...others].join(', ')}.`,
    );
  const alike = groupBy(old, keyOf);
  const sameRoute = groupBy(old, routeOf);
  const groupOf = (exchange: Exchange) =>
    alike.has(keyOf(exchange)) ? keyOf(exchange) : routeOf(exchange);
  const compared = now.filter((exchange) => !others.has(routeOf(exchange)));
  const outcomes = [...groupBy(compared, groupOf)].flatMap(([group, sent]): Outcome[] => {
    const previous = alike.get(group) ?? sameRoute.get(group) ?? [];
    if (previous.length === 0) return [];
    const before = listText([...new Set(previous.map(({ status }) => `${status}`))], 'or');
    return [...groupBy(sent, ({ status }) => status)].flatMap(([status, exchanges]) => {
      const earlier = previous.filter((exchange) => exchange.status === status);
      const changes = earlier.length === 0 ? undefined : changedShape(earlier, exchanges);
      return exchanges.map((now) => ({ route: routeOf(now), now, before, changes }));
    });
  });
  const nameOf = ({ route, now, before, changes }: Outcome) =>
    [route, now.status, ...(changes ? [] : [before])].join();
  return [...groupBy(outcomes, nameOf).values()].flatMap(toFinding);
}

/** The response to a request in the new version. */
interface Outcome {
  route: string;
  now: Exchange;
  /** The statuses in the present version. */
  before: string;
  /** How its shape differs; undefined if its status does. */
  changes: readonly string[] | undefined;
}

const maxChanges = 6;

function toFinding(outcomes: readonly Outcome[]): Finding[] {
  const [first] = outcomes;
  if (!first) return [];
  const { route: thing, now, before, changes } = first;
  const { status } = now;
  if (!changes) {
    const error = status < 400 ? '.' : `: ${rejectionText(jsonOr(now.response, undefined))}`;
    const message = `${counted(outcomes.length, 'request')} with status ${status} instead of ${before}${error}`;
    const severity = status >= 400 && !/^[45]/.test(before) ? 'must' : 'should';
    return [{ id: 'other-status', severity, thing, message }];
  }
  const all = [...new Set(outcomes.flatMap((outcome) => outcome.changes ?? []))];
  if (all.length === 0) return [];
  const more = all.length - maxChanges;
  const named = [...all.slice(0, maxChanges), ...(more > 0 ? [`${more} more`] : [])];
  const message = `Responses with status ${status} have ${listText(named)}.`;
  const severity = all.every((text) => text.startsWith('new ')) ? 'note' : 'should';
  return [{ id: 'other-shape', severity, thing, message }];
}

/** `new data.hash`, `no data.credentials`, `data.name as text instead of number`. */
function changedShape(old: readonly Exchange[], now: readonly Exchange[]): string[] {
  const [before, after] = [shapeOf(old), shapeOf(now)];
  return [...new Map([...before, ...after])].flatMap(([path, { parent }]) => {
    const [earlier, types] = [before.get(path)?.types, after.get(path)?.types];
    // An object that is null, absent or in an empty list says nothing about its members.
    const isIn = (shape: Shape) => shape.get(parent)?.types.has('object');
    if (!earlier) return isIn(before) ? [`new ${path}`] : [];
    if (!types) return isIn(after) ? [`no ${path}`] : [];
    const isAlike = [...types].some((type) => type === 'null' || earlier.has(type));
    if (isAlike || earlier.has('null') || path === '') return [];
    return [`${path} as ${[...types].join(' or ')} instead of ${[...earlier].join(' or ')}`];
  });
}

/** The types of each value, by paths such as `data[].name`. */
type Shape = Map<string, { parent: string; types: Set<string> }>;

function shapeOf(exchanges: readonly Exchange[]): Shape {
  const shape: Shape = new Map();
  const walk = (value: unknown, path: string, parent: string) => {
    const type = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
    const { types } = shape.get(path) ?? { types: new Set<string>() };
    shape.set(path, { parent, types: types.add(type) });
    if (Array.isArray(value)) for (const item of value) walk(item, `${path}[]`, path);
    if (!isObject(value)) return;
    for (const [name, member] of Object.entries(value))
      walk(member, path === '' ? name : `${path}.${name}`, path);
  };
  for (const { response } of exchanges) walk(jsonOr(response, undefined), '', '');
  return shape;
}
