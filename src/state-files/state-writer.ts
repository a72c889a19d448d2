// Writes the parts of a state file as YAML. Large lists have one item in a line, as JSON, which is also YAML.
import { invisible, jsonLine, stringifyExact } from '../core/lossless-json.ts';
import { parseYaml, writeYaml } from '../core/yaml.ts';
import { openReplacement } from '../platform/files/atomic-write.ts';
import { type OutputFile, outputError } from '../platform/files/output-file.ts';
import type { Mode } from '../service/mode.ts';
import type { SandboxVersion } from '../service/versions.ts';

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
  service,
}: {
  hasPersonalData: boolean;
  mark: Mode | undefined;
  service?: SandboxVersion | undefined;
}): string {
  const content = hasPersonalData
    ? 'Contains personal data.'
    : 'Names and addresses of people are replaced.';
  const mode = mark === undefined ? '' : `compat: ${mark}\n`;
  const version = service === undefined ? '' : `service: '${service}'\n`;
  return `${firstLine('pull')} ${content}\nversion: 1\n${mode}${version}environments:\n  - name: Development\n`;
}

const firstLine = (command: 'pull' | 'export') =>
  `# State of the svc sandbox, made by \`svc sandbox ${command}\`.`;

export const exportHead = `${firstLine('export')}\n`;

/** Whether a file that starts with this text is a state that svc wrote. */
export const isStateText = (start: string): boolean =>
  start.startsWith(firstLine('pull')) || start.startsWith(firstLine('export'));

const sectionText = (section: Section): string => `    ${section}:\n`;

const indent = '      ';

function itemText(section: Section, item: object): string {
  const line = `${indent}- ${jsonLine(item)}\n`;
  if (!blocks.includes(section)) return line;
  const block = writeYaml([item]).replace(/^(?=.)/gm, indent);
  // Some texts, such as those with unusual line breaks, are not the same after reading.
  const { value, errors } = parseYaml(block);
  const isSame = errors.length === 0 && stringifyExact(value) === stringifyExact([item]);
  return isSame && !invisible.test(block) ? block : line;
}

// Writes a state file as its content arrives. Other programs never see a part of it.

export type StateWriter = ReturnType<typeof openStateWriter>;

/** Bytes that are written at once. */
const chunkBytes = 256 * 1024;

export function openStateWriter({ path, shownAs, replaces }: OutputFile) {
  const guard = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw outputError(shownAs, error);
    }
  };
  const replacement = guard(() => openReplacement(path));
  let section: Section | undefined;
  let pending: string[] = [];
  let pendingLength = 0;
  const flush = () => {
    replacement.write(pending.join(''));
    pending = [];
    pendingLength = 0;
  };
  const write = (text: string) => {
    pending.push(text);
    pendingLength += text.length;
    if (pendingLength >= chunkBytes) guard(flush);
  };
  return {
    /** Writes the head of the file. */
    begin: write,
    /** Items of one section must be written together. */
    add(of: Section, item: object) {
      if (section !== of) write(sectionText(of));
      section = of;
      write(itemText(of, item));
    },
    finish: () =>
      guard(() => {
        flush();
        replacement.publish({ exclusive: !replaces });
      }),
    /** Leaves no file, unless it is finished. */
    discard: replacement.discard,
  };
}
