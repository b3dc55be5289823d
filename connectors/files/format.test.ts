import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectFormat } from './format.ts';

const MB = 2 ** 20;

/** Returns the parsed elements that `detectFormat` finds in a text; undefined if it does not treat the text as a document. */
async function elementsOf(text: string): Promise<unknown[] | undefined> {
  const bytes = Buffer.from(text);
  const format = await detectFormat(
    {
      chunks: async function* () {
        yield bytes;
      },
    },
    MB,
  );
  return format.kind === 'document' ? format.elements.map((element) => JSON.parse(element.bytes.toString())) : undefined;
}

/** Returns the elements of a text that JSON.parse reads as an array; undefined if the text is not a JSON array. */
function parsedArray(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const array = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 }).map((values) => JSON.stringify(values));
/** An array with some text inserted or removed, so that it is often invalid JSON. */
const damaged = fc
  .tuple(
    array,
    fc.nat(),
    fc.nat({ max: 2 }),
    fc.constantFrom('', ',', ']', '[', '}', '"', '\\', ' ', '\n', 'x', '1', 'null', '[1]'),
  )
  .map(([text, at, cut, put]) => {
    const from = 1 + (at % text.length);
    return text.slice(0, from) + put + text.slice(from + cut);
  });

describe('an array of events', () => {
  test('is a document if and only if the whole text is valid JSON', () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(array, damaged), async (text) => {
        expect(await elementsOf(text)).toEqual(parsedArray(text));
      }),
      { numRuns: 500 },
    ));

  test.each([
    ['an element that is cut off', '[{"a":1},{"a":]'],
    ['a comma after the last element', '[1,2,]'],
    ['text after the array', '[1,2] 3'],
    ['a second array after the array', '[1][2]'],
    ['two elements without a comma', '[1 2]'],
    ['a number that JSON does not have', '[01]'],
  ])('with %s is not a document', async (_, text) => {
    expect(parsedArray(text)).toBeUndefined();
    expect(await elementsOf(text)).toBeUndefined();
  });
});
