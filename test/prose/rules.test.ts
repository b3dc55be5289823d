import { describe, expect, test } from 'vitest';
import { objectionsTo as all } from './objections.ts';
import { LONGEST } from './rules.ts';

/** Returns the rule and the line of each objection to a Markdown text. */
async function objectionsTo(text: string): Promise<string[]> {
  return (await all(text)).map(({ ruleId, line }) => `${ruleId} ${line}`);
}

const words = (count: number): string => `The worker ${Array.from({ length: count - 2 }, () => 'waits').join(' ')}.`;

describe('sentence length', () => {
  test('accepts a sentence of the maximum length, and objects to a longer sentence', async () => {
    expect(await objectionsTo(words(LONGEST))).toEqual([]);
    expect(await objectionsTo(words(LONGEST + 1))).toEqual(['sentence-length 1']);
  });

  test('counts the words of each sentence separately, and counts code as one word', async () => {
    expect(await objectionsTo(`${words(LONGEST)} ${words(LONGEST)}`)).toEqual([]);
    expect(await objectionsTo(words(LONGEST - 1).replace('.', ' `select a, b, c from d`.'))).toEqual([]);
  });

  test('applies to list items and table cells, but not to code blocks', async () => {
    const long = words(LONGEST + 1);
    expect(await objectionsTo(`- ${long}\n\n| a |\n| --- |\n| ${long} |\n\n\`\`\`\n${long}\n\`\`\``)).toEqual([
      'sentence-length 1',
      'sentence-length 5',
    ]);
  });
});

describe('words', () => {
  test.each([
    'The reader reads the log anew.',
    'The offset is to be committed.',
    'The broker is asked once more.',
    'The record has to be written.',
    'The adapter mends a fault of the library.',
  ])('objects to: %s', async (text) => expect(await objectionsTo(text)).toEqual(['words 1']));

  test.each([
    'The reader replays the log.',
    'The worker must commit the offset.',
    'Use `aorta load` once, then `anew`.',
    'The recommendation comes from the vendor.',
  ])('accepts: %s', async (text) => expect(await objectionsTo(text)).toEqual([]));
});

describe('openings', () => {
  test.each([
    'Where a broker does not answer, the worker waits.',
    'Whoever reads the topic commits offsets.',
    'Of two ends the later one counts.',
    'What is cheap is compared.',
    'Nothing of it is written.',
    'With it the worker starts.',
  ])('objects to: %s', async (text) => expect(await objectionsTo(text)).toEqual(['openings 1']));

  test.each([
    'Where are the logs?',
    'What is a dead letter?',
    'If a broker does not answer, the worker waits.',
    'The worker writes nothing of it.',
  ])('accepts: %s', async (text) => expect(await objectionsTo(text)).toEqual([]));

  test('also applies to the second sentence of a paragraph, and reports the line of that sentence', async () => {
    expect(await objectionsTo('The worker starts.\nWhoever reads it waits.')).toEqual(['openings 2']);
  });
});
