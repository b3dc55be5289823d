import { isExact } from '@aorta/schemas';

/** A number that a double may not hold: sixteen digits, or an exponent. */
const suspicious = /\d{16}|\d[eE][+]?\d/;

/** What Node has, and TypeScript's library does not know yet. */
const json = JSON as unknown as {
  rawJSON(text: string): object;
  parse(text: string, revive: (name: string, value: unknown, context: { readonly source: string }) => unknown): unknown;
};

/**
 * The content of a body of JSON. A number that no double holds (1e400, an integer beyond 2^53) becomes an object that
 * JSON.stringify writes as it was spelled: what is passed on as a part of the answer is not changed on the way. Throws a
 * SyntaxError, whose message is not for others: it quotes.
 */
export function contentOf(body: Buffer): unknown {
  const text = body.toString('utf8');
  if (!suspicious.test(text)) return JSON.parse(text);
  return json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && !isExact(value) ? json.rawJSON(source) : value,
  );
}
