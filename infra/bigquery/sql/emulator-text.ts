import { isSymbol, isWord, statementsOf, type Token, tokensOf } from './tokens.ts';

/** A query parameter in the format of the REST API. */
export interface QueryParameter {
  readonly name?: string;
  readonly parameterType: ParameterType;
  readonly parameterValue: ParameterValue;
}

interface ParameterType {
  readonly type: string;
  readonly arrayType?: ParameterType;
  readonly structTypes?: readonly { readonly name?: string; readonly type: ParameterType }[];
}

interface ParameterValue {
  readonly value?: string | number | boolean | null;
  readonly arrayValues?: readonly ParameterValue[];
  readonly structValues?: Readonly<Record<string, ParameterValue>>;
}

/**
 * Returns the SQL text with literals in place of named parameters, because the emulator loses parameters if the text has several
 * statements.
 */
export function withParameters(text: string, parameters: readonly QueryParameter[]): string {
  const values = new Map(
    parameters.flatMap((one) =>
      one.name === undefined ? [] : [[`@${one.name.toLowerCase()}`, one] as [string, QueryParameter]],
    ),
  );
  let written = '';
  let at = 0;
  for (const token of tokensOf(text)) {
    const parameter = token.kind === 'word' ? values.get(token.text.toLowerCase()) : undefined;
    if (parameter === undefined) continue;
    written += text.slice(at, token.start) + literal(parameter.parameterType, parameter.parameterValue);
    at = token.end;
  }
  return written + text.slice(at);
}

function literal(type: ParameterType, value: ParameterValue): string {
  if (type.type === 'ARRAY') return `[${(value.arrayValues ?? []).map((one) => literal(type.arrayType!, one)).join(', ')}]`;
  if (type.type === 'STRUCT')
    return `STRUCT(${(type.structTypes ?? []).map(({ name = '', type: inner }) => `${literal(inner, value.structValues?.[name] ?? {})}${name === '' ? '' : ` AS \`${name}\``}`).join(', ')})`;
  const text = value.value === undefined || value.value === null ? 'NULL' : quoted(String(value.value));
  return type.type === 'STRING' && text !== 'NULL' ? text : `CAST(${text} AS ${type.type})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

/** The emulator's type for all exact numeric types. In the real service, BIGNUMERIC has more digits. */
const EXACT = 'NUMERIC(38, 9)';

/**
 * Returns the SQL text with an explicit precision and scale for its exact numeric types. Without them, the emulator silently
 * keeps only three decimal places.
 */
export function withExactNumbers(text: string): string {
  let written = '';
  let at = 0;
  for (const { tokens } of statementsOf(text)) {
    const defines = isWord(tokens[0], 'CREATE', 'ALTER');
    for (const [index, token] of tokens.entries()) {
      if (!isWord(token, 'NUMERIC', 'DECIMAL', 'BIGNUMERIC', 'BIGDECIMAL') || !isType(tokens, index, defines)) continue;
      written += text.slice(at, token.start) + EXACT;
      at = token.end;
    }
  }
  return written + text.slice(at);
}

function isType(tokens: readonly Token[], index: number, defines: boolean): boolean {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (isSymbol(after, '(') || after?.kind === 'string') return false;
  if (isWord(before, 'AS')) return isSymbol(after, ')');
  if (isSymbol(before, '<')) return isSymbol(after, '>');
  return defines && (before?.kind === 'word' || before?.kind === 'name');
}
