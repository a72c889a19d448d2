// Reads the folder of an environment, and pushes it to the active one.
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { listText } from '../../core/text.ts';
import type { Variables } from '../../environment-files/credentials.ts';
import {
  openEnvironmentFolder,
  readEnvironmentFolder,
} from '../../environment-files/environment-folder.ts';
import { isDefinition } from '../../environment-files/resource.ts';
import { readTextFile } from '../../input/values.ts';
import { credentialTypes } from '../shared/credential-types.ts';
import { findErrorLines } from '../shared/definition-mistakes.ts';
import { readKinds } from '../shared/kinds.ts';
import {
  type PlanTarget,
  pathIn,
  planFields,
  readPlan,
  textsIn,
} from '../shared/push/plan-options.ts';
import { pushResources } from '../shared/push/push-flow.ts';

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
  folderGiven: string | undefined,
  given: PushOptions,
) {
  const { cwd } = context.host;
  const reviewed = await readPlan(
    context,
    'environments push',
    given.plan,
    folderGiven === undefined ? [] : [folderGiven],
  );
  const { dir, only, deleteOthers, withCredentials, allowMissingCredentials } = reviewed
    ? optionsIn(context, reviewed.options)
    : { ...given, dir: folderGiven };
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
  const envFile = given.envFile === undefined ? {} : { envFile: path.resolve(cwd, given.envFile) };
  return pushResources(context, {
    command: 'environments push',
    wanted: content.resources,
    kinds: content.kinds,
    target: await context.connection.service(),
    deleteOthers,
    isCheck: given.isCheck,
    source: dir,
    credentials: {
      areWritten: withCredentials === true,
      allowMissing: allowMissingCredentials === true,
      variables: readVariables(context, given.envFile),
      types,
    },
    findErrors: async ({ resource }) =>
      isDefinition(resource) ? findErrorLines(context, resource) : [],
    ...(await planFields(context, given, { folder: dir, ...options }, reviewed)),
    run: given.plan
      ? { args: {}, options: { plan: path.resolve(cwd, given.plan), ...envFile } }
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
function readVariables({ host }: Context, file: string | undefined): Variables {
  const given = file === undefined ? {} : parseEnv(readTextFile(file, '--env-file', host));
  const sources = host.refusesReferences ? [given] : [given, host.env];
  return (name) => sources.find((values) => Object.hasOwn(values, name) && values[name])?.[name];
}
