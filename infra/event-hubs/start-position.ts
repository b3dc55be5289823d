/** The position in a partition from which a reader wants to start. */
export type StartPosition =
  | { readonly from: 'earliest' | 'latest' }
  | { readonly from: 'offset' | 'sequence-number' | 'enqueued-time'; readonly value: number; readonly inclusive: boolean };

const selector = /^\s*amqp\.annotation\.x-opt-(offset|sequence-number|enqueued-time)\s*(>=?)\s*'([^']*)'\s*$/;

/**
 * Parses the selector of a receiving link. Returns undefined if the selector is invalid. Without a selector, a reader
 * gets only new events.
 */
export function startPosition(expression: string | undefined): StartPosition | undefined {
  if (expression === undefined) return { from: 'latest' };
  const match = selector.exec(expression);
  if (match === null) return undefined;
  const from = match[1] as 'offset' | 'sequence-number' | 'enqueued-time';
  const text = match[3]!;
  if (from === 'offset' && text === '@latest') return { from: 'latest' };
  if (from === 'offset' && text === '-1') return { from: 'earliest' };
  // The offset of a geo-replicated hub begins with the replication epoch and a colon.
  const number = /^(?:\d+:)?(-?\d+)$/.exec(text)?.[1];
  if (number === undefined) return undefined;
  return { from, value: Number(number), inclusive: match[2] === '>=' };
}
