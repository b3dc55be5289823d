import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { notDecoded, type Validation } from './errors.ts';

/* Content that every operation refuses. The state keeps free-form members as JSON text in SQLite. */

/** Maximum number of levels of objects and lists in a body. SQLite refuses JSON text with more than 1,000. */
const MOST_LEVELS = 100;
/** Names below this level are not repeated in answers. They may be keys of a map, which can hold health data. */
const NAMED_LEVELS = 2;

type Part = 'path' | 'query' | 'body';
type Loc = Validation['detail'][number]['loc'];
type Problem = Omit<Validation['detail'][number], 'loc'>;

const TOO_DEEP: Problem = { msg: `more than ${MOST_LEVELS} levels of objects and lists`, type: 'too_deep' };
const NOT_TEXT: Problem = { msg: 'text with a NUL or with half of a surrogate pair', type: 'string_unicode' };
const NOT_FINITE: Problem = { msg: 'a number beyond the range of 64-bit floating point', type: 'finite_number' };

/** Returns the first problem in a value that every operation refuses, or undefined. */
export function malformedIn(part: Part, value: unknown): Validation | undefined {
  const found = problemIn(value, []);
  return found === undefined ? undefined : { detail: [{ loc: [part, ...found.loc.slice(0, NAMED_LEVELS)], ...found.problem }] };
}

interface Found {
  readonly loc: Loc;
  readonly problem: Problem;
}

function problemIn(value: unknown, loc: Loc): Found | undefined {
  if (typeof value === 'string') return isText(value) ? undefined : { loc, problem: NOT_TEXT };
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { loc, problem: NOT_FINITE };
  // A file may contain any bytes.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  if (loc.length === MOST_LEVELS) return { loc, problem: TOO_DEEP };
  for (const [name, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const found = typeof name === 'string' && !isText(name) ? { loc, problem: NOT_TEXT } : problemIn(member, [...loc, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Returns what is wrong with the address of a request, or undefined. Parsers replace bytes that are not UTF-8. */
export function malformedAddress(part: 'path' | 'query', { url, params, query }: FastifyRequest): Validation | undefined {
  const [path = '', ...rest] = url.split('?');
  const text = part === 'path' ? path : rest.join('?');
  return isAddress(text) ? malformedIn(part, part === 'path' ? params : query) : notDecoded(part);
}

/** Returns whether a part of an address is ASCII with escapes of UTF-8. Node reads other bytes as Latin-1. */
const isAddress = (text: string): boolean =>
  /^[\x20-\x7e]*$/.test(text) &&
  (text.match(/(%[\da-f]{2})+/gi) ?? []).every((escapes) => isUtf8(Buffer.from(escapes.replaceAll('%', ''), 'hex')));
