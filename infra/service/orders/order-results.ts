import { instant } from '../api/times.ts';
import type { Outbox } from '../events/outbox.ts';
import { expectedResultsOf, type LabTest, labOf } from '../labs/catalogue.ts';
import {
  type ExpectedResult,
  interpretationOf,
  type LabResults,
  type MissingResult,
  partOf,
  type Result,
} from '../labs/result.ts';
import { type Course, resultsOf } from '../labs/results.ts';
import type { State } from '../state.ts';
import type { User } from '../users/users.ts';
import { withResults } from './life-cycle.ts';
import { bytesOf, type OrderListener, type OrderRow } from './orders.ts';

/** The results of an order, with the times of its sample in milliseconds since 1970. */
export interface StoredResults extends LabResults {
  readonly status: 'partial' | 'final';
  readonly collected_at: number;
  readonly received_at: number;
  readonly reported_at: number;
}

interface Row {
  readonly status: 'partial' | 'final';
  readonly collected_at: number;
  readonly received_at: number;
  readonly reported_at: number;
  readonly results: string;
  readonly missing: string;
}

/** The low levels at which a sample is taken or on the way. */
const collected = ['draw_completed', 'transit_lab'];

const HOUR_MS = 3_600_000;
/** A laboratory has results this long after a visit that the order does not record. */
const TURNAROUND_MS = 20 * HOUR_MS;
/** A courier brings a sample to the laboratory within this time. */
const COURIER_MS = 4 * HOUR_MS;

interface Facts {
  labTestOf(order: OrderRow): LabTest;
  /** Returns when the sample was taken at an appointment. */
  sampledAt(order: string): number | undefined;
}

/** Generates the results of orders when they get a status that has results. */
export class OrderResults implements OrderListener {
  readonly #state: State;
  readonly #outbox: Outbox;
  readonly #facts: Facts;

  constructor(state: State, outbox: Outbox, facts: Facts) {
    this.#state = state;
    this.#outbox = outbox;
    this.#facts = facts;
  }

  of(order: string): StoredResults | undefined {
    const row = this.#state.database.get<Row>('select * from order_results where order_id = ?', order);
    if (row === undefined) return undefined;
    const { results, missing, ...times } = row;
    return { ...times, results: JSON.parse(results) as Result[], missing: JSON.parse(missing) as MissingResult[] };
  }

  /** Returns whether a result of an order is missing. Null: there are no results. */
  hasMissing(order: string): boolean | null {
    const row = this.#state.database.get<{ count: number }>(
      'select json_array_length(missing) as count from order_results where order_id = ?',
      order,
    );
    return row === undefined ? null : row.count > 0;
  }

  changed(order: OrderRow, user: User): void {
    if (!withResults.includes(order.status)) return;
    const { database, clock } = this.#state;
    const status = order.status === 'partial_results' ? 'partial' : 'final';
    const now = clock.now();
    const earlier = this.of(order.order_id);
    const { collected_at, received_at } = earlier ?? this.#sampleOf(order, now);
    // The time of partial results stays, because the final results contain them unchanged.
    const measured_at = order.status === 'corrected' ? now : (earlier?.reported_at ?? now);
    const labTest = this.#facts.labTestOf(order);
    const whole = resultsOf(
      expectedOf(labTest),
      bytesOf(order.status === 'corrected' ? `correction ${order.order_id}` : `results ${order.order_id}`),
      JSON.parse(order.wanted) as Course,
      { time: measured_at, laboratory: labOf(labTest.lab_id)!.name, sampleId: order.sample_id },
    );
    const { results, missing } = status === 'partial' ? partOf(whole) : whole;
    const interpretation = interpretationOf(results);
    database.run(
      'insert or replace into order_results values (?, ?, ?, ?, ?, ?, ?)',
      ...[order.order_id, status, collected_at, received_at, now, JSON.stringify(results), JSON.stringify(missing)],
    );
    database.run('update orders set interpretation = ? where order_id = ?', interpretation, order.order_id);
    if (interpretation === 'critical')
      this.#outbox.add(user, 'labtest.result.critical', {
        order_id: order.order_id,
        sample_id: order.sample_id ?? '',
        status,
        interpretation,
        team_id: order.team_id,
        user_id: order.user_id,
        created_at: instant(order.created_at),
        updated_at: instant(order.updated_at),
      });
  }

  /** Returns when the sample of an order was taken, and when the laboratory got it. */
  #sampleOf(order: OrderRow, now: number): Pick<StoredResults, 'collected_at' | 'received_at'> {
    const taken = this.#facts.sampledAt(order.order_id) ?? this.#firstOf(order, collected);
    const delivered = this.#firstOf(order, ['delivered_to_lab']);
    const collected_at = Math.min(taken ?? Math.max(order.created_at, now - TURNAROUND_MS), delivered ?? now);
    return { collected_at, received_at: delivered ?? Math.min(now, collected_at + COURIER_MS) };
  }

  /** Returns when an order first had one of some low levels. */
  #firstOf(order: OrderRow, levels: readonly string[]): number | undefined {
    return (
      this.#state.database.get<{ at: number | null }>(
        `select min(created_at) as at from order_events
         where order_id = ? and status in (select value from json_each(?))`,
        order.order_id,
        JSON.stringify(levels),
      )!.at ?? undefined
    );
  }
}

/** Returns the results that a lab test leads to. Several of its markers can lead to the same one. */
function expectedOf({ markers }: LabTest): ExpectedResult[] {
  const all = markers.flatMap((marker) => expectedResultsOf(marker).map((expected) => ({ marker, ...expected })));
  return [...Map.groupBy(all, ({ id }) => id).values()].map((some) => ({
    analyte: some[0]!.analyte,
    provider_id: some[0]!.provider_id,
    sources: some.map(({ marker: { id: marker_id, name, slug, provider_id } }) => ({ marker_id, name, slug, provider_id })),
  }));
}
