/** The value of a property as that of a header, whatever its type; undefined where it says nothing. Total. */
export function headerValue(value: unknown): string | Buffer | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return textOf(value);
}

/** A value that is neither text nor bytes as text: a time in RFC 3339, a structure as JSON. */
export function textOf(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '';
  } catch {
    return '';
  }
}
