import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { type Analyser, type DeclaredTable, startAnalyser } from '@aorta/bigquery-server/analyser';
import { parseInstant, readEvent, tables } from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import { openBigQueryWarehouse } from './bigquery-warehouse.ts';
import { bigQueryOptions } from './options.ts';
import { openBigQueryReader } from './reading/bigquery-reader.ts';

/** Checks every statement that a proxy records. `sql/analysed.long.test.ts` checks only the statements that it lists. */

const problem = await whyNoBigQuery({ own: true });
const few = tables.filter(({ name }) => ['body', 'timeseries', 'lab_orders'].includes(name));

interface Sent {
  readonly sql: string;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly known: readonly DeclaredTable[];
}

describe.skipIf(problem !== undefined)(`sent statements${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let big: ProvidedBigQuery;
  let analyser: Analyser;
  let apiEndpoint: string;
  const sent: Sent[] = [];
  const known = new Map<string, DeclaredTable>();

  function hear({ method, url = '' }: IncomingMessage, body: string): void {
    const [, dataset, table] = /\/datasets\/([^/?]+)\/tables(?:\/([^/?]+))?/.exec(url) ?? [];
    if (method !== 'POST' && method !== 'PATCH') return;
    if (url.startsWith('/upload/')) return;
    const json = body === '' ? {} : JSON.parse(body);
    if (dataset !== undefined && json.schema !== undefined) {
      const name = `${big.project}.${dataset}.${table ?? json.tableReference.tableId}`;
      known.set(name, { name, columns: json.schema.fields });
    }
    const query = json.configuration?.query;
    if (query === undefined) return;
    const parameters = (query.queryParameters ?? []).map((one: { name: string; parameterType: { type: string } }) => ({
      name: one.name,
      type: one.parameterType.type,
    }));
    sent.push({ sql: query.query, parameters, known: [...known.values()] });
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await text(incoming);
    hear(incoming, body);
    const { method, url, headers } = incoming;
    const asked = request(new URL(url!, big.apiEndpoint), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    asked.end(body);
  }
  const proxy = createServer((incoming, outgoing) => void pass(incoming, outgoing));

  beforeAll(async () => {
    [big, analyser] = await Promise.all([provideBigQuery({ own: true }), startAnalyser()]);
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    apiEndpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await Promise.all([big?.stop(), analyser?.close()]);
  });

  test('GoogleSQL accepts every statement that the proxy recorded', async () => {
    const settings = {
      ...bigQueryOptions.parse({
        type: 'bigquery',
        project: big.project,
        dataset: 'sent',
        api_endpoint: apiEndpoint,
        merge_every_s: 0,
        land_every_s: 0,
        most_per_day: 100,
      }),
      privacy: privacyOptions.parse({}),
      tables: few,
      declared: few,
    };
    await big.client().createDataset('sent');
    let offset = 0;
    const record = (stream: 'body' | 'timeseries', type: string, data: object) => {
      const event = { event_type: type, user_id: "o'u", team_id: 't', data: { user_id: "o'u", ...data } };
      const at = { source: "s'", partition: '0', offset: offset++, received_at: parseInstant('2026-11-20T10:00:00Z') };
      const facts = { delivery_id: null, header_facts: 3, body_bytes: 10, body_crc32: 0, arrived_at: null };
      const reading = readEvent(stream, type, event, { ...at, ...facts });
      if (reading.kind !== 'record') throw new Error(reading.reason);
      return reading.record as never;
    };
    const source = { provider: 'withings', type: 'scale' };
    const weight = (id: string) =>
      record('body', 'daily.data.body.created', { id, calendar_date: '2026-11-20', weight: 80, source });
    const pulse = (day: string) =>
      record('timeseries', 'daily.data.heartrate.created', {
        data: [
          {
            timestamp: `${day}T08:00:00+00:00`,
            start: `${day}T08:00:00+00:00`,
            end: `${day}T08:00:00+00:00`,
            value: 60,
            unit: 'bpm',
            type: 'automatic',
          },
        ],
        source,
      });
    const warehouse = await openBigQueryWarehouse(settings);
    await warehouse.land({ stream: 'body', incarnation: 'i', from: 0, to: 2, records: [weight('a'), weight('b')] });
    await warehouse.land({
      stream: 'timeseries',
      incarnation: 'i',
      from: 0,
      to: 2,
      records: [pulse('2026-11-20'), pulse('2025-02-03')],
    });
    await warehouse.merge('all');
    await warehouse.land({ stream: 'body', incarnation: 'i', from: 2, to: 3, records: [weight('c')] });
    await warehouse.erase("o'u");
    await warehouse.close();
    // A second worker sends statements that a single worker does not need.
    const other = await openBigQueryWarehouse({ ...settings, workers: 2, worker: "other's" });
    await other.merge('all');
    await other.close();
    const reader = await openBigQueryReader(settings);
    await reader.rows();
    await reader.merged();
    await reader.costs!(3);
    await reader.withheldValues(privacyOptions.parse({ free_text: false, location: false }));
    await reader.close();

    expect(sent.length).toBeGreaterThan(15);
    const refused = [];
    for (const { sql, parameters, known: then } of new Map(sent.map((one) => [one.sql, one])).values()) {
      const analysis = await analyser.analyse(sql, then, { parameters });
      if (!analysis.accepted) refused.push({ sql, ...analysis });
    }
    expect(refused).toEqual([]);
    const kinds = ['MERGE', 'INSERT', 'DELETE FROM', 'SELECT', 'COUNT\\(', 'aorta_activity', 'aorta_suppressed', 'aorta_fence_'];
    expect(kinds.filter((kind) => !sent.some(({ sql }) => new RegExp(kind).test(sql)))).toEqual([]);
  });
});
