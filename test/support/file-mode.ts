import { lstatSync } from 'node:fs';

/** `600`; `1777` for a shared folder. */
export const fileMode = (file: string) => (lstatSync(file).mode & 0o7777).toString(8);
