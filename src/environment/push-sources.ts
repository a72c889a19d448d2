// The three sources of a push: the folder of an environment, files of workflows and layouts, and another environment.
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { Context } from '../app/context.ts';
import { raceAbort } from '../core/async.ts';
import { SvcError, usageError } from '../core/errors.ts';
import { listText } from '../core/text.ts';
import { readTextFile } from '../input/values.ts';
import { credentialTypes, type Variables } from './credentials.ts';
import { environmentName } from './environments.ts';
import {
  defaultFolder,
  foreignFileError,
  noFilesError,
  openEnvironmentFolder,
  readEnvironmentFolder,
  resolveFiles,
} from './folder.ts';
import { findErrorLines } from './mistakes.ts';
import { type PlanTarget, pathIn, planFields, readPlan, textsIn } from './plan-options.ts';
import { pushResources } from './push.ts';
import { type ResourceFile, readFolder, readResourceFile } from './read-definitions.ts';
import {
  createRemoteReader,
  type RemoteReader,
  readAllDefinitions,
  type Separated,
  withLayouts,
} from './remote.ts';
import { isDefinition, readKinds } from './resource.ts';
import type { PlanFile } from './reviewed-plan.ts';

interface PushOptions extends PlanTarget {
  only?: string[];
  deleteOthers: boolean;
  isCheck: boolean;
  withCredentials?: boolean;
  allowMissingCredentials?: boolean;
  envFile?: string;
  plan?: string;
}

export async function pushEnvironment(
  context: Context,
  folderArgument: string | undefined,
  request: PushOptions,
) {
  const { cwd } = context.host;
  const reviewed = await readPlan(
    context,
    'environments push',
    request.plan,
    folderArgument === undefined ? [] : [folderArgument],
  );
  const { dir, only, deleteOthers, withCredentials, allowMissingCredentials } = reviewed
    ? optionsIn(context, reviewed.options)
    : { ...request, dir: folderArgument };
  if (dir === undefined)
    throw usageError('Missing [folder]: the folder to push.', {
      next: ['svc environments push environment'],
    });
  const types = await credentialTypes();
  const folder = openEnvironmentFolder(dir, cwd);
  const content = readEnvironmentFolder(folder, dir, Object.keys(types), readKinds(only));
  if (content.ignored.length > 0)
    context.note(
      `Ignored ${listText(content.ignored)}: the first line does not mark a file of svc.`,
    );
  const options = {
    ...(only ? { only } : {}),
    ...(deleteOthers ? { delete: true } : {}),
    ...(withCredentials ? { withCredentials: true } : {}),
    ...(allowMissingCredentials ? { allowMissingCredentials: true } : {}),
  };
  const envFile =
    request.envFile === undefined ? {} : { envFile: path.resolve(cwd, request.envFile) };
  return pushResources(context, {
    command: 'environments push',
    wanted: content.resources,
    kinds: content.kinds,
    target: await context.connection.service(),
    deleteOthers,
    isCheck: request.isCheck,
    source: dir,
    credentials: {
      areWritten: withCredentials === true,
      allowMissing: allowMissingCredentials === true,
      variables: readVariables(context, request.envFile),
      types,
    },
    findErrors: async ({ resource }) =>
      isDefinition(resource) ? findErrorLines(context, resource) : [],
    ...(await planFields(context, request, { folder: dir, ...options }, reviewed)),
    run: request.plan
      ? { args: {}, options: { plan: path.resolve(cwd, request.plan), ...envFile } }
      : { args: { folder: path.resolve(cwd, dir) }, options: { ...options, ...envFile } },
  });
}

/** The options that a plan records. */
const optionsIn = (context: Context, options: Record<string, unknown>) => ({
  dir: typeof options.folder === 'string' ? pathIn(context, options.folder) : undefined,
  only: options.only === undefined ? undefined : textsIn(options.only),
  deleteOthers: options.delete === true,
  withCredentials: options.withCredentials === true,
  allowMissingCredentials: options.allowMissingCredentials === true,
});

/** A file wins over the environment, as an option does. An empty value counts as none. */
export function readVariables({ host }: Context, file: string | undefined): Variables {
  const fromFile = file === undefined ? {} : parseEnv(readTextFile(file, '--env-file', host));
  const sources = host.refusesReferences ? [fromFile] : [fromFile, host.env];
  return (name) => sources.find((values) => Object.hasOwn(values, name) && values[name])?.[name];
}

// `svc workflows push`: a folder, files or ids.

interface PushRequest extends PlanTarget {
  paths: readonly string[];
  deleteOthers: boolean;
  isCheck: boolean;
  plan?: string | undefined;
}

export async function pushFiles(context: Context, { plan, ...request }: PushRequest) {
  const { cwd } = context.host;
  const reviewed = await readPlan(context, 'workflows push', plan, request.paths);
  const requested = reviewed ? textsIn(reviewed.options.paths) : request.paths;
  const deleteOthers = reviewed ? reviewed.options.delete === true : request.deleteOthers;
  const named = requested.length === 0 ? [defaultFolder] : requested;
  const paths = reviewed ? named.map((file) => pathIn(context, file)) : named;
  const files = readPaths(context, paths, deleteOthers);
  const options = deleteOthers ? { delete: true } : {};
  const resolved = plan === undefined ? undefined : path.resolve(cwd, plan);
  return pushResources(context, {
    command: 'workflows push',
    wanted: files,
    kinds: ['layout', 'workflow'],
    target: await context.connection.service(),
    deleteOthers,
    isCheck: request.isCheck,
    source: paths.join(', '),
    findErrors: async ({ resource }) =>
      isDefinition(resource) ? findErrorLines(context, resource) : [],
    ...(await planFields(context, request, { paths, ...options }, reviewed)),
    run: reviewed
      ? { args: { paths: [] }, options: { plan: resolved } }
      : { args: { paths: paths.map((file) => path.resolve(cwd, file)) }, options },
  });
}

function readPaths(
  context: Context,
  paths: readonly string[],
  deleteOthers: boolean,
): ResourceFile[] {
  const named = resolveFiles(context, paths);
  if (named.kind === 'folder') {
    const { files, ignored } = readFolder(named.folder, named.shownAs);
    if (ignored.length > 0)
      context.note(`Ignored ${listText(ignored)}: the first line does not mark a file of svc.`);
    if (files.length > 0) return files;
    throw noFilesError(named.shownAs);
  }
  if (deleteOthers)
    throw usageError('--delete needs a whole folder, not single files.', {
      hint: 'Workflows without a file in the folder are deleted.',
    });
  return named.files.map(({ folder, name, shownAs }) => {
    const resource = readResourceFile(folder, name);
    if (resource) return resource;
    throw foreignFileError(shownAs);
  });
}

// `svc workflows promote`: from the active environment to another one.

interface PromoteRequest extends PlanTarget {
  /** Empty for all. */
  workflowIds: readonly string[];
  to: string;
  /** The plan to apply; it names the workflows. */
  reviewed?: PlanFile | undefined;
}

export async function promoteWorkflows(
  context: Context,
  { to, reviewed, ...request }: PromoteRequest,
) {
  const workflowIds = reviewed ? textsIn(reviewed.options.workflowIds) : request.workflowIds;
  const source = await context.connection.service();
  const target = await context.connection.service(to);
  if (source.client.baseUrl === target.client.baseUrl && source.apiKey === target.apiKey)
    throw usageError(`Profile ${to} is the active environment: nothing can be copied to itself.`, {
      hint: 'Select the source with --profile and the target with --to.',
    });
  const reader = createRemoteReader(source.client);
  const isAll = workflowIds.length === 0;
  const reading = isAll
    ? readAllDefinitions(reader)
    : readNamed(reader, [...new Set(workflowIds)], source.place);
  const { usable, skipped } = await raceAbort(reading, context.host.shutdownSignal);
  const [first] = skipped;
  if (first && !isAll)
    throw usageError(`${first.kind} ${first.id} cannot be copied: ${first.reason}.`);
  const mode = await reader.mode();
  const options = { to, ...(isAll ? { all: true } : {}) };
  return pushResources(context, {
    command: 'workflows promote',
    kinds: ['layout', 'workflow'],
    wanted: usable.map(({ resource }) => ({ path: resource.id, mode, resource })),
    skipped,
    target,
    deleteOthers: false,
    isCheck: false,
    source: environmentName(source.place),
    ...(await planFields(context, request, { workflowIds, ...options }, reviewed)),
    run: { args: { workflowIds }, options },
  });
}

/** The workflows and the layouts that they use. */
async function readNamed(
  reader: RemoteReader,
  ids: readonly string[],
  place: string,
): Promise<Separated> {
  const workflows = await reader.findAll('workflow', ids);
  const missing = ids.filter((id) => !workflows.some(({ resource }) => resource.id === id));
  if (missing.length > 0)
    throw new SvcError(
      'notFound',
      `${missing.length === 1 ? 'Workflow' : 'Workflows'} ${listText(missing.map((id) => `\`${id}\``))} ${missing.length === 1 ? 'does' : 'do'} not exist ${place}.`,
      { next: ['svc workflows list'] },
    );
  return withLayouts(reader, workflows);
}
