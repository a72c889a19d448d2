// UTF-16 → UTF-8, chunk by chunk. A lone surrogate becomes an invalid UTF-8 byte, so that only its record is rejected.

const loneSurrogates = /\p{Surrogate}/gu;
const invalidByte = Buffer.from([0xff]);

/** `stream` starts after the byte order mark. */
export async function* fromUtf16(
  stream: AsyncIterable<Buffer>,
  bigEndian: boolean,
): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = Buffer.concat([held, chunk]);
    const whole = wholeUnits(bytes, bigEndian);
    held = bytes.subarray(whole);
    if (whole > 0) yield recode(bytes.subarray(0, whole), bigEndian);
  }
  const even = held.length - (held.length % 2);
  if (even > 0) yield recode(held.subarray(0, even), bigEndian);
  if (even < held.length) yield invalidByte;
}

/** Returns the number of bytes up to the last complete character. */
function wholeUnits(bytes: Buffer, bigEndian: boolean): number {
  const even = bytes.length - (bytes.length % 2);
  const high = bytes[bigEndian ? even - 2 : even - 1] ?? 0;
  return even > 0 && (high & 0xfc) === 0xd8 ? even - 2 : even;
}

/** Swaps `bytes` in place, so the caller must not use them again. */
function recode(bytes: Buffer, bigEndian: boolean): Buffer {
  const text = (bigEndian ? bytes.swap16() : bytes).toString('utf16le');
  const parts = text.split(loneSurrogates);
  if (parts.length === 1) return Buffer.from(text);
  return Buffer.concat(
    parts.flatMap((part, index) => (index === 0 ? [] : [invalidByte]).concat(Buffer.from(part))),
  );
}
