import { type LogFields, type Metrics, Progress } from '@aorta/runtime';
import { createMetrics } from '@aorta/runtime/prometheus';
import { expect, test, vi } from 'vitest';
import { type LoadingMetrics, loadingMetrics } from '../metrics.ts';
import { applyReports, sendReports } from './reports.ts';

/** Connects a sender of reports to a receiver. The reports are cloned, as they would be between threads. */
function connected() {
  const logged: [string, LogFields | undefined][] = [];
  const log = (event: string, fields?: LogFields): void => void logged.push([event, fields]);
  const metrics = createMetrics({ catalogue: loadingMetrics });
  const waited: [string, string][] = [];
  const progress = new Progress({ clock: () => 1000, onWaited: (part, reason) => void waited.push([part, reason]) });
  const applied = applyReports({ logger: { debug: log, info: log, warn: log, error: log }, metrics, progress });
  const reports = applied.reports as unknown as Record<string, (...args: unknown[]) => void>;
  const sent = sendReports((name, ...args) => reports[name]!(...structuredClone(args)));
  const counting: Metrics<LoadingMetrics> = sent.metrics;
  return { sent, counting, applied, logged, metrics, progress, waited };
}

test('log messages, counters and timings from the loader thread arrive in the main thread', async () => {
  const { sent, counting, logged, metrics } = connected();
  sent.logger.warn('slow', { stream: 'sleep' });
  sent.logger.info('started');
  counting.count('aorta_loading_batches_total', { stream: 'sleep' });
  counting.count('aorta_loading_records_total', { stream: 'sleep' }, 7);
  counting.observe('aorta_publish_seconds', {}, 2);
  expect(logged).toEqual([
    ['slow', { stream: 'sleep' }],
    ['started', {}],
  ]);
  const text = (await metrics.text()).split('\n');
  expect(text).toContain('aorta_loading_batches_total{stream="sleep"} 1');
  expect(text).toContain('aorta_loading_records_total{stream="sleep"} 7');
  expect(text).toContain('aorta_publish_seconds_sum 2');
});

test('gauges arrive in the main thread within a second, and disappear when they are no longer watched', async () => {
  vi.useFakeTimers();
  try {
    const { counting, metrics } = connected();
    const unwatch = counting.watch((set) => set('aorta_warehouse_backlog_records', {}, 9));
    vi.advanceTimersByTime(1000);
    expect((await metrics.text()).split('\n')).toContain('aorta_warehouse_backlog_records 9');
    unwatch();
    vi.advanceTimersByTime(1000);
    expect(await metrics.text()).not.toMatch(/^aorta_warehouse_backlog_records /m);
  } finally {
    vi.useRealTimers();
  }
});

test('the main thread’s progress shows the waits and lanes of the loader thread until the loader thread ends', async () => {
  const { sent, applied, progress, waited } = connected();
  const ended = sent.progress.wait('loading', 'merging', { deadlineMs: 5 });
  await sent.progress.during('loading', 'reading a stream', Promise.resolve());
  await expect(sent.progress.during('loading', 'publishing', Promise.reject(new Error('no')))).rejects.toThrow('no');
  const lane = sent.progress.lane({ kind: 'stream', reader: 'warehouse', of: 'sleep' }, { part: 'loading' });
  lane.report({ position: 3, end: 8 });
  expect(progress.waits()).toMatchObject([{ part: 'loading', reason: 'merging', deadlineMs: 5 }]);
  expect(progress.lanes()).toMatchObject([{ reader: 'warehouse', of: 'sleep', position: 3, end: 8, lag: 5 }]);
  ended();
  lane.end();
  expect([progress.waits(), progress.lanes()]).toEqual([[], []]);
  expect(waited.map(([, reason]) => reason)).toEqual(['reading a stream', 'publishing', 'merging']);

  sent.progress.wait('loading', 'landing a batch');
  sent.progress.lane({ kind: 'stream', reader: 'warehouse', of: 'body' }, { part: 'loading' });
  applied.end();
  expect([progress.waits(), progress.lanes()]).toEqual([[], []]);
});
