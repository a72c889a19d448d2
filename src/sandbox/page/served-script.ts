// The script of the page, as it is served.
import frameScript from './frames.js?text';
import script from './script.js?text';

/** Without comments and indentation. */
export const withoutComments = (source: string): string =>
  source.replace(/^\s*(?:\/\/.*|\/\*\*.*\*\/)?\s*/gm, '');

export const servedScript = withoutComments(`${frameScript}\n${script}`);
