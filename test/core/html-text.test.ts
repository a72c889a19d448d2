// The HTML of an e-mail as plain text.
import { describe, expect, it } from 'vitest';
import { htmlText } from '../../src/core/html-text.ts';

describe('the text of an e-mail', () => {
  it.each([
    ['<p>Hello <b>Ada</b>,</p><p>good   to\nsee you.</p>', 'Hello Ada,\n\ngood to see you.'],
    ['one<br>two<div>three</div>', 'one\ntwo\nthree'],
    ['<h1>Title</h1><ul><li>a</li><li>b</li></ul>', 'Title\n\n• a\n• b'],
    ['<style>p{}</style><script>x()</script><title>t</title><p>shown</p>', 'shown'],
    ['a &amp; b &lt; c &euro;5 &#x1F600;', 'a & b < c €5 😀'],
    ['<!--[if mso]><p>Outlook</p><![endif]--><p>all</p>', 'all'],
    ['<img src="x.png" alt="A red car"><img src="y.png">', 'A red car'],
    ['<p>above</p><hr><p>below</p>', 'above\n\n----\n\nbelow'],
    ['<p>cut\u00adtings\u200b and\u00a0more</p>', 'cuttings and more'],
    ['', ''],
    ['<p>open <b>never closed', 'open never closed'],
  ])('%j', (html, text) => {
    expect(htmlText(html)).toEqual({ text, links: [] });
  });

  it('has a line for each row of a table', () => {
    const { text } = htmlText(
      '<table><tr><td>Item</td><td>2</td></tr><tr><td>Sum</td></tr></table>',
    );
    expect(text).toBe('Item 2\nSum');
  });

  it('numbers links, and equal ones once', () => {
    const link = '<a href="https://a.example/?x=1&amp;y=2">Confirm</a>';
    expect(htmlText(`<p>${link} or <a href="https://b.example">ask</a>, ${link}</p>`)).toEqual({
      text: 'Confirm [1] or ask [2], Confirm [1]',
      links: ['https://a.example/?x=1&y=2', 'https://b.example'],
    });
    expect(htmlText('<a name="top">Anchor</a>')).toEqual({ text: 'Anchor', links: [] });
  });

  it('is read in time that grows with its length', () => {
    const html = '<div><a href="https://a.example">a</a>'.repeat(2_000);
    expect(htmlText(html).links).toEqual(['https://a.example']);
  });
});
