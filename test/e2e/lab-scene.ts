import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '@aorta/service';
import { expect } from 'vitest';
import { end, Receiver } from '../faults/webhook/receiver.ts';
import { askJson } from '../reference-service/control.ts';
import { aorta } from './command.ts';
import type { Answered, Row } from './lab-record.ts';

const HOUR_S = 3_600;
export const DAY_S = 24 * HOUR_S;

const JSON_COLUMNS = [
  ...['lab_test_markers', 'lab_collection_methods', 'lab_sample_types', 'sample_information', 'order_transaction'],
  ...['source_markers', 'lab', 'markers', 'aoe', 'expected_results', 'extra'],
];

/** Orders with their results, as the service answers. */
interface LabRecord {
  readonly orders: readonly Answered[];
  /** The results by order. Orders without results are missing. */
  readonly results: ReadonlyMap<string, Answered>;
  /** The orders that have results, with their results. */
  readonly withResults: readonly (readonly [order: Answered, answer: Answered])[];
}

type Served = Awaited<ReturnType<typeof startService>>;

/** A service whose clock stands still, with a team that sends webhooks to `aorta run`. */
export class LabScene implements AsyncDisposable {
  readonly #served: Served;
  readonly #folder: string;
  readonly #receiver: Receiver;
  readonly #key: string;
  readonly #endpoint: string;

  private constructor(served: Served, folder: string, [receiver, key, endpoint]: [Receiver, string, string]) {
    this.#served = served;
    this.#folder = folder;
    this.#receiver = receiver;
    this.#key = key;
    this.#endpoint = endpoint;
  }

  static async open(): Promise<LabScene> {
    const folder = mkdtempSync(join(tmpdir(), 'aorta-lab-'));
    const served = await startService({ start: Date.UTC(2026, 0, 1, 12), runs: false, seed: 1 });
    const steer = (path: string, body: object): Promise<Answered> => askJson(`${served.controlUrl}${path}`, { body });
    const { team_id, api_key } = await steer('/teams', { name: 'lab', partial_webhooks_enabled: true });
    const receiver = await Receiver.create(folder, [], `service: { base_url: "${served.url}", key: ${api_key} }`);
    const { url, secret } = receiver.service;
    const { endpoint_id } = await steer('/webhooks', { team_id, url, secret });
    return new LabScene(served, folder, [receiver, api_key, endpoint_id]);
  }

  control(path: string, body?: object): Promise<Answered> {
    return askJson(`${this.#served.controlUrl}${path}`, { body });
  }

  api(path: string, body?: object): Promise<Answered> {
    return askJson(`${this.#served.url}${path}`, { body, key: this.#key });
  }

  /** Lets time pass while `aorta run` receives, until every message has arrived. Then loads everything. */
  async pass(days: number): Promise<void> {
    const child = await this.#receiver.start();
    await this.control('/clock/advance', { seconds: days * DAY_S });
    while (await this.#isPending()) await this.control('/clock/advance', { seconds: HOUR_S });
    await end(child, 'SIGTERM');
    const run = await aorta(this.#folder, ['run', '--once']);
    expect(run.code, run.stderr).toBe(0);
  }

  async #isPending(): Promise<boolean> {
    const { deliveries } = await this.control(`/webhooks/${this.#endpoint}/deliveries?limit=1000`);
    return deliveries.some(({ state }: Answered) => state === 'pending');
  }

  async record(): Promise<LabRecord> {
    const { orders, total } = await this.api('/v3/orders?size=100');
    expect(orders).toHaveLength(total);
    const results = new Map<string, Answered>();
    for (const { id } of orders) {
      const headers = { 'x-service-api-key': this.#key };
      const answer = await fetch(`${this.#served.url}/v3/order/${id}/result`, { headers });
      if (answer.status !== 404) results.set(id, await answer.json());
    }
    const withResults = orders.filter(({ id }: Answered) => results.has(id)).map((one: Answered) => [one, results.get(one.id)]);
    return { orders, results, withResults };
  }

  /** Returns the rows of a table, without the columns that say where and when Aorta got them. */
  async rows(table: string, order: string): Promise<Row[]> {
    const words = ['query', `select * from ${table} order by ${order}`, '--json'];
    const { code, stdout, stderr } = await aorta(this.#folder, words);
    expect([code, stderr]).toEqual([0, '']);
    return (JSON.parse(stdout) as Row[]).map((row) => {
      const own = Object.entries(row).filter(([name]) => !name.startsWith('_'));
      return Object.fromEntries(
        own.map(([name, value]) => [name, JSON_COLUMNS.includes(name) ? JSON.parse(String(value)) : value]),
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
