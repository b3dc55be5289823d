/** `JSON.rawJSON` writes a number with all its digits. TypeScript's library does not declare it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** A decimal number with all its digits. `JSON.stringify` writes it as a number. */
export class Decimal {
  readonly digits: string;

  /** `digits` is a JSON number, such as `-0.50`. Throws a RangeError for any other text. */
  constructor(digits: string) {
    if (!NUMBER.test(digits)) throw new RangeError('the digits of a decimal are not a JSON number');
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  toJSON(): object {
    return rawJSON(this.digits);
  }
}

/** Formats a value as JSON, with all digits of integers and decimals. Numbers that JSON cannot represent become `"NaN"` or `"Infinity"`. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint') return rawJSON(inner.toString());
    if (typeof inner === 'number' && !Number.isFinite(inner)) return String(inner);
    return inner;
  });
}

/** A value of a query result. Its type depends only on the type of its column, except that NaN and infinities are text. */
export type QueryValue =
  | string
  | number
  | bigint
  | Decimal
  | boolean
  | null
  | readonly QueryValue[]
  | { readonly [name: string]: QueryValue };

export interface QueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: AsyncIterable<readonly (readonly QueryValue[])[]>;
}
