// The style sheet of the page and of previews. Later parts override earlier ones.
import bar from './bar.css?text';
import base from './base.css?text';
import content from './content.css?text';
import detail from './detail.css?text';
import filters from './filters.css?text';
import pages from './pages.css?text';
import panes from './panes.css?text';
import rows from './rows.css?text';
import timeline from './timeline.css?text';

/** Without comments and indentation. */
export const style = [base, bar, panes, filters, rows, detail, content, timeline, pages]
  .join('\n')
  .replace(/\/\*.*?\*\//gs, '')
  .replace(/\s+/g, ' ');
