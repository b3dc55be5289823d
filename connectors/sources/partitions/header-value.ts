/** Converts a property to a header value. Returns undefined for null and undefined. Accepts any type and never throws. */
export function headerValue(value: unknown): string | Buffer | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return textOf(value);
}

/** Converts a value other than text or bytes to text: a time to RFC 3339, a structure to JSON. */
export function textOf(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '';
  } catch {
    return '';
  }
}
