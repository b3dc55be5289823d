import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { landedTable, privacyOptions } from '@aorta/connectors';
import { bigQueryOptions } from '@aorta/connectors/bigquery';
import { codecOf, tables } from '@aorta/schemas';
import { landBatches, serialiseBatch } from './bigquery-landing.ts';
import { SAMPLES } from './events.ts';
import { recordOf } from './landing.ts';
import { type Figure, figure, type Spent, spent } from './measure.ts';

const EVENTS = 5_000;
/** Number of batches that a worker lands at the same time. */
const AT_ONCE = 4;

/** Measures the cost of converting stream records to the body of a load job, and memory use while BigQuery does not answer. */
export async function bigQuery(rounds: number, stalledSeconds: number): Promise<Figure[]> {
  const codec = codecOf('timeseries');
  const table = landedTable(tables.find(({ name }) => name === 'timeseries')!, privacyOptions.parse({}));
  const encoded = Array.from({ length: EVENTS }, (_, index) => codec.encode(recordOf(index)));
  const decoding: Spent[] = [];
  const serialising: Spent[] = [];
  let bytes = 0;
  for (let round = -1; round < rounds; round++) {
    let records: ReturnType<typeof recordOf>[] = [];
    const decoded = await spent(() => {
      records = encoded.map((one) => codec.decode(one));
    });
    const batch = { stream: 'timeseries', incarnation: 'bench', from: 0, to: EVENTS, records } as const;
    const serialised = await spent(() => {
      bytes = serialiseBatch(batch, table).bytes;
    });
    if (round < 0) continue;
    decoding.push(decoded);
    serialising.push(serialised);
  }
  const rate = (milliseconds: number): number => (EVENTS * SAMPLES * 1000) / milliseconds;
  return [
    figure(
      'BigQuery: record to landing bytes, on one core',
      'samples/s',
      serialising.map(({ cpu }) => rate(cpu)),
      { target: '≥ 150,000', met: (value) => value >= 150_000 },
    ),
    figure(
      'BigQuery: the serialiser, of the way from the stream to the bytes',
      '%',
      serialising.map(({ cpu }, index) => (100 * cpu) / (cpu + decoding[index]!.cpu)),
    ),
    figure('BigQuery: landing bytes of a sample', 'bytes', [bytes / (EVENTS * SAMPLES)]),
    await stalled(table, stalledSeconds),
  ];
}

/** Measures memory use while BigQuery does not answer uploads. */
async function stalled(table: Parameters<typeof serialiseBatch>[1], seconds: number): Promise<Figure> {
  // Reads uploads without answering them, and answers every other request.
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.url?.startsWith('/upload/') === true) return;
      response.setHeader('content-type', 'application/json');
      response.end('{"kind":"bigquery#table"}');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const settings = bigQueryOptions.parse({
    type: 'bigquery',
    project: 'bench',
    dataset: 'bench',
    api_endpoint: `http://127.0.0.1:${port}`,
    // The deadline of an upload is four times `call_s`. When it passes, the client retries the upload.
    call_s: 1,
    patience_s: seconds,
  });
  const records = Array.from({ length: EVENTS }, (_, index) => recordOf(index));
  const batches = Array.from({ length: AT_ONCE }, (_, partition) => ({
    stream: 'timeseries' as const,
    partition,
    incarnation: 'bench',
    from: 0,
    to: EVENTS,
    records,
  }));
  global.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 100);
  try {
    await landBatches(settings, batches, table);
  } finally {
    clearInterval(watching);
    server.closeAllConnections();
    server.close();
  }
  return figure(`BigQuery: memory while ${AT_ONCE} uploads stand still for ${seconds} s`, 'MB', [(most - before) / 1e6], {
    target: '≤ 500',
    met: (value) => value <= 500,
  });
}
