import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Source } from '@aorta/connectors';
import { type Metrics, silentMetrics } from '@aorta/runtime';
import { type PipelineOptions, runPipeline } from 'aorta/internals';
import { type Figure, figure } from './measure.ts';
import { watching } from './watched.ts';

export interface Travelling {
  /** The streams must have one partition, so that summaries are merged in the order of their receipt. */
  readonly setting: PipelineOptions['setting'];
  readonly open: () => Source;
  /**
   * The process that sends summaries, each with a `sent-at` header (milliseconds since 1970). It exits with code 0 after the last
   * summary.
   */
  readonly sender: readonly [program: string, words: readonly string[]];
  readonly total: number;
  /** Number of initial summaries to leave out, because they wait for the pipeline to open. Default: none. */
  readonly warmUp?: number;
}

/**
 * Returns the latency of each summary, from the call that sends it to the commit of its merge. The latencies are in milliseconds
 * and in ascending order. The published copy is updated later, when it is due (`publish_every_s`).
 */
export async function travelTimes({ setting, open, sender, total, warmUp = 0 }: Travelling): Promise<readonly number[]> {
  const sent: number[] = [];
  const waited: number[] = [];
  const stop = new AbortController();
  // Each summary is one row, and rows are merged in the order of receipt.
  const metrics: Metrics = {
    ...silentMetrics,
    count: (name: string, { table }: Readonly<Record<string, string>>, amount = 1) => {
      if (name !== 'aorta_merge_rows_total' || table !== 'activity') return;
      const now = Date.now();
      for (let row = 0; row < amount; row++) waited.push(now - sent[waited.length]!);
      if (waited.length === total) stop.abort();
    },
  };
  const watchedSource = (): Source =>
    watching(open(), {
      onBatch: ({ deliveries }) => {
        for (const { headers } of deliveries) sent.push(Number(headers.get('sent-at')));
      },
    });
  const process: ChildProcess = fork(sender[0], sender[1]);
  const exited = once(process, 'exit');
  process.once('exit', (code) => {
    if (code !== 0) stop.abort();
  });
  try {
    await runPipeline({
      setting,
      sources: () => [{ open: watchedSource, againAfterMs: 0 }],
      untilStopped: true,
      signal: stop.signal,
      metrics,
    });
  } finally {
    await exited;
  }
  if (waited.length !== total) throw new Error('not all summaries were sent and merged');
  return waited.slice(warmUp).sort((a, b) => a - b);
}

/** Returns the median and the 99th percentile. */
export function percentiles(name: string, sorted: readonly number[]): Figure[] {
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))]!;
  return [figure(`${name}, p50`, 'ms', [at(0.5)]), figure(`${name}, p99`, 'ms', [at(0.99)])];
}
