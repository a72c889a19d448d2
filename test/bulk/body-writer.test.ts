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
    { seed, numRuns: 2_000 },
  );
});

it('bodies contain the kept items, also after items were dropped and in new buffers', () => {
  const step = fc.record({
    size: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 400_000 })),
    isKept: fc.boolean(),
    endsBody: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.string(), (steps, label) => {
      const frame = { open: `{${JSON.stringify(label)}:[`, close: ']}' };
      const writer = createBodyWriter(frame);
      const written: Buffer[] = [];
      const expected: string[][] = [];
      let items: string[] = [];
      const endBody = () => {
        if (items.length === 0) return;
        written.push(writer.endBody());
        expected.push(items);
        items = [];
      };
      for (const [index, { size, isKept, endsBody }] of steps.entries()) {
        const item = JSON.stringify(`${index}`.padEnd(size, 'é'));
        writer.start(Buffer.byteLength(item));
        writer.addText(item);
        expect(writer.itemBytes()).toBe(Buffer.byteLength(item));
        // The new item is not part of a body that ends before it is kept.
        if (endsBody) endBody();
        if (!isKept) continue;
        const range = { bodyStart: 0, bodyEnd: 0 };
        writer.keepItem(range);
        items.push(item);
        expect(range.bodyEnd - range.bodyStart).toBe(Buffer.byteLength(item));
      }
      endBody();
      expect(written.map(String)).toEqual(
        expected.map((all) => `${frame.open}${all.join(',')}${frame.close}`),
      );
    }),
    { seed, numRuns: 100 },
  );
});
