import type { AortaError } from '@aorta/runtime';
import {
  CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  parseDocument,
  Scalar,
  type YAMLError,
  type YAMLSeq,
} from 'yaml';
import { ProgramError } from '../errors.ts';

const variable = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;
const closing = { 'flow-map-start': 'flow-map-end', 'flow-seq-start': 'flow-seq-end' } as const;

// biome-ignore lint/suspicious/noTemplateCurlyInString: the message quotes this syntax
const unquotedVariable = '${…} inside { } or [ ] needs quotes around it';

export type Path = readonly (string | number)[];

/** The values of a configuration file, each with its line. */
export interface ConfigurationDocument {
  readonly file: string;
  readonly value: unknown;
  /** Returns the line of the field. If the file does not have the field, returns the line of the nearest enclosing field. */
  lineOf(path: Path): number;
  /** Returns whether the value comes from an unquoted environment variable. If so, it may be read as a number or a boolean. */
  isFromEnvironment(path: Path): boolean;
  /** Returns the names of the environment variables in the value at `path` that are set. */
  variablesAt(path: Path): readonly string[];
  /** Variables that are not set and have no default, in the order of the file. */
  readonly unset: readonly UnsetVariable[];
  readonly problems: readonly AortaError[];
}

/** A variable that is not set, in the value at `path`. The value keeps the text `${NAME}`. */
export interface UnsetVariable {
  readonly path: Path;
  readonly error: AortaError;
}

/** Returns whether `path` is `ancestor` or a field inside it. */
export function isWithin(ancestor: Path, path: Path): boolean {
  return ancestor.length <= path.length && ancestor.every((part, index) => part === path[index]);
}

interface Expansion {
  readonly text: string;
  readonly changed: boolean;
  /** Names of variables that are set. */
  readonly used: readonly string[];
  /** Names of variables that are not set and have no default. */
  readonly missing: readonly string[];
  /** Parts of the string that begin with `${` but are not variables. */
  readonly malformed: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

const place = /\$\$|\$\{([^}]*)\}?/g;

/**
 * Expands `${NAME}` and `${NAME:-default}` in a string; `$$` is a dollar sign. As in a shell, the default also replaces an
 * empty variable.
 */
export function expand(text: string, environment: Environment): Expansion {
  const used: string[] = [];
  const missing: string[] = [];
  const malformed: string[] = [];
  const filled = text.replace(place, (found, inside: string | undefined) => {
    if (found === '$$') return '$';
    const [, name, fallback] = variable.exec(inside ?? '') ?? [];
    if (name === undefined || !found.endsWith('}')) {
      malformed.push(found);
      return found;
    }
    const value = environment[name];
    if (value !== undefined && (value !== '' || fallback === undefined)) {
      used.push(name);
      return value;
    }
    if (fallback !== undefined) return fallback;
    missing.push(name);
    return found;
  });
  return { text: filled, changed: filled !== text, used, missing, malformed };
}

/** Returns whether the value at `path` contains a variable that is not set. */
export function holdsUnset({ unset }: Pick<ConfigurationDocument, 'unset'>, path: Path): boolean {
  return unset.some((variable) => isWithin(path, variable.path));
}

/** A bracket or quote that is not closed. */
interface Unclosed {
  readonly offset: number;
  readonly sign: '{' | '[' | '"' | "'";
}

/**
 * Returns the innermost unclosed bracket or quote; undefined if there is none. The YAML library reports the error where its
 * parser gives up, which may be many lines later.
 */
function unclosedIn(text: string): Unclosed | undefined {
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

/** Parses YAML and expands environment variables. Each problem in the result contains the line of the error. */
export function readDocument(file: string, text: string, environment: Environment): ConfigurationDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) {
    // One mistake can cause several errors on a line. Only the first of them describes the mistake.
    const first = new Map(document.errors.toReversed().map((error) => [lines.linePos(error.pos[0]).line, error]));
    const errors = [...first.values()].toReversed();
    const open = unclosedIn(text);
    // The parser misreads everything after an unclosed bracket, so errors after it are dropped.
    const before = open === undefined ? errors : errors.filter(({ pos }) => pos[0] < open.offset);
    const problems = before.map((error) => syntaxProblem(file, text, lines, error));
    if (open !== undefined) problems.push(unclosedProblem(file, text, lines, open));
    return {
      file,
      value: undefined,
      lineOf: () => 1,
      isFromEnvironment: () => false,
      variablesAt: () => [],
      unset: [],
      problems,
    };
  }
  const positions = new Map<string, number>();
  const bare = new Set<string>();
  const variables = new Map<string, readonly string[]>();
  const unset: UnsetVariable[] = [];
  const problems: AortaError[] = [];
  const lineAt = (offset: number | undefined) => (offset === undefined ? 1 : lines.linePos(offset).line);

  const value = walk(document.contents, [], new Set());
  return {
    file,
    value: value ?? {},
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const line = positions.get(JSON.stringify(path.slice(0, length)));
        if (line !== undefined) return line;
      }
      return 1;
    },
    isFromEnvironment: (path) => bare.has(JSON.stringify(path)),
    variablesAt: (path) => variables.get(JSON.stringify(path)) ?? [],
    unset,
    problems,
  };

  function walk(node: Node | null, path: Path, within: ReadonlySet<Node>): unknown {
    const target = isAlias(node) ? node.resolve(document as Document) : node;
    if (target === null || target === undefined || within.has(target)) return null;
    const inside = new Set(within).add(target);
    if (isMap(target)) return mapped(target.items as Pair<Node, Node | null>[], path, inside);
    if (isSeq(target)) return listed(target, path, inside);
    if (isScalar(target)) return typeof target.value === 'string' ? filled(target, target.value, path) : target.value;
    return null;
  }

  function mapped(pairs: readonly Pair<Node, Node | null>[], path: Path, inside: ReadonlySet<Node>): Record<string, unknown> {
    const entries = pairs.map(({ key, value }): [string, unknown] => {
      const name = isScalar(key) ? String(key.value) : '?';
      const at = [...path, name];
      positions.set(JSON.stringify(at), lineAt(key?.range?.[0]));
      return [name, walk(value, at, inside)];
    });
    return Object.fromEntries(entries);
  }

  function listed(list: YAMLSeq, path: Path, inside: ReadonlySet<Node>): unknown[] {
    return (list.items as (Node | null)[]).map((item, index) => {
      const at = [...path, index];
      positions.set(JSON.stringify(at), lineAt(item?.range?.[0] ?? list.range?.[0]));
      return walk(item, at, inside);
    });
  }

  function filled(node: Scalar, text: string, path: Path): string {
    const expansion = expand(text, environment);
    const line = lineAt(node.range?.[0]);
    for (const variable of expansion.missing)
      unset.push({ path, error: new ProgramError('AORTA-CONFIG-VARIABLE', { file, line, variable }) });
    if (expansion.malformed.length > 0)
      problems.push(
        new ProgramError('AORTA-CONFIG-INVALID', {
          file,
          line,
          field: fieldName(path),
          problem: 'the text after ${ is not a variable',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the hint shows this syntax
          hint: 'Write ${NAME} or ${NAME:-default}. For a dollar sign, write $$.',
        }),
      );
    if (expansion.used.length > 0) variables.set(JSON.stringify(path), [...new Set(expansion.used)]);
    if (expansion.changed && node.type === Scalar.PLAIN) bare.add(JSON.stringify(path));
    return expansion.text;
  }
}

/** Formats the path of a field, such as `sources[0].paths`. */
export function fieldName(path: Path): string {
  if (path.length === 0) return 'the file';
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
}

/** Our own messages, by error code. The library's messages quote the text of the file, which may contain a secret. */
const syntaxWords: Partial<Record<YAMLError['code'], string>> = {
  BAD_INDENT: 'the indentation does not match the lines around it',
  TAB_AS_INDENT: 'a tab is used as indentation; use spaces',
  DUPLICATE_KEY: 'the same key is here twice',
  MISSING_CHAR: 'something is missing, such as a colon, a comma, a quote or a closing bracket',
  UNEXPECTED_TOKEN: 'unexpected text',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line; is a colon or a quote missing?',
  BAD_ALIAS: 'an alias names an anchor that does not exist before it',
  MULTIPLE_DOCS: 'the file contains more than one document',
  BLOCK_AS_IMPLICIT_KEY: 'a nested block cannot be on the line of another key',
  BLOCK_IN_FLOW: 'lines with dashes are not allowed inside { } or [ ]',
  BAD_SCALAR_START: 'a value that begins with this character needs quotes',
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins no valid escape; use single quotes',
};

/**
 * Returns whether a line has an unquoted variable inside brackets. The YAML parser mistakes the `}` of such a variable for a
 * closing bracket.
 */
const isUnquotedVariable = (line: string): boolean => /[{[].*(?<!["'])\$\{/.test(line);

function unclosedProblem(file: string, text: string, lines: LineCounter, { offset, sign }: Unclosed): AortaError {
  const { line, col } = lines.linePos(offset);
  const problem = isUnquotedVariable(text.split('\n')[line - 1] ?? '')
    ? unquotedVariable
    : `${sign === '{' || sign === '[' ? 'the bracket' : 'the quote'} ${sign} is opened here and never closed`;
  return new ProgramError('AORTA-CONFIG-SYNTAX', { file, line, column: col, problem });
}

function syntaxProblem(file: string, text: string, lines: LineCounter, error: YAMLError): AortaError {
  const { line, col } = lines.linePos(error.pos[0]);
  const around = text.split('\n')[line - 1] ?? '';
  const problem = isUnquotedVariable(around)
    ? unquotedVariable
    : (syntaxWords[error.code] ?? error.code.toLowerCase().replaceAll('_', ' '));
  return new ProgramError('AORTA-CONFIG-SYNTAX', { file, line, column: col, problem });
}
