import type { ErrorClass } from '@aorta/runtime';
import { refusals } from '@aorta/schemas';
import { errorCatalogue } from '../catalogues.ts';
import { bySubject } from './order.ts';

/** Prefixes of error codes, in the order in which the page lists them. */
const subjects = [
  ...['CONFIG', 'USAGE', 'FILE', 'DATA', 'SEGMENT', 'STREAMS', 'STREAM-SHORTER', 'STREAM-', 'WAREHOUSE', 'BIGQUERY', 'QUERY'],
  ...[
    'HEALTH',
    'KAFKA-LOCAL',
    'BIGQUERY-LOCAL',
    'SERVERS',
    'CONTROL',
    'HUB',
    'KAFKA',
    'CHECKPOINTS',
    'KAFKA-OFFSET-',
    'SERVICE',
    'NOTICE',
  ],
  ...['SERVICE-UNREACHABLE', 'SERVICE-ANSWER', 'SERVICE-TOO-LARGE', 'SERVICE-CURSOR', 'BUG'],
].map((subject) => `AORTA-${subject}`);

/** Error classes with their descriptions, in the order in which the page lists them. */
const classes: Readonly<Record<ErrorClass, string>> = {
  usage: 'The command or the configuration is wrong. Correct it. The exit code is 2.',
  setup: 'The operator must fix the machine, an account, a folder or a file. The exit code is 1.',
  transient: 'The error may go away without a change. Try again, as the supervisor of `aorta run` does. The exit code is 75.',
  data: 'Part of the data is invalid. Aorta loads the rest.',
  bug: 'A bug in Aorta.',
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Returns the reference page for errors and dead-letter reasons as Markdown, generated from the two catalogues. */
export function errorsReference(): string {
  const entries = bySubject(errorCatalogue, subjects);
  return [
    '# Errors',
    '',
    'Generated from the `errors.ts` of each folder, which `pipelines/aorta/catalogues.ts` composes, and from `schemas/events/read-result.ts`, by `npm run generate`. A test fails if this page is out of date.',
    '',
    'An error is two lines on standard error: what happened, with its code, and what to do. `{…}` is a name, a count or a position, never health data or the identifier of a person.',
    'A code never changes its meaning.',
    '',
    ...Object.entries(classes).flatMap(([name, what]) => {
      const rows = entries.filter(([, entry]) => entry.class === name);
      if (rows.length === 0) return [];
      return [
        `## Class \`${name}\``,
        '',
        what,
        '',
        '| code | what happened | what to do |',
        '| --- | --- | --- |',
        ...rows.map(([code, { message, remedy }]) => `| \`${code}\` | ${cell(message)} | ${cell(remedy)} |`),
        '',
      ];
    }),
    '## Reasons of dead letters',
    '',
    'The reasons why a delivery, or a part of one, is a dead letter (`aorta dlq list`). The reason is `AORTA-BUG` if a bug in Aorta is the cause.',
    '`value_does_not_fit` creates no dead letter: the event is kept, and the value is in the column `extra`. `sample_key_repeated` creates none, because the stream keeps both samples. The summary of a load counts the one without a row.',
    '',
    '| reason | meaning |',
    '| --- | --- |',
    ...Object.entries(refusals).map(([reason, meaning]) => `| \`${reason}\` | ${cell(meaning)} |`),
    '',
  ].join('\n');
}
