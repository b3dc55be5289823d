import { builtIn } from '@aorta/connectors/registry';
import { type ErrorClass, MOST_SERIES, OVERFLOW } from '@aorta/runtime';
import { refusals } from '@aorta/schemas';
import { errorCatalogue, metricCatalogueOf } from '../catalogues.ts';

/** Error classes with their descriptions, in the order in which the page lists them. */
const classes: Readonly<Record<ErrorClass, string>> = {
  usage: 'The command or the configuration is wrong. Correct it. The exit code is 2.',
  setup: 'The operator must fix the machine, an account, a folder or a file. The exit code is 1.',
  transient: 'The error may go away without a change. Try again, as the supervisor of `aorta run` does. The exit code is 75.',
  data: 'Part of the data is invalid. Aorta loads the rest.',
  bug: 'A bug in Aorta.',
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const byName = <Entry>(catalogue: Readonly<Record<string, Entry>>): (readonly [name: string, entry: Entry])[] =>
  Object.entries(catalogue).sort(([a], [b]) => (a < b ? -1 : 1));

/** Returns the reference page for errors and dead-letter reasons as Markdown, generated from the two catalogues. */
export function errorsReference(): string {
  const entries = byName(errorCatalogue);
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
    '`value_does_not_fit` creates no dead letter: the event is kept, and the value is in the column `extra`. `sample_key_repeated` creates none, because the stream keeps both samples. The summary of a load counts the sample that has no row.',
    '',
    '| reason | meaning |',
    '| --- | --- |',
    ...Object.entries(refusals).map(([reason, meaning]) => `| \`${reason}\` | ${cell(meaning)} |`),
    '',
  ].join('\n');
}

/** Returns the metrics reference as a Markdown page, generated from the composed catalogue. */
export function metricsReference(): string {
  const metrics = byName(metricCatalogueOf(builtIn));
  const labels = Object.fromEntries(metrics.flatMap(([, { labels }]) => Object.entries(labels)));
  return [
    '# Metrics',
    '',
    'Generated from the `metrics.ts` of each folder, which `pipelines/aorta/catalogues.ts` composes, by `npm run generate`. A test fails if this page is out of date.',
    '',
    'If `health` is [configured](configuration.md), `aorta run` serves these metrics at `/metrics` in the text format of Prometheus. A name never changes its meaning.',
    '`/metrics` also has the usual `process_…` and `nodejs_…` metrics: memory, CPU, event loop, garbage collection. After a restart of the worker process, counters begin at 0 again.',
    '',
    '| metric | type | unit | labels | meaning |',
    '| --- | --- | --- | --- | --- |',
    ...metrics.map(([name, { type, unit, labels, help }]) => {
      const names = Object.keys(labels).map((label) => `\`${label}\``);
      return `| \`${name}\` | ${type} | ${unit === 'none' ? '' : unit} | ${names.join(', ')} | ${help} |`;
    }),
    '',
    '## Labels',
    '',
    'Label values come from the code or from the configuration, never from a delivery. They contain no health data and no identifiers of people.',
    `A metric has at most ${MOST_SERIES} series. Further series are counted together, with \`${OVERFLOW}\` in every label, and in \`aorta_metrics_overflow_total\`. For a gauge, the combined series has the largest value.`,
    '',
    '| label | meaning |',
    '| --- | --- |',
    ...byName(labels).map(([label, what]) => `| \`${label}\` | ${what} |`),
    '',
  ].join('\n');
}
