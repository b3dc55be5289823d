import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { appointmentOperations } from '../appointments/appointment-operations.ts';
import { Appointments } from '../appointments/appointments.ts';
import type { Outbox } from '../events/outbox.ts';
import type { LabTest } from '../labs/catalogue.ts';
import type { State } from '../state.ts';
import type { Teams } from '../teams/teams.ts';
import type { Users } from '../users/users.ts';
import { withoutLater } from '../versions/versions.ts';
import { Minors, orderChanges } from './order-changes.ts';
import { requisitionOf } from './order-documents.ts';
import { type OrderEventRow, type OrderForm, orderForm, orderSchema, transactionForm } from './order-forms.ts';
import { orderOperations } from './order-operations.ts';
import { OrderResults } from './order-results.ts';
import { OrderSets } from './order-sets.ts';
import { type OrderRow, Orders } from './orders.ts';
import { resultOperations } from './result-operations.ts';

interface Parts {
  readonly users: Users;
  readonly outbox: Outbox;
  readonly teams: Teams;
}

/** A signed address is valid for 7 days. */
const VALID_MS = 7 * 86_400_000;
const PATH = '/requisition_forms';
/** The purpose of the signatures. */
const PURPOSE = 'requisition';

/** The addresses of requisition forms that need no key: whoever has one can read the form, until it expires. */
class RequisitionUrls {
  readonly #state: State;
  /** Address of the API. It is unknown until the service is served. */
  base = 'http://127.0.0.1';

  constructor(state: State) {
    this.#state = state;
  }

  /** Returns an address that is valid from now on. */
  urlOf(order: string): string {
    const expires = Math.floor((this.#state.clock.now() + VALID_MS) / 1000);
    return `${this.base}${PATH}/${order}.pdf?expires=${expires}&signature=${this.#state.signatures.of(PURPOSE, signed(order, expires))}`;
  }

  /** Serves the forms. `read` returns the form of an order; undefined if there is no such order any more. */
  serve(app: FastifyInstance, read: (order: string) => Promise<Buffer | undefined>): void {
    app.get(`${PATH}/:file`, async (request, reply) => {
      const asked = addressSchema.safeParse({ ...(request.params as object), ...(request.query as object) });
      if (!asked.success || !this.#isSigned(asked.data))
        return reply.code(403).send({ detail: 'The signature of this address is not valid' });
      if (asked.data.expires * 1000 <= this.#state.clock.now())
        return reply.code(403).send({ detail: 'This address expired after 7 days. Download the form by the API.' });
      const form = await read(asked.data.file);
      return form === undefined ? reply.code(404).send({ detail: 'Order not found' }) : reply.type('application/pdf').send(form);
    });
  }

  #isSigned({ file, expires, signature }: z.output<typeof addressSchema>): boolean {
    return this.#state.signatures.isRight(PURPOSE, signed(file, expires), signature);
  }
}

const signed = (order: string, expires: number): string => `${order} ${expires}`;

const addressSchema = z.object({
  file: z
    .string()
    .regex(/\.pdf$/)
    .transform((file) => file.slice(0, -'.pdf'.length))
    .pipe(uuidSchema),
  expires: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
  signature: z.string(),
});

/** The orders with their appointments, results and papers. */
export class LabOrders {
  readonly orders: Orders;
  readonly appointments: Appointments;
  readonly results: OrderResults;
  readonly sets: OrderSets;
  readonly urls: RequisitionUrls;
  readonly #state: State;
  readonly #users: Users;
  readonly #minors: Minors;

  constructor(state: State, { users, outbox, teams }: Parts) {
    this.#state = state;
    this.#users = users;
    this.#minors = new Minors(state, teams);
    this.sets = new OrderSets(state);
    this.urls = new RequisitionUrls(state);
    this.orders = new Orders(state, users, outbox, {
      form: (order) => withoutLater(orderSchema, this.form(order), state.versions.ofTeam(order.team_id)) as object,
      wantsPartial: (team) => teams.find(team)!.partial_webhooks_enabled,
    });
    this.appointments = new Appointments(state, { orders: this.orders, users, outbox });
    this.orders.listen(this.appointments);
    this.results = new OrderResults(state, outbox, {
      labTestOf: (order) => this.#labTestOf(order),
      sampledAt: (order) => this.appointments.store.sampledAt(order),
    });
    this.orders.listen(this.results);
  }

  operations(): Operation[] {
    const parts = { orders: this.orders, form: (order: OrderRow) => this.form(order) };
    return [
      ...orderChanges(this.#state, { ...parts, users: this.#users, sets: this.sets, minors: this.#minors }),
      ...orderOperations(this.#state, parts),
      ...appointmentOperations(this.#state, { orders: this.orders, appointments: this.appointments }),
      ...resultOperations({
        orders: this.orders,
        results: this.results,
        labTestOf: (order) => this.#labTestOf(order),
        transactionOf: (order) => transactionForm(order, this.#eventsOf(order)),
      }),
    ];
  }

  /** Serves the requisition forms at signed addresses. */
  serveForms(app: FastifyInstance): void {
    this.urls.serve(app, async (id) => {
      const order = this.orders.any(id);
      if (order === undefined || this.#users.any(order.user_id) === undefined) return undefined;
      return requisitionOf(order, this.#labTestOf(order));
    });
  }

  /** Returns an order in the form of the API. */
  form(order: OrderRow): OrderForm {
    return orderForm(order, {
      events: this.#eventsOf(order),
      labTest: this.#labTestOf(order),
      requisitionUrl: order.has_requisition === 1 ? this.urls.urlOf(order.order_id) : null,
      appointment: this.appointments.store.idOf(order.order_id),
      hasMissing: this.results.hasMissing(order.order_id),
    });
  }

  #eventsOf({ order_id }: OrderRow): OrderEventRow[] {
    return this.#state.database.all(
      'select event_id, created_at, status, status_detail from order_events where order_id = ? order by event_id',
      order_id,
    );
  }

  #labTestOf({ team_id, lab_test_id }: OrderRow): LabTest {
    return this.sets.find(team_id, lab_test_id)!;
  }
}
