import { command } from '../../cli/command.ts';
import { commaList, flag, text } from '../../cli/options.ts';
import * as result from '../../output/result.ts';

export const mcp = command({
  summary: 'Offer the commands as tools to an assistant, as a Model Context Protocol server',
  details:
    'An assistant starts the server and calls its tools over standard input and output. Each command is a tool: `svc topics list` is topics_list, its arguments and options are the parameters. The server is bound to the profile with which it starts.\n\nOnly tools that read are offered, unless you add --allow-writes: the 40 or fewer that assistants need most, or with --tools all every one. Tools that change data of the service, files, runs or a sandbox count as writing. A protected profile never offers them. A tool that would ask a person needs the parameter `confirm` with the name of the environment. With the profile of a sandbox on this machine, all tools are offered, also those for its clock, messages and faults.\n\nNo tool shows or takes a key, selects another profile, or uses files outside of --root.',
  options: {
    allowWrites: flag('--allow-writes', 'Also offer the tools that change data'),
    tools: commaList(
      '--tools <names>',
      'Offer only these groups or tools: topics,activity_list; all: also the tools that are rarely needed',
    ),
    root: text(
      '--root <folder>',
      'Folder of the files that tools may use (default: the current folder)',
      { complete: 'files' },
    ),
  },
  output: 'Messages of the Model Context Protocol.',
  exitCodes: ['local'],
  examples: {
    'svc mcp -p sandbox': 'Offer all tools for a sandbox',
    'svc mcp -p development --tools subscribers,activity':
      'Offer the tools that read subscribers and activity',
    'svc mcp -p development --tools all': 'Offer every tool that reads',
  },
  writes: false,
  gracefulShutdown: true,
  async run(context, { options: { allowWrites = false, tools, root = '.' } }, program) {
    const { startServer } = await import('../../mcp/start-server.ts');
    await startServer(context, program, { allowWrites, only: tools, root });
    return result.noResult;
  },
});
