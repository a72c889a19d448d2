// Manual pages: one for each command, group and topic.
import { describe, expect, it } from 'vitest';
import { manualPages } from '../../scripts/manual-pages.ts';
import { commandTree } from '../../src/commands/index.ts';
import { specifiedIds } from '../../src/service/operations/index.ts';
import { openRig } from '../support/rig.ts';

const pages = new Map(
  (await manualPages(commandTree, { version: '1.2.3', specified: specifiedIds })).map(
    ({ file, text }) => [file, text],
  ),
);

describe('manual pages', () => {
  it('exist for svc, each command and each topic', async () => {
    const { svc } = await openRig();
    const commands = (await svc(['commands', '-o', 'ids'])).stdout.trim().split('\n');
    expect(commands.length).toBeGreaterThan(40);
    for (const command of commands)
      expect([...pages.keys()]).toContain(`${command.replaceAll(' ', '-')}.1`);
    expect([...pages.keys()]).toContain('svc.1');
    expect([...pages.keys()]).toContain('svc-help-exit-codes.7');
  });

  it('contain name, synopsis, options, output, exit codes and examples', () => {
    expect(pages.get('svc-topics-rename.1')).toMatchInlineSnapshot(`
      ".TH "SVC\\-TOPICS\\-RENAME" "1" "" "svc 1.2.3" "svc manual"
      .SH NAME
      svc\\-topics\\-rename \\- Rename a topic without changing its key
      .SH SYNOPSIS
      .B svc topics rename
      <topic\\-key> <name> [options]
      .SH DESCRIPTION
      Rename a topic without changing its key.
      .SH ARGUMENTS
      .TP
      .B <topic\\-key>
      Key of the topic
      .TP
      .B <name>
      The new name
      .SH OUTPUT
      The renamed topic.
      .SH EXIT STATUS
      0 ok, 2 usage, 4 auth, 5 notFound, 6 refused, 7 unavailable, 8 local. See \`svc help exit\\-codes\`.
      .SH EXAMPLES
      Change the name of topic announcements:
      .PP
      .nf
      .RS
      svc \\-p sandbox topics rename announcements "Product news"
      .RE
      .fi
      .PP
      Show the request without sending it:
      .PP
      .nf
      .RS
      svc \\-p sandbox topics rename announcements News \\-\\-dry\\-run
      .RE
      .fi
      .PP
      .SH SEE ALSO
      .BR svc (1),
      .BR svc\\-help\\-options (7),
      .BR svc\\-help\\-output (7)
      "
    `);
  });

  it.each([...pages])('%s contains no text that roff would read as a request', (_file, text) => {
    const requests = text.split('\n').filter((line) => /^[.']/.test(line));
    expect(requests.filter((line) => !/^\.(TH|SH|TP|PP|B|BR|nf|fi|RS|RE)( |$)/.test(line))).toEqual(
      [],
    );
  });
});
