import type { ErrorClass } from '@aorta/runtime';
import { refusals } from '@aorta/schemas';
import { errorCatalogue } from '../catalogues.ts';
import { bySubject } from './order.ts';

/** Prefixes of codes, in the order of the page. */
const subjects = [
  ...['CONFIG', 'USAGE', 'FILE', 'DATA', 'SEGMENT', 'STREAMS', 'STREAM-SHORTER', 'STREAM-', 'WAREHOUSE', 'BIGQUERY', 'QUERY'],
  ...['HEALTH', 'KAFKA-LOCAL', 'BIGQUERY-LOCAL', 'SERVERS', 'HUB', 'KAFKA', 'CHECKPOINTS', 'KAFKA-OFFSET-', 'SERVICE', 'NOTICE'],
  ...['SERVICE-UNREACHABLE', 'SERVICE-ANSWER', 'SERVICE-TOO-LARGE', 'SERVICE-CURSOR', 'BUG'],
].map((subject) => `AORTA-${subject}`);

/** Error classes with their description, in the order of the page. */
const classes: Readonly<Record<ErrorClass, string>> = {
  usage: 'The command or the configuration is wrong: correct it. The program ends with 2.',
  setup: 'The machine, a folder or a file stands in the way: it stays so until a person changes it. The program ends with 1.',
  transient: 'It may pass by itself: try again, as the supervisor of `aorta run` does. The program ends with 75.',
  data: 'Something in the data is wrong. The rest is taken.',
  bug: 'A fault of this program.',
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Returns the reference page of errors and dead-letter reasons in Markdown, generated from the two catalogues. */
export function errorsReference(): string {
  const entries = bySubject(errorCatalogue, subjects);
  return [
    '# Errors',
    '',
    'Generated from the `errors.ts` of each folder, as `pipelines/aorta/catalogues.ts` composes them, and `schemas/events/verdict.ts` by `npm run generate`; a test fails when they drift.',
    '',
    'An error is two lines on standard error: what happened, with its code, and what to do. `{…}` are names, counts and positions; no value of health data and no identifier of a person ever stands there.',
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
    'Why a delivery, or a part of a kept one, is a dead letter (`aorta dlq list`). A delivery on which this program itself failed has the reason `AORTA-BUG`.',
    '`value_does_not_fit` makes no dead letter: the event is kept, and the value stands in `extra`.',
    '',
    '| reason | what it means |',
    '| --- | --- |',
    ...Object.entries(refusals).map(([reason, meaning]) => `| \`${reason}\` | ${cell(meaning)} |`),
    '',
  ].join('\n');
}
