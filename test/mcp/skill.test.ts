// The texts for assistants: the skill file, docs/agents.md and AGENTS.md.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isGroup } from '../../src/cli/command.ts';
import { isHelpTopic } from '../../src/cli/help/topics.ts';
import { locate, readWords } from '../../src/cli/locate.ts';
import { parse } from '../../src/cli/parser.ts';
import { commandTree } from '../../src/commands/index.ts';
import { splitShellWords } from '../../src/core/text.ts';
import { openRig } from '../support/rig.ts';

const skill = readFileSync('skills/svc/SKILL.md', 'utf8');
const page = readFileSync('docs/agents.md', 'utf8');

/** Parses a command line. Throws a usage error if svc would reject it. */
async function parseLine(line: string) {
  const words = splitShellWords(line.replace(/ < .*$/, '')).map(({ text }) => text);
  const { path, node, rest } = await locate(readWords(words.slice(1)), commandTree);
  if (!node || isGroup(node)) throw new Error(`${line} is not a command`);
  const parsed = parse(path, node, rest);
  const needed = Object.entries(node.arguments ?? {}).filter(([, { syntax }]) => syntax[0] === '<');
  expect({ line, missing: needed.filter(([name]) => parsed.args[name] === undefined) }).toEqual({
    line,
    missing: [],
  });
}

describe('skills/svc/SKILL.md', () => {
  it('has ten tasks whose commands svc accepts', async () => {
    const [, tasks = ''] = skill.split('\n## Tasks\n');
    expect(tasks.match(/^\d+\. /gm)).toHaveLength(10);
    const lines = [...skill.matchAll(/^ {2,}(svc .*)$/gm)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) await parseLine(line);
  });

  it('names only commands that exist', async () => {
    const named = [...skill.matchAll(/`svc ([^`]*)`/g)].map(([, line = '']) => line);
    expect(named.length).toBeGreaterThan(100);
    for (const line of named.filter((text) => !/^(<command>|help <topic>)/.test(text))) {
      const words = line.split(/\s+/);
      const { path, node, rest } = await locate(readWords(words), commandTree);
      expect({ line, isCommand: node !== undefined && !isGroup(node) }).toEqual({
        line,
        isCommand: true,
      });
      const syntax = isGroup(node ?? { summary: '', commands: {} })
        ? []
        : Object.values((node as { arguments?: object }).arguments ?? {});
      expect([...path, ...rest]).toEqual(words);
      expect(rest.length === 0 || rest.length === syntax.length).toBe(true);
    }
  });

  it('is what svc help agents prints', async () => {
    const { svc } = await openRig();
    expect(isHelpTopic('agents')).toBe(true);
    expect((await svc(['help', 'agents'])).stdout).toBe(skill);
  });

  it('has the name and description that assistants look for', () => {
    expect(skill).toMatch(/^---\nname: svc\ndescription: >-\n( {2}.*\n)+---\n/);
  });
});

describe('docs/agents.md', () => {
  it('has configurations that start a server', async () => {
    const blocks = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
    expect(blocks).toHaveLength(2);
    for (const block of blocks) {
      const { svc } = JSON.parse(block).mcpServers;
      await parseLine([svc.command, ...svc.args].join(' '));
    }
  });
});

it('AGENTS.md has ten lines', () => {
  expect(readFileSync('AGENTS.md', 'utf8').match(/^\d+\. /gm)).toHaveLength(10);
});
