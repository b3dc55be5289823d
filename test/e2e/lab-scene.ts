import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '@aorta/service';
import { expect } from 'vitest';
import { end, Receiver } from '../faults/webhook/receiver.ts';
import { askJson } from '../reference-service/control.ts';
import { Answers } from '../reference-service/record/answers.ts';
import { differencesOf } from '../reference-service/record/differences.ts';
import { type LabRecord, labRecord } from '../reference-service/record/labs.ts';
import type { ServiceRecord } from '../reference-service/record/record.ts';
import type { Answered, Row } from '../reference-service/record/row.ts';
import { inTables } from '../reference-service/record/tables.ts';
import { aorta } from './command.ts';

const HOUR_S = 3_600;
export const DAY_S = 24 * HOUR_S;

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

  record(): Promise<LabRecord> {
    return labRecord(new Answers(this.#served.url, this.#key));
  }

  /** Compares every row and column of the tables with the answers of the service. */
  differences(record: ServiceRecord): Promise<string[]> {
    return inTables(this.#folder, (select) => differencesOf(select, record));
  }

  /** Lets results arrive that match no order. */
  async sendUnmatched(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      const headers = { 'x-service-api-key': this.#key, 'x-idempotency-key': String(number), 'content-type': 'application/json' };
      const body = JSON.stringify({ case: 'no_match', order_source: 'managed' });
      const answer = await fetch(`${this.#served.url}/v3/unmatched_result_test`, { method: 'POST', headers, body });
      expect(answer.status).toBe(202);
    }
  }

  /** Uploads a report, and returns the id of its parsing job. */
  async upload(user_id: string, content: string): Promise<string> {
    const body = new FormData();
    body.set('user_id', user_id);
    body.set('needs_human_review', 'true');
    body.set('file', new Blob([content], { type: 'application/pdf' }), 'report.pdf');
    const headers = { 'x-service-api-key': this.#key };
    const answer = await fetch(`${this.#served.url}/lab_report/v1/parser/job`, { method: 'POST', headers, body });
    return String(((await answer.json()) as Answered).id);
  }

  select(sql: string): Promise<Row[]> {
    return inTables(this.#folder, (select) => select(sql));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
