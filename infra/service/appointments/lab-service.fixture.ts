import type { CollectionMethod } from '../labs/laboratories.ts';
import { openLab } from '../orders/orders.fixture.ts';

const HOUR_MS = 3_600_000;

/** The beginnings of booking keys. */
export const HOME = 'phlebotomy|America/Phoenix|';
export const SITE = 'patient_service_center|AZ1|';
/** Friday, 9 to 10 in the morning in Phoenix. */
export const FRIDAY = '2026-01-02T16:00:00.000+00:00';
export const FRIDAY_END = '2026-01-02T17:00:00.000+00:00';
export const MONDAY = '2026-01-05T16:00:00.000+00:00';
export const MONDAY_END = '2026-01-05T17:00:00.000+00:00';

type Json = Record<string, unknown>;

interface Told {
  readonly event_type: string;
  readonly data: Json & { readonly id: string; readonly status: string };
}

export const at = (order: string, kind: string, rest = ''): string => `/v3/order/${order}/${kind}/appointment${rest}`;
/** Returns the statuses of the events of an appointment. */
export const eventsOf = (appointment: object): string[] =>
  (appointment as { readonly events: { readonly status: string }[] }).events.map(({ status }) => status);

/** A service with a team and a user. It starts on a Thursday, at five in the morning in Phoenix. */
export function startLabService() {
  const lab = openLab({ seed: 1 });
  const { service, team, user: user_id } = lab;

  async function ask(...call: Parameters<typeof lab.ask>) {
    const { status, body } = await lab.ask(...call);
    return { status, body: body as Json & { readonly id: string; readonly detail: unknown } };
  }

  const order = (method: string): Promise<string> => lab.order(method as CollectionMethod);
  const pass = (hours: number): Promise<void> => lab.pass(Math.round(hours * HOUR_MS));

  return {
    service,
    team,
    user_id,
    ask,
    order,
    pass,
    /** Orders a lab test of a method, and waits for the requisition. */
    async ready(method: string): Promise<string> {
      const id = await order(method);
      await pass(0.1);
      return id;
    },
    /** Returns the last appointment of an order. */
    last: async (id: string, kind: string) => (await ask('GET', at(id, kind))).body,
    async statusOf(order: string): Promise<string> {
      const { body } = await ask('GET', `/v3/order/${order}`);
      return (body.last_event as { readonly status: string }).status.split('.').at(-1)!;
    },
    /** Returns the events about orders and appointments. */
    told: (): Told[] => lab.told().filter(({ event_type }) => /^labtest\.(order|appointment)\./.test(event_type)),
    close: () => lab[Symbol.asyncDispose](),
  };
}
