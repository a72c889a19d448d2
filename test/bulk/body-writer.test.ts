// How the items of a request are written into its body.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBodyWriter } from '../../src/bulk/engine/body-writer.ts';

const seed = 20_260_115;
const maxBytesPerByte = 6;

it('a cell becomes the same JSON as with JSON.stringify', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })),
      (given) => {
        const text = Buffer.from(given).toString();
        const bytes = Buffer.from(`xx${text.replaceAll('"', '""')}xx`);
        const writer = createBodyWriter({ open: '[', close: ']' });
        writer.start(maxBytesPerByte * bytes.length);
        writer.addQuoted(bytes, 2, bytes.length - 2);
        writer.keepItem({ bodyStart: 0, bodyEnd: 0 });
        expect(writer.endBody().toString()).toBe(`[${JSON.stringify(text)}]`);
      },
    ),
    { seed, numRuns: 500 },
  );
});

it('bodies contain the kept items until they are released, also after items were dropped and in used buffers', () => {
  const step = fc.record({
    size: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 400_000 })),
    isKept: fc.boolean(),
    endsBody: fc.boolean(),
    releases: fc.nat(8),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.string(), (steps, label) => {
      const frame = { open: `{${JSON.stringify(label)}:[`, close: ']}' };
      const writer = createBodyWriter(frame);
      const bodies: { body: Buffer; expected: string }[] = [];
      const release = (index: number) => {
        const [{ body, expected } = { body: undefined, expected: '' }] = bodies.splice(index, 1);
        if (!body) return;
        expect(body.toString()).toBe(expected);
        writer.release(body);
      };
      let items: string[] = [];
      const endBody = () => {
        if (items.length === 0) return;
        const expected = `${frame.open}${items.join(',')}${frame.close}`;
        bodies.push({ body: writer.endBody(), expected });
        items = [];
      };
      for (const [index, { size, isKept, endsBody, releases }] of steps.entries()) {
        const item = JSON.stringify(`${index}`.padEnd(size, 'é'));
        writer.start(Buffer.byteLength(item));
        writer.addText(item);
        expect(writer.itemBytes()).toBe(Buffer.byteLength(item));
        // The new item is not part of a body that ends before it is kept.
        if (endsBody) endBody();
        release(releases);
        if (!isKept) continue;
        const range = { bodyStart: 0, bodyEnd: 0 };
        writer.keepItem(range);
        items.push(item);
        expect(range.bodyEnd - range.bodyStart).toBe(Buffer.byteLength(item));
      }
      endBody();
      while (bodies.length > 0) release(0);
    }),
    { seed, numRuns: 100 },
  );
});

/** Writes bodies of 200 kB, about five in each buffer, and releases each one ten bodies later if `isNeeded` is false. */
function writeBodies(isNeeded: (index: number) => boolean) {
  const writer = createBodyWriter({ open: '[', close: ']' });
  const written: { body: Buffer; expected: string }[] = [];
  for (let index = 0; index < 60; index += 1) {
    const item = JSON.stringify(`${index}`.padEnd(200_000, 'x'));
    writer.start(item.length);
    writer.addText(item);
    writer.keepItem({ bodyStart: 0, bodyEnd: 0 });
    written.push({ body: writer.endBody(), expected: `[${item}]` });
    const earlier = written[index - 10];
    if (earlier && !isNeeded(index - 10)) writer.release(earlier.body);
  }
  return written;
}

it('a buffer is not used again while one of its bodies is needed', () => {
  const isNeeded = (index: number) => index % 7 === 0;
  for (const { body, expected } of writeBodies(isNeeded).filter((_one, index) => isNeeded(index)))
    expect(body.toString()).toBe(expected);
});

it('a buffer is used again when none of its bodies is needed', () => {
  const buffers = new Set(writeBodies(() => false).map(({ body }) => body.buffer));
  expect(buffers.size).toBeLessThan(6);
});
