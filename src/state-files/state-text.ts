// Writes the parts of a state file as YAML. Large lists have one item in a line, as JSON, which is also YAML.
import { invisible, jsonLine } from '../core/json-line.ts';
import { stringifyExact } from '../core/lossless-json.ts';
import { parseYaml, writeYaml } from '../core/yaml.ts';
import type { Mode } from '../service/mode.ts';

/** The lists of an environment, in the order of the file. */
export const sections = [
  'integrations',
  'layouts',
  'workflows',
  'subscribers',
  'topics',
  'contexts',
] as const;
export type Section = (typeof sections)[number];

/** Sections that people read and edit, so their items have several lines. */
const blocks: readonly Section[] = ['integrations', 'layouts', 'workflows'];

export function headText({
  hasPersonalData,
  mark,
}: {
  hasPersonalData: boolean;
  mark: Mode | undefined;
}): string {
  const content = hasPersonalData
    ? 'Contains personal data.'
    : 'Names and addresses of people are replaced.';
  const mode = mark === undefined ? '' : `compat: ${mark}\n`;
  return `${firstLine('pull')} ${content}\nversion: 1\n${mode}environments:\n  - name: Development\n`;
}

const firstLine = (command: 'pull' | 'export') =>
  `# State of the svc sandbox, made by \`svc sandbox ${command}\`.`;

export const exportHead = `${firstLine('export')}\n`;

/** Whether a file that starts with this text is a state that svc wrote. */
export const isStateText = (start: string): boolean =>
  start.startsWith(firstLine('pull')) || start.startsWith(firstLine('export'));

export const sectionText = (section: Section): string => `    ${section}:\n`;

const indent = '      ';

export function itemText(section: Section, item: object): string {
  const line = `${indent}- ${jsonLine(item)}\n`;
  if (!blocks.includes(section)) return line;
  const block = writeYaml([item]).replace(/^(?=.)/gm, indent);
  // Some texts, such as those with unusual line breaks, are not the same after reading.
  const { value, errors } = parseYaml(block);
  const isSame = errors.length === 0 && stringifyExact(value) === stringifyExact([item]);
  return isSame && !invisible.test(block) ? block : line;
}
