import type { Context } from '../../../app/context.ts';
import { command, type Values } from '../../../cli/command.ts';
import { choice, flag, id, json, several, text } from '../../../cli/options.ts';
import { ifExists, usageError } from '../../../core/errors.ts';
import { asObject, hasSameItems, type JsonObject } from '../../../core/objects.ts';
import { listText } from '../../../core/text.ts';
import { readAssignment } from '../../../input/assignments.ts';
import { readContextKey, readJsonObject, textOrStdin } from '../../../input/values.ts';
import * as result from '../../../output/result.ts';
import { endpointTypes } from '../../../service/schemas/vocabulary.ts';
import { subscriberArgument } from '../../shared/arguments.ts';
import {
  type Channel,
  type ChannelKind,
  ofKind,
  pathOf,
  toConnection,
  toEndpoint,
} from './channel.ts';

const pairForms =
  'key=text, key=@file, key=env:NAME, key==text for a text that starts with @, env: or =';
/** An assistant passes the text itself. */
const forTool = (summary: string) => ({
  tool: { summary: `${summary}: key=text, key==text for a text that starts with =` },
});

const options = {
  identifier: id(
    '--identifier <id>',
    'Identifier of the connection or endpoint; the service makes one if it is absent',
  ),
  integration: text('--integration <identifier>', 'Identifier of the integration'),
  context: several('--context <type:id>', 'Only for events with this context', {
    complete: 'contexts',
  }),
  workspace: id('--workspace <id>', 'Id of the workspace', { group: 'Connections' }),
  workspaceName: text('--workspace-name <text>', 'Name of the workspace', { group: 'Connections' }),
  auth: several('--auth <key=value>', `Token, such as accessToken: ${pairForms}`, {
    ...forTool('Token, such as accessToken'),
    group: 'Connections',
    conflicts: ['type', 'endpoint', 'connection', 'createSubscriber'],
  }),
  type: choice('--type <type>', endpointTypes, 'Type of the address', {
    group: 'Endpoints',
    conflicts: ['workspace', 'workspaceName'],
  }),
  endpoint: several('--endpoint <key=value>', `Member of the address: ${pairForms}`, {
    ...forTool('Member of the address'),
    group: 'Endpoints',
    conflicts: ['workspace', 'workspaceName'],
  }),
  connection: id('--connection <id>', 'The connection that the address is in', {
    group: 'Endpoints',
  }),
  createSubscriber: flag('--create-subscriber', 'Create the subscriber if it does not exist', {
    group: 'Endpoints',
  }),
  body: json('--body <json|@file|->', 'The whole request body, instead of these options', {
    conflicts: [
      ...['integration', 'context', 'workspace', 'workspaceName', 'auth', 'type', 'endpoint'],
      ...['connection', 'createSubscriber'],
    ],
  }),
};
type ChannelOptions = Partial<Values<typeof options>>;

/** The operations that write one connection or endpoint. */
export const writeOperations = [
  'createChannelConnection',
  'updateChannelConnection',
  'getChannelConnection',
  'createChannelEndpoint',
  'updateChannelEndpoint',
  'getChannelEndpoint',
] as const;

export const set = command({
  summary: 'Create a connection or an endpoint of a subscriber, or change an existing one',
  details:
    'A connection needs --integration, --workspace and --auth accessToken=…; an endpoint needs --integration, --type and --endpoint. With the --identifier of an existing one, svc changes it: the given tokens or address replace all stored ones, and a part that is not given is kept. Its integration, type, connection and contexts cannot change. On a terminal, svc asks for a missing token.',
  arguments: { subscriberId: subscriberArgument },
  options,
  output: 'The connection or endpoint with its kind; tokens and secret addresses are masked.',
  examples: {
    'svc subscribers channels set u1 --integration slack-1 --workspace T1 --auth accessToken=env:SLACK_TOKEN':
      'Connect a workspace of Slack',
    'svc subscribers channels set u1 --integration slack-1 --type slack_user --endpoint userId=U1':
      'Add the address of a user',
    'svc subscribers channels set u1 --identifier conn-1 --auth accessToken=@token.txt':
      'Replace the token of a connection',
  },
  operations: writeOperations,
  fields: [
    ...['kind', 'identifier', 'channel', 'providerId', 'integrationIdentifier', 'subscriberId'],
    ...['contextKeys', 'workspace', 'auth', 'connectionIdentifier', 'type', 'endpoint'],
    ...['createdAt', 'updatedAt'],
  ],
  writes: true,
  async run(context, { args: { subscriberId }, options }) {
    const body = await readBody(context, options);
    const kind = kindOf(body);
    const { identifier } = body;
    const found =
      typeof identifier === 'string'
        ? await findChannel(context, kind, identifier, subscriberId)
        : undefined;
    const value = found
      ? await change(context, found, body)
      : await create(context, kind, { ...body, subscriberId });
    return result.report({
      value,
      headline: `${found ? 'Changed' : 'Created'} ${kind} ${value.identifier} of ${subscriberId}`,
      ids: [value.identifier],
    });
  },
});

/** The members of a request that are given. */
async function readBody({ host }: Context, chosen: ChannelOptions): Promise<JsonObject> {
  const { identifier, body } = chosen;
  if (body !== undefined) {
    const json = await readJsonObject(await textOrStdin(body, host.stdin), '--body', host);
    return identifier === undefined ? json : { ...json, identifier };
  }
  const { contextsOfKeys } = await import('../../../service/rules/event-contexts.ts');
  const pairs = (assignments: readonly string[], source: string) =>
    Object.fromEntries(
      assignments.map((assignment) => {
        const { key, value } = readAssignment(assignment, host, source);
        return [key, value];
      }),
    );
  const { integration, context, workspace, workspaceName, auth, type, endpoint } = chosen;
  const { connection, createSubscriber } = chosen;
  const hasWorkspace = workspace !== undefined || workspaceName !== undefined;
  return Object.fromEntries(
    Object.entries({
      identifier,
      integrationIdentifier: integration,
      context: context && contextsOfKeys(context.map(readContextKey)),
      workspace: hasWorkspace
        ? {
            ...(workspace === undefined ? {} : { id: workspace }),
            ...(workspaceName === undefined ? {} : { name: workspaceName }),
          }
        : undefined,
      auth: auth && pairs(auth, '--auth'),
      type,
      endpoint: endpoint && pairs(endpoint, '--endpoint'),
      connectionIdentifier: connection,
      createSubscriberIfMissing: createSubscriber,
    }).filter(([, value]) => value !== undefined),
  );
}

function kindOf(body: JsonObject): ChannelKind {
  if ('endpoint' in body || 'type' in body || 'connectionIdentifier' in body) return 'endpoint';
  if ('auth' in body || 'workspace' in body) return 'connection';
  throw usageError('Neither a connection nor an endpoint is given.', {
    hint: 'A connection has --workspace and --auth, an endpoint has --type and --endpoint.',
  });
}

async function findChannel(
  context: Context,
  kind: ChannelKind,
  identifier: string,
  subscriberId: string,
): Promise<Channel | undefined> {
  const found = await ifExists(ofKind[kind].get(await context.client(), identifier));
  if (!found || found.subscriberId === subscriberId) return found;
  throw usageError(
    `The ${kind} ${identifier} belongs to ${found.subscriberId ? `subscriber ${found.subscriberId}` : 'several subscribers'}.`,
  );
}

/** The service can change none of them. */
function refuseFixed(found: Channel, body: JsonObject): void {
  const fixed = {
    integrationIdentifier: 'integration',
    type: 'type',
    connectionIdentifier: 'connection',
  };
  for (const [name, noun] of Object.entries(fixed)) {
    const [wanted, stored] = [body[name], Reflect.get(found, name)];
    if (wanted !== undefined && wanted !== stored)
      throw usageError(
        `The ${noun} of ${found.kind} ${found.identifier} cannot change from ${stored} to ${wanted}.`,
        { hint: 'Delete it and create another one.' },
      );
  }
  const wanted = Object.entries(body.context ?? {}).map(
    ([type, context]) => `${type}:${asObject(context).id ?? context}`,
  );
  const stored = found.contextKeys ?? [];
  if (body.context !== undefined && !hasSameItems(wanted, stored))
    throw usageError(
      `The contexts of ${found.kind} ${found.identifier} cannot change from ${stored.join() || 'none'} to ${wanted.join() || 'none'}.`,
      { hint: 'Delete it and create another one.' },
    );
}

const needed: Record<ChannelKind, Record<string, string>> = {
  connection: {
    integrationIdentifier: '--integration',
    workspace: '--workspace',
    auth: '--auth accessToken=…',
  },
  endpoint: { integrationIdentifier: '--integration', type: '--type', endpoint: '--endpoint' },
};

/** Asks for a missing token on a terminal. */
async function create(context: Context, kind: ChannelKind, members: JsonObject): Promise<Channel> {
  const { prompt } = context;
  const missing = Object.keys(needed[kind]).filter((name) => members[name] === undefined);
  const canAsk = missing.join() === 'auth' && prompt.isPossible;
  if (missing.length > 0 && !canAsk)
    throw usageError(
      `A new ${kind} needs ${listText(missing.map((name) => needed[kind][name] ?? ''))}.`,
    );
  const { call } = await context.client();
  const auth = canAsk ? { auth: { accessToken: await prompt.secret('Access token:') } } : {};
  const body = { ...members, ...auth } as never;
  return kind === 'connection'
    ? toConnection(await call('createChannelConnection', { body }))
    : toEndpoint(await call('createChannelEndpoint', { body }));
}

async function change(context: Context, found: Channel, members: JsonObject): Promise<Channel> {
  refuseFixed(found, members);
  const { call } = await context.client();
  const path = pathOf(found);
  if (found.kind === 'endpoint') {
    const body = { endpoint: members.endpoint ?? found.endpoint };
    return toEndpoint(await call('updateChannelEndpoint', { ...path, body: body as never }));
  }
  const workspace = { ...found.workspace, ...(members.workspace as object | undefined) };
  const body = { workspace, auth: members.auth ?? found.auth };
  return toConnection(await call('updateChannelConnection', { ...path, body: body as never }));
}
