import { CST, Parser } from 'yaml';

/** A bracket or quote that is not closed. */
export interface Unclosed {
  readonly offset: number;
  readonly sign: '{' | '[' | '"' | "'";
}

const closing = { 'flow-map-start': 'flow-map-end', 'flow-seq-start': 'flow-seq-end' } as const;

/**
 * Returns the innermost unclosed bracket or quote; undefined if there is none. The YAML library reports the error where its
 * parser gives up, which may be many lines later.
 */
export function unclosedIn(text: string): Unclosed | undefined {
  let last: Unclosed | undefined;
  const look = (token: CST.Token | null | undefined): void => {
    const found = token === null || token === undefined ? undefined : unclosed(token);
    if (found !== undefined && (last === undefined || found.offset > last.offset)) last = found;
  };
  for (const token of new Parser().parse(text)) {
    if (token.type !== 'document' || token.value === undefined) continue;
    look(token.value);
    CST.visit(token, ({ key, value }) => {
      look(key);
      look(value);
    });
  }
  return last;
}

function unclosed(token: CST.Token): Unclosed | undefined {
  if (token.type === 'flow-collection') {
    const { type, source, offset } = token.start;
    if (type !== 'flow-map-start' && type !== 'flow-seq-start') return undefined;
    return token.end[0]?.type === closing[type] ? undefined : { offset, sign: source as '{' | '[' };
  }
  if (token.type !== 'double-quoted-scalar' && token.type !== 'single-quoted-scalar') return undefined;
  const { source, offset } = token;
  const sign = source[0] as '"' | "'";
  return source.length > 1 && source.endsWith(sign) ? undefined : { offset, sign };
}
