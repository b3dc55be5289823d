/** Whether the bytes start with gzip's magic number (RFC 1952). */
export function looksGzipped(bytes: Buffer): boolean {
  return bytes.length > 1 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}
