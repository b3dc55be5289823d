import { describe, expect, test } from 'vitest';
import { commentsOf, markdownOf, testNamesOf } from './source-text.ts';

const source = `/** Reads a log. Throws {@link LogError}. */
export function read() {}
// The broker sends
// two answers.
const a = 1; // one
/**
 * A second comment.
 *
 * @returns the lag, in records
 */
// biome-ignore lint/x: why
test('a restarted worker resumes', () => {});
test("a worker's lease", () => {});
describe.skipIf(no)(\`three brokers\${why}\`, () => {});
describe
  .skipIf(no)
  .concurrent(\`a topic\${problem === undefined ? '' : \` (\${problem.message})\`}\`, () => {});
describe(\`a consumer \${problem?.message ?? ''}\`, () => {});
test.each(['a'])(
  'reads it\\'s %s',
  () => {},
);
z.string().describe('The folder.');
`;

describe('the text of a source file', () => {
  test('contains each comment once, without stars, tags or link markup', () => {
    expect(commentsOf('a.test.ts', source).map(({ line, end, text }) => [line, end, text.trim()])).toEqual([
      [0, 1, 'Reads a log. Throws `LogError`.'],
      [2, 4, 'The broker sends\n two answers.'],
      [4, 5, 'one'],
      [5, 10, 'A second comment.\n\nthe lag, in records'],
    ]);
  });

  test('contains the names of the tests and suites in a test file', () => {
    expect(testNamesOf('a.test.ts', source).map(({ line, text }) => [line, text])).toEqual([
      [11, 'a restarted worker resumes'],
      [12, "a worker's lease"],
      [13, 'three brokers`why`'],
      [16, 'a topic'],
      [17, 'a consumer'],
      [19, "reads it's %s"],
    ]);
    expect(testNamesOf('a.ts', source)).toEqual([]);
  });

  test('contains every text on its original line, so that objections report the right line', () => {
    expect(markdownOf('a.test.ts', source).split('\n')).toEqual([
      'Reads a log. Throws `LogError`.',
      '',
      'The broker sends',
      'two answers.',
      'one',
      '',
      'A second comment.',
      '',
      'the lag, in records',
      '',
      '',
      '# a restarted worker resumes',
      "# a worker's lease",
      '# three brokers`why`',
      '',
      '',
      '# a topic',
      '# a consumer',
      '',
      "# reads it's %s",
      '',
      '',
      '',
      '',
    ]);
  });

  test('includes the suites that contain a test, even if the name of the test is on a separate line', () => {
    const nested =
      "describe('a', () => {\n  describe('b', () => {\n    test.each([1])(\n'c', () => {});\n  });\n});\ntest('d', () => {});";
    expect(testNamesOf('a.test.ts', nested).map(({ text, suites }) => [...suites, text])).toEqual([
      ['a'],
      ['a', 'b'],
      ['a', 'b', 'c'],
      ['d'],
    ]);
  });

  test('is not extracted from a file with a syntax error, and the error names the file', () => {
    expect(() => commentsOf('b.ts', 'const = 1')).toThrow(/^b\.ts: /);
  });
});
