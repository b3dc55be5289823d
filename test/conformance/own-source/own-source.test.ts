import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtIn, composeRegistry } from '@aorta/connectors/registry';
import { Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import { type ErrorEvent, run } from 'aorta';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { readSetting, type Setting } from '../../../pipelines/aorta/config/configuration.ts';
import { ConfigurationRefused } from '../../../pipelines/aorta/errors.ts';
import { runPipeline } from '../../../pipelines/aorta/run/pipeline.ts';
import { configuredSources } from '../../../pipelines/aorta/run/sources.ts';
import { activityEvent, summaryHeadersOf } from '../../bench/events.ts';
import { aorta } from '../../e2e/command.ts';
import { sourceConformance } from '../source.ts';
import { lineFiles } from './adapter.ts';
import { open, probe } from './module.ts';
import type { Line } from './source.ts';

/* Follows the instructions in `connectors/README.md` for adding a source. The adapter in this folder needs no changes to other code. */

const registry = composeRegistry({ sources: [...builtIn.sources, lineFiles] });

const line = (headers: Line['headers'], key: string | null, body: Buffer, at: number): string => {
  const received_at = new Date(1_700_000_000_000 + at).toISOString();
  return `${JSON.stringify({ received_at, headers, key, body_base64: body.toString('base64') } satisfies Line)}\n`;
};

sourceConformance('a custom source', async (count) => {
  const folder = await mkdtemp(join(tmpdir(), 'own-source-'));
  const incoming = join(folder, 'incoming');
  await mkdir(incoming);
  const partitions = Array.from({ length: count }, (_, partition) => `part-${partition}`);
  return {
    partitions,
    put: async (partition, deliveries) => {
      const lines = deliveries.map(({ body, headers, key }, at) => line(headers, key, body, at));
      await appendFile(join(incoming, partitions[partition]!), lines.join(''));
    },
    open: () =>
      open(
        { type: 'line-files', name: 'line-files', folder: incoming },
        { state: join(folder, 'state'), logger: silentLogger, metrics: silentMetrics },
      ),
    remove: () => rm(folder, { recursive: true }),
  };
});

describe('the adapter of a custom source', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-source-'));
    await mkdir(join(folder, 'incoming'));
    await writeFile(join(folder, 'aorta.yaml'), 'sources: [{ type: line-files, name: mine, folder: incoming }]\n');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const append = (partition: string, first: number, count: number): Promise<void> => {
    const lines = Array.from({ length: count }, (_, at) => {
      const body = Buffer.from(JSON.stringify(activityEvent(first + at)));
      return line(summaryHeadersOf(first + at), 'k', body, first + at);
    });
    return appendFile(join(folder, 'incoming', partition), lines.join(''));
  };
  const load = (setting: Setting) => {
    const surroundings = { logger: silentLogger, metrics: silentMetrics, progress: new Progress() };
    const { all } = configuredSources(setting, { once: true, worker: 'test', ...surroundings });
    return runPipeline({ setting, sources: () => all, ...surroundings });
  };

  test('its options are read and checked like those of the built-in sources', async () => {
    const setting = readSetting({}, {}, folder, { registry });
    expect(setting.configuration.sources).toEqual([{ type: 'line-files', name: 'mine', folder: join(folder, 'incoming') }]);
    await writeFile(join(folder, 'aorta.yaml'), 'sources: [{ type: line-files, name: mine, foldr: incoming }]\n');
    const refused = (): ConfigurationRefused => {
      try {
        readSetting({}, {}, folder, { registry });
      } catch (error) {
        if (error instanceof ConfigurationRefused) return error;
      }
      throw new Error('the configuration was accepted');
    };
    expect(
      refused()
        .problems.map(({ message, remedy }) => `${message} ${remedy}`)
        .join('\n'),
    ).toMatch(/foldr.*folder/s);
  });

  test('each event from a custom source is loaded into the tables only once', async () => {
    await append('a', 0, 30);
    await append('b', 30, 20);
    const setting = readSetting({}, {}, folder, { registry });
    expect((await load(setting)).tables).toMatchObject({ activity: 50, deliveries: 50 });
    await append('a', 50, 10);
    const { tally, tables } = await load(setting);
    expect(tally.received).toBe(10);
    expect(tables).toMatchObject({ activity: 60, deliveries: 60 });
    const query =
      'select source, source_partition as partition, max(source_offset) as last from deliveries group by all order by all';
    const { stdout } = await aorta(tmpdir(), ['query', '--json', '--warehouse', `duckdb:${setting.place.warehouse}`, query]);
    expect(JSON.parse(stdout)).toEqual([
      { source: 'mine', partition: 'a', last: 39 },
      { source: 'mine', partition: 'b', last: 19 },
    ]);
  });

  test('a bad line becomes a dead letter with its bytes, and the other lines are loaded', async () => {
    await append('a', 0, 2);
    await appendFile(join(folder, 'incoming', 'a'), '{"received_at": "yesterday"}\nnot JSON\n');
    await append('a', 2, 1);
    const setting = readSetting({}, {}, folder, { registry });
    const { tally, tables } = await load(setting);
    expect(tally).toMatchObject({ received: 5, dead_letters: { not_a_delivery: 2 } });
    expect(tables).toMatchObject({ activity: 3 });
    const warehouse = `duckdb:${setting.place.warehouse}`;
    const { stdout } = await aorta(tmpdir(), ['dlq', 'list', '--json', '--warehouse', warehouse]);
    const letters = JSON.parse(stdout) as Record<string, unknown>[];
    expect(letters.map(({ position }) => position)).toEqual(['mine/a/2', 'mine/a/3']);
  });

  test('/metrics shows the metrics of a custom source, and listeners receive its errors', async () => {
    await append('a', 0, 3);
    await appendFile(join(folder, 'incoming', 'a'), '\n');
    await append('a', 3, 1);
    const stop = new AbortController();
    const heard: ErrorEvent[] = [];
    let port: unknown;
    const running = run(
      {
        sources: [{ type: 'line-files', name: 'mine', folder: join(folder, 'incoming') }],
        health: { port: 0 },
      },
      {
        data: 'data',
        folder,
        adapters: { sources: [lineFiles] },
        signal: stop.signal,
        on: { error: (event) => heard.push(event) },
        logger: {
          ...silentLogger,
          info: (event, fields) => {
            if (event === 'health server started') port = fields?.port;
          },
        },
      },
    );
    const expected = [
      '# HELP line_files_lines_total Lines read from the files of the folder.',
      'line_files_lines_total{source="mine"} 4',
      'aorta_errors_total{code="LINE-FILES-EMPTY-LINE"} 1',
      'aorta_deliveries_total{source="mine",outcome="kept"} 4',
    ];
    const shown = async (): Promise<string> =>
      port === undefined ? 'no health server' : (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const hasAll = (metrics: string): boolean => expected.every((line) => metrics.split('\n').includes(line));
    const measured = until('the metrics of the source', shown, hasAll);
    try {
      await Promise.race([measured, running]);
    } finally {
      stop.abort();
      await running;
    }
    await measured;
    expect(heard).toEqual([
      {
        code: 'LINE-FILES-EMPTY-LINE',
        class: 'data',
        message: 'Line 4 of a is empty.',
        remedy: 'The other lines are read. Check whether a producer lost a delivery there.',
      },
    ]);
  });

  test('a custom source reports its findings to aorta doctor', async () => {
    await append('a', 0, 1);
    const settings = { type: 'line-files', name: 'mine', folder: join(folder, 'incoming') } as const;
    expect(await probe([settings])).toEqual([{ check: 'folder of mine', state: 'ok', found: '1 partition' }]);
    expect(await probe([{ ...settings, folder: join(folder, 'none') }])).toMatchObject([{ state: 'fail' }]);
  });
});
