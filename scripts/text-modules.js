// A plugin for rolldown and vitest: the import of `./style.css?text` is the text of the file.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const query = '?text';
/** Ends the ids of these modules, so that no other plugin takes them for style sheets or scripts. */
const suffix = '.text-module';

/** The bundle contains the text, or reads it from a file next to its chunks if `isRead` says so: a long text loads faster. */
export const textModules = ({ isRead = (_file) => false } = {}) => {
  let root = '';
  return {
    name: 'text-modules',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
    },
    // The key of vitest's cache of modules does not contain the text.
    configureVitest({ experimental_defineCacheKeyGenerator: defineKey }) {
      defineKey(({ id }) => (id.endsWith(suffix) ? false : undefined));
    },
    resolveId(source, importer) {
      // A module from the cache imports the id, without the root folder.
      if (source.endsWith(suffix)) return source.startsWith(root) ? source : root + source;
      if (!source.endsWith(query) || importer === undefined) return undefined;
      return path.resolve(path.dirname(importer), source.slice(0, -query.length)) + suffix;
    },
    load(id) {
      if (!id.endsWith(suffix)) return undefined;
      const file = id.slice(0, -suffix.length);
      const text = readFileSync(file, 'utf8');
      if (isRead(file)) {
        const fileName = path.basename(file);
        this.emitFile({ type: 'asset', fileName: `chunks/${fileName}`, source: text });
        const code = `import { readFileSync } from 'node:fs';
          export default readFileSync(__dirname + '/${fileName}', 'utf8');`;
        return { code, map: null, moduleType: 'js' };
      }
      return { code: `export default ${JSON.stringify(text)};`, map: null, moduleType: 'js' };
    },
  };
};
