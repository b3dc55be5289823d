import { builtIn } from '@aorta/connectors/registry';
import { MOST_SERIES, OVERFLOW } from '@aorta/runtime';
import { metricCatalogueOf } from '../catalogues.ts';
import { bySubject } from './order.ts';

/** Prefixes of metric names, in the order in which the page lists them. */
const subjects = [
  ...['build', 'ready', 'restarts', 'errors', 'wait', 'deliveries', 'delivery_bytes', 'dead', 'delivery', 'flush', 'redelivery'],
  ...['source', 'source_refusals', 'source_incidents', 'fetch', 'stream', 'job', 'merge', 'warehouse_backlog', 'warehouse'],
  ...['publish', 'pulls', 'metrics'],
].map((subject) => `aorta_${subject}`);

/** Labels, in the order in which the page lists them. */
const labelOrder = [
  ...['source', 'partition', 'stream', 'group', 'table', 'range', 'outcome', 'reason', 'code', 'part', 'state', 'incident'],
  ...['condition', 'metric', 'call', 'version'],
];

/** Returns the metrics reference as a Markdown page, generated from the composed catalogue. */
export function metricsReference(): string {
  const metrics = bySubject(metricCatalogueOf(builtIn), subjects);
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
    ...bySubject(labels, labelOrder).map(([label, what]) => `| \`${label}\` | ${what} |`),
    '',
  ].join('\n');
}
