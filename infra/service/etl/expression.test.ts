import { RE2JS } from 're2js';
import { afterEach, expect, test, vi } from 'vitest';
import { contains, hubOf, hubsSchema, isExpression } from './pipeline.ts';

afterEach(() => vi.restoreAllMocks());

const hubsWith = (...expressions: string[]) =>
  hubsSchema.parse({
    connection_string: 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5',
    default_event_hub: 'rest',
    event_hub_matchers: expressions.map((event_type_regex) => ({ event_type_regex, event_hub: event_type_regex })),
  });

// What RE2 accepts, by https://github.com/google/re2/wiki/Syntax.
test.each([
  '(?i)daily',
  '(?i:DATA)\\.',
  '^daily\\.(?P<rest>.*)$',
  '(?<rest>data)',
  '\\Qdata.\\E',
  '\\pL+',
  '[[:lower:]]+',
  '(?s-m:.)',
  'a{1000}',
])('RE2 accepts %s', (expression) => {
  expect(isExpression(expression)).toBe(true);
});

test.each([
  'a(?=b)',
  'a(?!b)',
  '(?<=a)b',
  '(?<!a)b',
  '(a)\\1',
  '(?<a>b)\\k<a>',
  '(?>a)',
  'a++',
  'a{1001}',
  '\\u0041',
  '\\Z',
  '(',
  '[',
])('RE2 does not accept %s', (expression) => {
  expect(isExpression(expression)).toBe(false);
});

test.each([
  ['(?i)DAILY\\.data', true],
  ['DAILY\\.data', false],
  ['data\\.(steps|sleep)', true],
  ['^data', false],
  ['created$', true],
  ['\\pN', false],
])('%s: a daily event of steps goes to its hub: %s', (expression, isFound) => {
  expect(hubOf(hubsWith(expression), 'daily.data.steps.created')).toBe(isFound ? expression : 'rest');
});

test('an expression with nested repetition gives the right answer for a long text', () => {
  expect(contains(`${'a'.repeat(5_000)}!`, {}, '(a+)+$')).toBe(false);
  expect(contains('a'.repeat(5_000), {}, '(a+)+$')).toBe(true);
});

test('a pipeline compiles each expression once', () => {
  const hubs = hubsWith('sleep', 'steps');
  const compile = vi.spyOn(RE2JS, 'compile');
  for (let event = 0; event < 5; event++) hubOf(hubs, 'daily.data.steps.created');
  expect(compile.mock.calls).toEqual([['sleep'], ['steps']]);
});
