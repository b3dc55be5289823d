import type { Outbox } from '../events/outbox.ts';
import type { CollectionMethod } from '../labs/laboratories.ts';
import { withResults } from '../orders/life-cycle.ts';
import type { OrderRequest } from '../orders/order-request.ts';
import type { OrderListener, OrderRow, Orders } from '../orders/orders.ts';
import type { State } from '../state.ts';
import type { User, Users } from '../users/users.ts';
import {
  type Address,
  type AppointmentEventRow,
  type AppointmentForm,
  type AppointmentRow,
  type AppointmentStatus,
  addressOf,
  appointmentForm,
  type EventStatus,
  type NewAddress,
  type Provider,
} from './appointment-forms.ts';
import { type Coordinates, middleOf, type Site, siteOf, sites, zoneOf } from './sites.ts';
import { type AppointmentType, type Booking, firstSlotFrom, type Slot, slotOf, slotUntil } from './slots.ts';

const VISIT = 'appointment visit';
/** A visit waits this long if its user is deleted, because the deletion can be undone. */
const GRACE_CHECK_MS = 3_600_000;

/** The statuses of an order whose sample was taken. */
const sampled = ['draw_completed', 'redraw_available', ...withResults];

/** Returns the type of the appointments of orders. Undefined if they have none. */
export function typeOf(method: CollectionMethod): AppointmentType | undefined {
  if (method === 'walk_in_test') return 'patient_service_center';
  return method === 'at_home_phlebotomy' ? 'phlebotomy' : undefined;
}

/** The place of an appointment, and who takes the sample there. */
interface Place {
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
class AppointmentStore {
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

/**
 * The appointments of orders. After a team has made, moved or cancelled one, the order takes its course from there. If the
 * order changes by itself, its appointment does so, too, and its event comes before the event of the order.
 */
export class Appointments implements OrderListener {
  readonly store: AppointmentStore;
  readonly #state: State;
  readonly #orders: Orders;
  readonly #users: Users;

  constructor(
    state: State,
    { orders, users, outbox }: { readonly orders: Orders; readonly users: Users; readonly outbox: Outbox },
  ) {
    this.store = new AppointmentStore(state, outbox);
    this.#state = state;
    this.#orders = orders;
    this.#users = users;
    state.jobs.change<{ readonly order_id: string }>(VISIT, ({ order_id }) => this.#visited(order_id));
  }

  book(order: OrderRow, booking: Booking, notes: string | null | undefined): AppointmentRow {
    return this.#state.database.transaction(() => {
      const given = { type: typeOf(order.method)!, place: placeOf(order, booking), slot: booking, notes };
      const added = this.store.add(order, this.#userOf(order), given);
      this.#orders.move(order.order_id, 'appointment_scheduled');
      this.#goOn(order.order_id, booking.end);
      return added;
    });
  }

  /** Asks a provider for an appointment at a patient's home. The provider confirms it as the course of the order says. */
  request(
    order: OrderRow,
    address: NewAddress,
    { provider, notes }: { readonly provider: Provider; readonly notes: string | null | undefined },
  ): AppointmentRow {
    return this.#state.database.transaction(() => {
      const place = { ...homeAt(address), provider };
      const added = this.store.add(order, this.#userOf(order), { type: 'phlebotomy', place, notes });
      this.#orders.advance(order.order_id, 'appointment_pending');
      return added;
    });
  }

  /** Gives the active appointment of an order another slot. */
  reschedule(order: OrderRow, booking: Booking, notes: string | null | undefined): AppointmentRow {
    return this.#state.database.transaction(() => {
      const site = siteOf(booking.place);
      const place = site === undefined ? undefined : placeAt(site);
      const change = { status: 'confirmed', slot: booking, place, notes } as const;
      const changed = this.store.change(order, this.#userOf(order), change);
      this.#goOn(order.order_id, booking.end);
      return changed;
    });
  }

  /** Cancels the active appointment of an order. */
  cancel(order: OrderRow, reason: object): AppointmentRow {
    return this.#state.database.transaction(() => {
      const cancelled = this.store.change(order, this.#userOf(order), { status: 'cancelled', data: reason });
      this.#orders.advance(order.order_id, 'appointment_cancelled');
      return cancelled;
    });
  }

  changed(order: OrderRow, user: User): void {
    const type = typeOf(order.method);
    if (type === undefined) return;
    const active = this.store.active(order.order_id);
    if (order.status === 'appointment_pending') {
      if (active === undefined) this.store.add(order, user, { type, place: usualPlaceOf(order) });
      else if (active.status === 'confirmed') this.store.change(order, user, { status: 'pending', slot: null });
    } else if (order.status === 'appointment_scheduled') {
      if (active?.status !== 'confirmed') this.#schedule(order, user, active);
    } else if (sampled.includes(order.status)) {
      this.#taken(order, user, active);
    } else if (active !== undefined) {
      this.store.change(order, user, { status: 'cancelled' });
    }
  }

  /** Completes the appointment at which a sample was taken. Results without a confirmed appointment are of another sample. */
  #taken(order: OrderRow, user: User, active: AppointmentRow | undefined): void {
    if (active?.status === 'confirmed') {
      this.#complete(order, user, active);
    } else if (order.status !== 'draw_completed') {
      if (active !== undefined) this.store.change(order, user, { status: 'cancelled' });
    } else if (active !== undefined || this.store.last(order.order_id)?.status !== 'completed') {
      this.#complete(order, user, this.#confirm(order, user, active, slotUntil(this.#state.clock.now())));
    }
  }

  /** Confirms an appointment that the order reached by itself. The order takes its usual course from the end of a slot. */
  #schedule(order: OrderRow, user: User, active: AppointmentRow | undefined): void {
    const now = this.#state.clock.now();
    const zone = active?.zone ?? usualPlaceOf(order).zone;
    const ahead = this.#orders.courseAhead(order.order_id);
    const taken = ahead.find(({ status }) => sampled.includes(status))?.at;
    const isAligned = taken === undefined || this.#isUsual(order, ahead);
    const slot = isAligned ? firstSlotFrom(zone, now, taken ?? now) : slotUntil(taken);
    this.#confirm(order, user, active, slot ?? slotOf(now));
    if (taken !== undefined && isAligned && slot !== undefined) this.#goOn(order.order_id, slot.end);
    else this.#awaitVisit(order);
  }

  #confirm(order: OrderRow, user: User, active: AppointmentRow | undefined, slot: Slot): AppointmentRow {
    if (active !== undefined) return this.store.change(order, user, { status: 'confirmed', slot });
    return this.store.add(order, user, { type: typeOf(order.method)!, place: usualPlaceOf(order), slot });
  }

  /** A sample that is taken before the end of the slot was taken in the hour before. */
  #complete(order: OrderRow, user: User, { end_at }: AppointmentRow): void {
    const now = this.#state.clock.now();
    this.store.change(order, user, { status: 'completed', slot: end_at! > now ? slotUntil(now) : undefined });
  }

  /** Lets an order take its usual course after the end of its slot. The sample is taken at the end. */
  #goOn(id: string, end: number): void {
    const order = this.#orders.any(id)!;
    const steps = this.#orders.courseOf(order).map((step) => (step.status === 'draw_completed' ? { ...step, after: 0 } : step));
    this.#orders.follow(id, steps, end);
    this.#awaitVisit(order);
  }

  /** Completes the appointment of a walk-in order at its end, because such an order has no status for the visit. */
  #awaitVisit({ order_id, method }: OrderRow): void {
    if (method !== 'walk_in_test') return;
    const subject = visitOf(order_id);
    // The appointment may have had another slot.
    this.#state.jobs.cancel(subject);
    const dueAt = this.store.active(order_id)!.end_at!;
    this.#state.jobs.add({ kind: VISIT, dueAt, subject, payload: { order_id } });
  }

  #visited(id: string): void {
    const order = this.#orders.any(id);
    if (order === undefined || this.store.active(id)?.status !== 'confirmed') return;
    const user = this.#users.any(order.user_id);
    if (user !== undefined) {
      this.store.change(order, user, { status: 'completed' });
      return;
    }
    const dueAt = this.#state.clock.now() + GRACE_CHECK_MS;
    this.#state.jobs.add({ kind: VISIT, dueAt, subject: visitOf(id), payload: { order_id: id } });
  }

  /** Returns whether an order takes the usual course, which nobody scripted. That of a walk-in order has no appointment. */
  #isUsual(order: OrderRow, ahead: ReturnType<Orders['courseAhead']>): boolean {
    const steps = this.#orders.courseOf(order);
    const isSame = ({ status, at }: (typeof ahead)[number], index: number): boolean =>
      status === steps[index]!.status && (index === 0 || at - ahead[index - 1]!.at === steps[index]!.after);
    return order.method === 'at_home_phlebotomy' && steps.length === ahead.length && ahead.every(isSame);
  }

  #userOf({ user_id }: OrderRow): User {
    return this.#users.any(user_id)!;
  }
}

const visitOf = (order: string): string => `visit of order ${order}`;

function homeAt(address: NewAddress): Place {
  const zone = zoneOf(address);
  return { provider: 'getlabs', address: addressOf(address), location: middleOf(address.zip_code), zone };
}

function homeOf({ request }: OrderRow): Place {
  const { zip, ...address } = (JSON.parse(request) as OrderRequest).patient_address!;
  return homeAt({ ...address, zip_code: zip });
}

const placeAt = ({ address, location, zone }: Site): Place => ({
  provider: 'quest',
  address: addressOf(address),
  location,
  zone,
});

/** Returns where an appointment is that nobody booked. */
const usualPlaceOf = (order: OrderRow): Place => (order.method === 'walk_in_test' ? placeAt(sites[0]!) : homeOf(order));

/** Returns where a booked appointment is. */
function placeOf(order: OrderRow, { place, zone }: Booking): Place {
  const site = siteOf(place);
  return site === undefined ? { ...homeOf(order), zone } : placeAt(site);
}
