import type { Outbox } from '../events/outbox.ts';
import type { OrderRow } from '../orders/order.ts';
import type { State } from '../state.ts';
import type { User } from '../users/user.ts';
import {
  type Address,
  type AppointmentEventRow,
  type AppointmentForm,
  type AppointmentRow,
  type AppointmentStatus,
  appointmentForm,
  type EventStatus,
  type Provider,
} from './appointment-forms.ts';
import type { AppointmentType } from './booking-key.ts';
import type { Coordinates } from './places.ts';
import type { Slot } from './slots.ts';

/** The place of an appointment, and who takes the sample there. */
export interface Place {
  readonly provider: Provider;
  readonly address: Address;
  readonly location: Coordinates;
  readonly zone: string;
}

interface Given {
  readonly type: AppointmentType;
  readonly place: Place;
  /** Undefined: the provider has to confirm the appointment. */
  readonly slot?: Slot | undefined;
  readonly notes?: string | null | undefined;
}

/** What changes of an appointment. A member that is missing stays. */
interface Change {
  readonly status: AppointmentStatus;
  /** Null: the provider has to confirm the appointment again. */
  readonly slot?: Slot | null | undefined;
  readonly place?: Place | undefined;
  readonly notes?: string | null | undefined;
  /** Why the appointment changes. */
  readonly data?: object | undefined;
}

const eventOf: Readonly<Record<AppointmentStatus, EventStatus>> = {
  pending: 'pending',
  confirmed: 'scheduled',
  completed: 'completed',
  cancelled: 'cancelled',
};

/** The appointments of all orders. Each change is told in an event, within the transaction of the caller. */
export class AppointmentStore {
  readonly #state: State;
  readonly #outbox: Outbox;

  constructor(state: State, outbox: Outbox) {
    this.#state = state;
    this.#outbox = outbox;
  }

  /** Returns the last appointment of an order. */
  last(order: string): AppointmentRow | undefined {
    return this.#state.database.get('select * from appointments where order_id = ? order by number desc limit 1', order);
  }

  /** Returns the last appointment of an order, if it is neither completed nor cancelled. */
  active(order: string): AppointmentRow | undefined {
    const last = this.last(order);
    return last?.status === 'pending' || last?.status === 'confirmed' ? last : undefined;
  }

  /** Returns the id of the last appointment of an order that is not cancelled. */
  idOf(order: string): string | null {
    const found = this.#state.database.get<{ appointment_id: string }>(
      "select appointment_id from appointments where order_id = ? and status <> 'cancelled' order by number desc limit 1",
      order,
    );
    return found?.appointment_id ?? null;
  }

  /** Returns when the sample of an order was last taken at an appointment. */
  sampledAt(order: string): number | undefined {
    return this.#state.database.get<{ end_at: number }>(
      "select end_at from appointments where order_id = ? and status = 'completed' order by number desc limit 1",
      order,
    )?.end_at;
  }

  form(order: OrderRow, row: AppointmentRow): AppointmentForm {
    const events = this.#state.database.all<AppointmentEventRow>(
      'select created_at, status, data from appointment_events where appointment_id = ? order by number',
      row.appointment_id,
    );
    return appointmentForm(row, { order, events, now: this.#state.clock.now() });
  }

  add(order: OrderRow, user: User, { type, place, slot, notes }: Given): AppointmentRow {
    const status = slot === undefined ? 'pending' : 'confirmed';
    const id = this.#state.draws.uuid('appointment');
    this.#state.database.run(
      `insert into appointments
         (appointment_id, order_id, type, provider, status, address, location, zone, start_at, end_at, notes)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, order.order_id, type, place.provider, status, JSON.stringify(place.address), JSON.stringify(place.location)],
      ...[place.zone, slot?.start ?? null, slot?.end ?? null, notes ?? null],
    );
    this.#note(id, status);
    return this.#told(order, user, 'created');
  }

  /** Changes the last appointment of an order. */
  change(order: OrderRow, user: User, { status, slot, place, notes, data }: Change): AppointmentRow {
    const { database } = this.#state;
    const { appointment_id, ...before } = this.last(order.order_id)!;
    const [start, end] = slot === undefined ? [before.start_at, before.end_at] : [slot?.start ?? null, slot?.end ?? null];
    const address = place === undefined ? before.address : JSON.stringify(place.address);
    const location = place === undefined ? before.location : JSON.stringify(place.location);
    database.run(
      `update appointments set status = ?, start_at = ?, end_at = ?, address = ?, location = ?, zone = ?, notes = ?
       where appointment_id = ?`,
      ...[status, start, end, address, location, place?.zone ?? before.zone],
      ...[notes === undefined ? before.notes : notes, appointment_id],
    );
    this.#note(appointment_id, status, data);
    return this.#told(order, user, 'updated');
  }

  #note(id: string, status: AppointmentStatus, data?: object): void {
    this.#state.database.run(
      'insert into appointment_events (appointment_id, created_at, status, data) values (?, ?, ?, ?)',
      ...[id, this.#state.clock.now(), eventOf[status], data === undefined ? null : JSON.stringify(data)],
    );
  }

  #told(order: OrderRow, user: User, what: 'created' | 'updated'): AppointmentRow {
    const row = this.last(order.order_id)!;
    this.#outbox.add(user, `labtest.appointment.${what}`, this.form(order, row));
    return row;
  }
}
