// The links of a message.
import { expect, it } from 'vitest';
import { findLinks } from '../../../src/sandbox/templates/links.ts';

it.each<[string, string, [url: string, text: string][]]>([
  ['an anchor', '<a href="https://a.example">Go</a>', [['https://a.example', 'Go']]],
  [
    'an address with entities and a text with markup',
    "<a class=x href='https://a.example/?b=1&amp;c=2'>Go <b>now</b>\n &amp; here</a>",
    [['https://a.example/?b=1&c=2', 'Go now & here']],
  ],
  ['other schemes', '<a href="mailto:a@a.example">Mail</a>', [['mailto:a@a.example', 'Mail']]],
  [
    'addresses in the text without punctuation',
    '<p>See https://a.example/x?y=1, or (http://b.example/).</p>',
    [
      ['https://a.example/x?y=1', ''],
      ['http://b.example/', ''],
    ],
  ],
  [
    'an address that is also an anchor, once',
    '<a href="https://a.example">Go</a> or copy https://a.example',
    [['https://a.example', 'Go']],
  ],
  ['a linked image', '<a href="https://a.example"><img src="x"></a>', [['https://a.example', '']]],
  [
    'no styles, scripts and anchors without address',
    '<style>https://a.example</style><a>x</a>',
    [],
  ],
  ['no links', '<p>Hello</p>', []],
])('of an e-mail: %s', (_name, html, expected) => {
  expect(findLinks(html, true).map(({ url, text }) => [url, text])).toEqual(expected);
});

it('of another message: the addresses in its text', () => {
  expect(findLinks('<a href="x"> Your code: https://a.example/1!', false)).toEqual([
    { url: 'https://a.example/1', text: '' },
  ]);
});

it('of a chat message: addresses and links of Slack in order, without entities', () => {
  const text =
    'A https://a.example/?x=1&amp;y=2 <https://b.example/?c&amp;d|Open &amp; read> <https://c.example>.';
  expect(findLinks(text, false)).toEqual([
    { url: 'https://a.example/?x=1&y=2', text: '' },
    { url: 'https://b.example/?c&d', text: 'Open & read' },
    { url: 'https://c.example', text: '' },
  ]);
});
