import fc from 'fast-check';
import { register } from 'prom-client';
import { expect, test } from 'vitest';
import { isAortaError } from '../errors/aorta-error.ts';
import { generalErrors } from '../errors/general-errors.ts';
import { countingLogger, silentLogger } from '../logger.ts';
import { type MetricCatalogue, type Metrics, silentMetrics } from './metrics.ts';
import { createMetrics } from './prometheus.ts';

const sourceMetrics = {
  aorta_deliveries_total: { type: 'counter', unit: 'none', help: 'Deliveries.', labels: { source: 'S', outcome: 'O' } },
  aorta_delivery_bytes_total: { type: 'counter', unit: 'bytes', help: 'Bodies.', labels: { source: 'S' } },
  aorta_flush_seconds: { type: 'histogram', unit: 'seconds', help: 'Flushes.', labels: { source: 'S' } },
  aorta_restarts_total: { type: 'counter', unit: 'none', help: 'Restarts.', labels: {} },
} as const satisfies MetricCatalogue;
const options = { catalogue: sourceMetrics };

/** Returns the lines with the samples of one metric, without the comment lines. */
async function linesOf(metrics: { text(): Promise<string> }, name: string): Promise<string[]> {
  return (await metrics.text()).split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

test('counters and histograms accumulate, and gauges are read at each scrape', async () => {
  const metrics = createMetrics(options);
  metrics.count('aorta_deliveries_total', { source: 'hub', outcome: 'kept' }, 3);
  metrics.count('aorta_deliveries_total', { source: 'hub', outcome: 'kept' });
  metrics.observe('aorta_flush_seconds', { source: 'hub' }, 0.2);
  let lag = 7;
  const end = metrics.watch((set) => set('aorta_source_lag', { source: 'hub', partition: '0' }, lag));
  expect(await linesOf(metrics, 'aorta_deliveries_total')).toEqual(['aorta_deliveries_total{source="hub",outcome="kept"} 4']);
  expect(await linesOf(metrics, 'aorta_flush_seconds_count')).toEqual(['aorta_flush_seconds_count{source="hub"} 1']);
  expect(await linesOf(metrics, 'aorta_source_lag')).toEqual(['aorta_source_lag{source="hub",partition="0"} 7']);
  lag = 0;
  expect(await linesOf(metrics, 'aorta_source_lag')).toEqual(['aorta_source_lag{source="hub",partition="0"} 0']);
  end();
  expect(await linesOf(metrics, 'aorta_source_lag')).toEqual([]);
  expect(await linesOf(metrics, 'aorta_ready')).toEqual([]);
});

test('two metrics objects are independent and do not use the global registry', async () => {
  const [one, other] = [createMetrics(options), createMetrics({ ...options, process: true })];
  one.count('aorta_restarts_total', {}, 2);
  expect(await linesOf(one, 'aorta_restarts_total')).toEqual(['aorta_restarts_total 2']);
  expect(await linesOf(other, 'aorta_restarts_total')).toEqual(['aorta_restarts_total 0']);
  expect(await other.text()).toContain('process_resident_memory_bytes');
  expect(await register.metrics()).toBe('\n');
});

test('measurements beyond the limit of series share one series, and aorta_metrics_overflow_total counts them', async () => {
  const partitions = fc.array(fc.nat({ max: 12 }).map(String), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(partitions, async (told) => {
      const metrics = createMetrics({ ...options, mostSeries: 5 });
      for (const source of told) metrics.count('aorta_delivery_bytes_total', { source });
      metrics.watch((set) => {
        for (const partition of told) set('aorta_source_position', { source: 'hub', partition }, Number(partition));
      });
      const counted = await linesOf(metrics, 'aorta_delivery_bytes_total');
      expect(counted.length).toBeLessThanOrEqual(6);
      expect(counted.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)).toBe(told.length);
      const own = new Set([...new Set(told)].slice(0, 5));
      const together = told.filter((source) => !own.has(source));
      const other = counted.find((line) => line.includes('source="other"'));
      expect(Number(other?.split(' ')[1] ?? 0)).toBe(together.length);
      const overflown = await linesOf(metrics, 'aorta_metrics_overflow_total');
      const ofCounter = overflown.find((line) => line.includes('aorta_delivery_bytes_total'));
      expect(Number(ofCounter?.split(' ')[1] ?? 0)).toBe(together.length);
      const positions = await linesOf(metrics, 'aorta_source_position');
      expect(positions.length).toBe(Math.min(6, new Set(told).size));
      if (together.length > 0) {
        expect(positions).toContain(
          `aorta_source_position{source="other",partition="other"} ${Math.max(...together.map(Number))}`,
        );
      }
    }),
  );
});

test('logged errors are counted by code, or as `none` if the code is unknown', async () => {
  const metrics = createMetrics();
  const logger = countingLogger(silentLogger, metrics, generalErrors);
  logger.error('x', { code: 'AORTA-BUG' });
  logger.warn('x', { code: 'AORTA-BUG' });
  logger.error('x', { code: 'a value', kind: 'TypeError' });
  logger.warn('x', {});
  logger.info('x', { code: 'AORTA-BUG' });
  expect(await linesOf(metrics, 'aorta_errors_total')).toEqual([
    'aorta_errors_total{code="AORTA-BUG"} 2',
    'aorta_errors_total{code="none"} 1',
  ]);
});

test('the compiler rejects a metric of a different catalogue or type, and an extra or missing label', () => {
  const other = { acme_total: { type: 'counter', unit: 'none', help: 'Acme.', labels: {} } } as const satisfies MetricCatalogue;
  const program: Metrics = createMetrics({ catalogue: { ...sourceMetrics, ...other } });
  const metrics: Metrics<typeof sourceMetrics> = program;
  metrics.count('aorta_deliveries_total', { source: 'hub', outcome: 'kept' });
  // @ts-expect-error: plain `Metrics` cannot count anything.
  program.count('aorta_deliveries_total', { source: 'hub', outcome: 'kept' });
  // @ts-expect-error: a different catalogue declares it.
  metrics.count('acme_total', {});
  // @ts-expect-error: the metric is a counter.
  expect(() => metrics.observe('aorta_delivery_bytes_total', { source: 'hub' }, 1)).toThrow();
  // @ts-expect-error: the label `outcome` is missing.
  metrics.count('aorta_deliveries_total', { source: 'hub' });
  // @ts-expect-error: the metric has no label `partition`.
  expect(() => metrics.count('aorta_delivery_bytes_total', { source: 'hub', partition: '0' })).toThrow();
  // @ts-expect-error: the metric has no labels.
  expect(() => metrics.count('aorta_restarts_total', { source: 'hub' })).toThrow();
  // @ts-expect-error: the metric is not a gauge.
  silentMetrics.watch((set) => set('aorta_restarts_total', {}, 1));
});

test('counting a metric that is in no catalogue throws an error that names the metric', () => {
  const metrics: Metrics<typeof sourceMetrics> = createMetrics();
  const counted = (): unknown => {
    try {
      return metrics.count('aorta_delivery_bytes_total', { source: 'hub' });
    } catch (error) {
      return isAortaError(error) ? [error.code, error.details.problem] : error;
    }
  };
  expect(counted()).toEqual(['AORTA-BUG', 'no catalogue has aorta_delivery_bytes_total']);
});
