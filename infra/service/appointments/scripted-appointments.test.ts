import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { controlOperations } from '../control/control-operations.ts';
import { createControl } from '../control/control-server.ts';
import { at, eventsOf, FRIDAY, MONDAY, SITE, startLabService } from './lab-service.fixture.ts';

let lab: ReturnType<typeof startLabService>;
beforeEach(() => {
  lab = startLabService();
});
afterEach(() => lab.close());

describe('the appointment of a scripted order', () => {
  async function script(order: string, ...steps: (readonly [status: string, hours: number])[]): Promise<void> {
    const control = createControl(controlOperations(lab.service));
    const payload = { order_id: order, steps: steps.map(([status, hours]) => ({ status, after: hours * 3600 })) };
    const answer = await control.inject({ method: 'POST', url: '/orders/script', payload });
    expect(answer.statusCode).toBe(200);
    await control.close();
  }

  test.each([
    ['at_home_phlebotomy', 'phlebotomy', [['draw_completed', 1]], ['scheduled', 'completed']],
    [
      'at_home_phlebotomy',
      'phlebotomy',
      [
        ['appointment_pending', 1],
        ['draw_completed', 1],
      ],
      ['pending', 'scheduled', 'completed'],
    ],
    [
      'at_home_phlebotomy',
      'phlebotomy',
      [
        ['appointment_scheduled', 1],
        ['appointment_pending', 1],
        ['appointment_scheduled', 1],
      ],
      ['scheduled', 'pending', 'scheduled'],
    ],
    [
      'at_home_phlebotomy',
      'phlebotomy',
      [
        ['appointment_scheduled', 1],
        ['appointment_scheduled', 1],
      ],
      ['scheduled'],
    ],
    [
      'at_home_phlebotomy',
      'phlebotomy',
      [
        ['appointment_scheduled', 1],
        ['draw_completed', 1],
        ['draw_completed', 1],
      ],
      ['scheduled', 'completed'],
    ],
    [
      'at_home_phlebotomy',
      'phlebotomy',
      [
        ['appointment_pending', 1],
        ['completed', 1],
      ],
      ['pending', 'cancelled'],
    ],
    [
      'at_home_phlebotomy',
      'phlebotomy',
      [
        ['appointment_scheduled', 1],
        ['requisition_created', 1],
      ],
      ['scheduled', 'cancelled'],
    ],
    [
      'walk_in_test',
      'psc',
      [
        ['appointment_scheduled', 1],
        ['completed', 1],
      ],
      ['scheduled', 'completed'],
    ],
    [
      'walk_in_test',
      'psc',
      [
        ['appointment_scheduled', 1],
        ['redraw_available', 1],
      ],
      ['scheduled', 'completed'],
    ],
    [
      'walk_in_test',
      'psc',
      [
        ['appointment_scheduled', 1],
        ['sample_error', 1],
      ],
      ['scheduled', 'cancelled'],
    ],
  ] as const)('%s %s %j: %j', async (method, kind, steps, expected) => {
    const order = await lab.ready(method);
    await script(order, ...steps);
    await lab.pass(4);
    expect(await lab.statusOf(order)).toBe(steps.at(-1)![0]);
    expect(eventsOf(await lab.last(order, kind))).toEqual(expected);
  });

  test('ends when the script has the sample taken', async () => {
    const order = await lab.ready('at_home_phlebotomy');
    await script(order, ['appointment_scheduled', 1], ['draw_completed', 5]);
    await lab.pass(1);
    const slot = { start_at: '2026-01-01T17:06:00.000+00:00', end_at: '2026-01-01T18:06:00.000+00:00' };
    expect(await lab.last(order, 'phlebotomy')).toMatchObject({ status: 'confirmed', ...slot });
    await lab.pass(5);
    expect(await lab.last(order, 'phlebotomy')).toMatchObject({ status: 'completed', ...slot });
  });

  test('is booked again if the laboratory needs another sample', async () => {
    const order = await lab.ready('walk_in_test');
    const { id } = (await lab.ask('POST', at(order, 'psc', '/book'), { booking_key: SITE + FRIDAY })).body;
    await script(order, ['redraw_available', 40]);
    await lab.pass(40);
    const again = (await lab.ask('POST', at(order, 'psc', '/book'), { booking_key: SITE + MONDAY })).body;
    expect(again).toMatchObject({ status: 'confirmed', start_at: MONDAY });
    expect(again.id).not.toBe(id);
    expect((await lab.ask('GET', `/v3/order/${order}`)).body.details).toMatchObject({ data: { appointment_id: again.id } });
  });

  test('has a slot if the script ends with it', async () => {
    const order = await lab.ready('walk_in_test');
    await script(order, ['appointment_scheduled', 1]);
    await lab.pass(1);
    expect(await lab.last(order, 'psc')).toMatchObject({ status: 'confirmed', start_at: '2026-01-02T15:00:00.000+00:00' });
    await lab.pass(48);
    expect(await lab.last(order, 'psc')).toMatchObject({ status: 'completed' });
    expect(await lab.statusOf(order)).toBe('appointment_scheduled');
  });
});
