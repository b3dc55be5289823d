import { isExact } from '@aorta/schemas';

/** Matches JSON with a number of sixteen digits or with an exponent, which a double may be unable to represent exactly. */
const suspicious = /\d{16}|\d[eE][+]?\d/;

/** Members of `JSON` that Node supports, but TypeScript's standard library does not declare yet. */
const json = JSON as unknown as {
  rawJSON(text: string): object;
  parse(text: string, revive: (name: string, value: unknown, context: { readonly source: string }) => unknown): unknown;
};

/**
 * Parses a JSON body. A number that a double cannot represent (1e400, an integer beyond 2^53) becomes a `JSON.rawJSON`
 * object. JSON.stringify writes such a number exactly as the service sent it, so parts of the answer can be stored
 * unchanged. Throws a SyntaxError whose message quotes the body, so do not log the message.
 */
export function contentOf(body: Buffer): unknown {
  const text = body.toString('utf8');
  if (!suspicious.test(text)) return JSON.parse(text);
  return json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && !isExact(value) ? json.rawJSON(source) : value,
  );
}
