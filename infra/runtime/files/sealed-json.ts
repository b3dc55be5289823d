import { crc32 } from 'node:zlib';

/** A JSON text with a CRC-32 as its last member, and that CRC-32. */
export interface Sealed {
  readonly text: string;
  readonly sum: number;
}

/**
 * Adds a CRC-32 to the JSON text of an object or array that is not empty: `{"a":1}` becomes `{"a":1,"crc32":"…"}`, and `["a"]`
 * becomes `["a","…"]`. The CRC-32 covers the given text, and continues `before`, the CRC-32 of an earlier text.
 */
export function sealJson(json: string, before = 0): Sealed {
  const sum = crc32(json, before);
  const end = json.slice(-1);
  return { text: `${json.slice(0, -1)},${memberOf(end, sum)}${end}`, sum };
}

/**
 * Returns the JSON text that {@link sealJson} received. Returns undefined if the bytes differ in any way from what it returned, or
 * if another text came `before`.
 */
export function unsealJson(bytes: Buffer, before = 0): { readonly json: string; readonly sum: number } | undefined {
  const end = bytes.toString('latin1', bytes.length - 1);
  const added = memberOf(end, 0).length + 2;
  const json = `${bytes.toString('utf8', 0, Math.max(0, bytes.length - added))}${end}`;
  const { text, sum } = sealJson(json, before);
  return bytes.equals(Buffer.from(text)) ? { json, sum } : undefined;
}

function memberOf(end: string, sum: number): string {
  return `${end === '}' ? '"crc32":' : ''}"${sum.toString(16).padStart(8, '0')}"`;
}
