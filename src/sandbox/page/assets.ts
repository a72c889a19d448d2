// The script and the style sheet of the page, as they are served.
import frameScript from './frames.js?text';
import script from './script.js?text';
import bar from './style/bar.css?text';
import base from './style/base.css?text';
import content from './style/content.css?text';
import detail from './style/detail.css?text';
import filters from './style/filters.css?text';
import overview from './style/overview.css?text';
import pages from './style/pages.css?text';
import panes from './style/panes.css?text';
import rows from './style/rows.css?text';
import timeline from './style/timeline.css?text';
import tools from './style/tools.css?text';

/** Without comments and indentation. */
export const withoutComments = (source: string): string =>
  source.replace(/^\s*(?:\/\/.*|\/\*\*.*\*\/)?\s*/gm, '');

/** The frames last: the page first notes its HTML as the server sent it, and frames change the heights in it. */
export const servedScript = withoutComments(`${script}\n${frameScript}`);

/** The style sheet of the page and of previews, without comments and indentation. Later parts override earlier ones. */
export const style = [
  base,
  bar,
  tools,
  panes,
  filters,
  rows,
  detail,
  content,
  timeline,
  overview,
  pages,
]
  .join('\n')
  .replace(/\/\*.*?\*\//gs, '')
  .replace(/\s+/g, ' ');
