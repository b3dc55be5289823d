/**
 * A value as the JSON text of a column. JSON.stringify escapes half a surrogate pair (`\ud800`), which is no Unicode and
 * no JSON to a warehouse: a single one would stop the merge of its table for good. It is spelled out instead, as the
 * text `\ud800`.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // What precedes an escape may be an escaped backslash, so escapes are taken one after another.
  return text.includes('\\ud')
    ? text.replaceAll(/\\(?:(u)(?=d[89a-f][0-9a-f]{2})|.)/g, (escaped, half) => (half ? '\\\\u' : escaped))
    : text;
}
