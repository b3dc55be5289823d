import type { Service } from '@aorta/service';
import { cancellationReasons } from '../../../infra/service/appointments/appointment-operations.ts';
import type { Examples } from './examples.ts';
import { newOrder, several as severalOrders } from './order-examples.ts';

type Method = 'at_home_phlebotomy' | 'walk_in_test';

const kinds = [
  { name: 'phlebotomy', method: 'at_home_phlebotomy', place: 'America/Phoenix', key: 'phlebotomy|America/Phoenix|' },
  { name: 'psc', method: 'walk_in_test', place: 'AZ1', key: 'patient_service_center|AZ1|' },
] as const;

const address = { first_line: '1 Main Street', city: 'Phoenix', state: 'AZ', zip_code: '85004' };
/** The first slot of a Monday in Phoenix. */
const SLOT = '2026-02-02T15:00:00.000+00:00';
const LATER_SLOT = '2026-02-02T16:00:00.000+00:00';

/** Creates orders of a user, some with appointments, and returns examples of the operations on appointments. */
export function appointmentExamples(service: Service, user: string): Pick<Examples, 'ofOperation' | 'bodies' | 'members'> {
  const { orders, appointments } = service.labs;
  const ready = (method: Method): string => {
    const order_id = newOrder(service, user, method);
    orders.advance(order_id, 'requisition_created');
    return order_id;
  };
  const booked = (method: Method, place: string): string => {
    const id = ready(method);
    const start = Date.parse(SLOT);
    appointments.book(orders.any(id)!, { start, end: start + 3_600_000, place, zone: 'America/Phoenix' }, null);
    return id;
  };
  const several = (make: () => string): { order_id: string[] } => ({ order_id: severalOrders(make) });
  const ofOperation: Record<string, Record<string, string[]>> = {
    list_phlebotomy_slots: { start_date: ['2026-02-02'] },
    list_psc_slots: { start_date: ['2026-02-02'], lab: ['quest'], site_codes: [], zip_code: ['85004'] },
    request_phlebotomy_appointment: several(() => ready('at_home_phlebotomy')),
  };
  const bodies: Record<string, object> = {
    list_phlebotomy_slots: address,
    request_phlebotomy_appointment: { address, provider: 'getlabs' },
  };
  const members: Record<string, Record<string, string[]>> = {};
  for (const { name, method, place, key } of kinds) {
    const operation = (verb: string): string => `${verb}_${name}_appointment`;
    const existing = booked(method, place);
    ofOperation[operation('get')] = { order_id: [existing] };
    ofOperation[operation('reschedule')] = { order_id: [existing] };
    ofOperation[operation('book')] = several(() => ready(method));
    ofOperation[operation('cancel')] = several(() => booked(method, place));
    bodies[operation('book')] = { booking_key: `${key}${SLOT}` };
    bodies[operation('reschedule')] = { booking_key: `${key}${LATER_SLOT}` };
    bodies[operation('cancel')] = { cancellation_reason_id: cancellationReasons[0].id };
    members[operation('book')] = { booking_key: [`${key}${SLOT}`, `${key}${LATER_SLOT}`] };
    members[operation('reschedule')] = members[operation('book')]!;
  }
  return { ofOperation, bodies, members };
}
