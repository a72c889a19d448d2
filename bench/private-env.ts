// The variables of a measured svc: it reads and writes only folders inside the given one.
import path from 'node:path';
import process from 'node:process';

export const privateEnv = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_EXTRA_CA_CERTS: undefined,
  SVC_CONFIG_DIR: path.join(folder, 'config'),
  SVC_STATE_DIR: path.join(folder, 'state'),
  SVC_CACHE_DIR: path.join(folder, 'cache'),
});
