import { labelCatalogue, type MetricEntry, MOST_SERIES, metricCatalogue, OVERFLOW } from '@aorta/runtime';

/** The reference page of metrics, in Markdown, made from the metric catalogue. */
export function metricsReference(): string {
  const metrics = Object.entries(metricCatalogue) as [string, MetricEntry][];
  return [
    '# Metrics',
    '',
    'Generated from `infra/runtime/metrics/catalogue.ts` by `npm run generate`; a test fails when they drift.',
    '',
    'Where `health` is [configured](configuration.md), `aorta run` serves these at `/metrics`, in the text format of Prometheus. A name never changes its meaning.',
    'Beside them stand the usual `process_…` and `nodejs_…` of the process: memory, CPU, event loop, garbage collection. After a restart of the working process counters begin at 0 again.',
    '',
    '| metric | type | unit | labels | what |',
    '| --- | --- | --- | --- | --- |',
    ...metrics.map(
      ([name, { type, unit, labels, help }]) =>
        `| \`${name}\` | ${type} | ${unit === 'none' ? '' : unit} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
    ),
    '',
    '## Labels',
    '',
    'A value comes from the code or from the configuration, never from a delivery: no value of health data and no identifier of a person stands there.',
    `A metric has at most ${MOST_SERIES} series. What comes beyond is counted together, with \`${OVERFLOW}\` in every label (of a gauge the largest), and in \`aorta_metrics_overflow_total\`.`,
    '',
    '| label | what |',
    '| --- | --- |',
    ...Object.entries(labelCatalogue).map(([label, what]) => `| \`${label}\` | ${what} |`),
    '',
  ].join('\n');
}
