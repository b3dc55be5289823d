import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectionMethods } from '../labs/laboratories.ts';
import { courseOf, isCancellable, lowLevels, mayFollow, statuses, statusOf, topLevelOf } from './life-cycle.ts';

/** The statuses that the real service documents, written by hand from its list. */
const documented: Readonly<Record<string, string>> = {
  walk_in_test: `received.ordered received.requisition_created received.requisition_bypassed
    collecting_sample.appointment_pending collecting_sample.appointment_scheduled collecting_sample.appointment_cancelled
    collecting_sample.redraw_available sample_with_lab.partial_results completed.completed completed.corrected
    failed.sample_error cancelled.cancelled`,
  at_home_phlebotomy: `received.ordered received.requisition_created received.requisition_bypassed
    collecting_sample.appointment_pending collecting_sample.appointment_scheduled collecting_sample.appointment_cancelled
    collecting_sample.draw_completed sample_with_lab.partial_results completed.completed completed.corrected
    failed.sample_error cancelled.cancelled`,
  testkit: `received.ordered received.awaiting_registration received.requisition_created received.requisition_bypassed
    received.registered collecting_sample.transit_customer collecting_sample.out_for_delivery collecting_sample.with_customer
    collecting_sample.transit_lab collecting_sample.problem_in_transit_customer collecting_sample.problem_in_transit_lab
    sample_with_lab.delivered_to_lab sample_with_lab.lab_processing_blocked completed.completed completed.corrected
    failed.failure_to_deliver_to_customer failed.failure_to_deliver_to_lab failed.sample_error failed.lost
    cancelled.cancelled cancelled.do_not_process`,
  on_site_collection: `received.ordered received.requisition_created received.requisition_bypassed
    sample_with_lab.draw_completed sample_with_lab.partial_results completed.completed completed.corrected
    failed.sample_error cancelled.cancelled`,
};

test('orders have the documented statuses', () => {
  const expected = Object.entries(documented).flatMap(([method, texts]) =>
    texts.split(/\s+/).map((text) => text.replace('.', `.${method}.`)),
  );
  expect([...statuses].sort()).toEqual(expected.sort());
});

const anyMethod = fc.constantFrom(...collectionMethods);
const anyBytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
/** The low levels that an order reaches by itself. The last byte decides about partial results. */
const usual = (method: (typeof collectionMethods)[number], last: number, isRegistrable = false): string[] => {
  const bytes = new Uint8Array(32).fill(0);
  bytes[31] = last;
  return courseOf(method, 'ordered', { bytes, isRegistrable }).map(({ status }) => status);
};

test('an order takes the course of its method', () => {
  expect(usual('walk_in_test', 1)).toEqual(['requisition_created', 'completed']);
  expect(usual('walk_in_test', 0)).toEqual(['requisition_created', 'partial_results', 'completed']);
  expect(usual('at_home_phlebotomy', 1)).toEqual([
    'requisition_created',
    'appointment_pending',
    'appointment_scheduled',
    'draw_completed',
    'completed',
  ]);
  expect(usual('testkit', 0)).toEqual([
    'requisition_created',
    'transit_customer',
    'out_for_delivery',
    'with_customer',
    'transit_lab',
    'delivered_to_lab',
    'completed',
  ]);
  expect(usual('testkit', 0, true)).toEqual([
    'registered',
    'requisition_created',
    'transit_lab',
    'delivered_to_lab',
    'completed',
  ]);
  expect(usual('on_site_collection', 3)).toEqual(['requisition_created', 'draw_completed', 'partial_results', 'completed']);
});

test('every status but the first can be reached from the first, within three weeks, and each step may follow the one before', () => {
  fc.assert(
    fc.property(anyMethod, fc.constantFrom(...lowLevels), anyBytes, fc.boolean(), (method, to, bytes, isRegistrable) => {
      fc.pre(topLevelOf(method, to) !== undefined && to !== 'ordered');
      const steps = courseOf(method, 'ordered', { bytes, to, isRegistrable: method === 'testkit' && isRegistrable });
      let low = 'ordered';
      for (const { status } of steps) {
        expect(mayFollow(method, low, status), `${low} to ${status}`).toBe(true);
        low = status;
      }
      expect(low).toBe(to);
      expect(new Set(steps.map(({ status }) => status)).size).toBe(steps.length);
      expect(steps.every(({ after }) => Number.isInteger(after) && after > 0)).toBe(true);
      expect(steps.reduce((sum, { after }) => sum + after, 0)).toBeLessThan(21 * 86_400_000);
    }),
  );
});

test('an order without partial results is completed no earlier than one with them', () => {
  const times = [0, 1].map((last) => {
    const steps = courseOf('walk_in_test', 'ordered', { bytes: new Uint8Array(32).fill(0, 0, 31).fill(last, 31) });
    return steps.reduce((sum, { after }) => sum + after, 0);
  });
  expect(times).toEqual([2 * 60_000 + 68 * 3_600_000, 2 * 60_000 + 68 * 3_600_000]);
});

test('the rest of a course is the course from a later status', () => {
  fc.assert(
    fc.property(anyMethod, anyBytes, fc.nat(10), (method, bytes, number) => {
      const steps = courseOf(method, 'ordered', { bytes });
      const at = number % steps.length;
      expect(courseOf(method, steps[at]!.status, { bytes })).toEqual(steps.slice(at + 1));
    }),
  );
});

describe('a status beside the course', () => {
  const bytes = new Uint8Array(32).fill(1);
  test.each([
    ['walk_in_test', 'requisition_bypassed', ['completed']],
    ['walk_in_test', 'appointment_cancelled', ['completed']],
    ['walk_in_test', 'redraw_available', ['completed']],
    [
      'at_home_phlebotomy',
      'appointment_cancelled',
      ['appointment_pending', 'appointment_scheduled', 'draw_completed', 'completed'],
    ],
    ['testkit', 'problem_in_transit_lab', ['delivered_to_lab', 'completed']],
    ['testkit', 'lab_processing_blocked', ['completed']],
    ['testkit', 'completed', []],
  ] as const)('%s goes on from %s', (method, from, expected) => {
    expect(courseOf(method, from, { bytes }).map(({ status }) => status)).toEqual(expected);
  });
});

test('an order that was cancelled or has failed stays so, and one that is completed can only be corrected', () => {
  const ends = {
    completed: ['corrected'],
    corrected: ['corrected'],
    cancelled: [],
    do_not_process: [],
    sample_error: [],
    lost: [],
  };
  for (const [from, expected] of Object.entries(ends))
    expect(lowLevels.filter((to) => mayFollow('testkit', from, to))).toEqual(expected);
  expect(mayFollow('walk_in_test', 'ordered', 'delivered_to_lab')).toBe(false);
  expect(mayFollow('testkit', 'ordered', 'corrected')).toBe(false);
  expect(mayFollow('testkit', 'registered', 'ordered')).toBe(false);
});

test('an order can be cancelled until its sample is taken or on the way', () => {
  const cancellable = collectionMethods.map((method) =>
    lowLevels.filter((low) => topLevelOf(method, low) && isCancellable(method, low)).sort(),
  );
  const received = ['ordered', 'requisition_bypassed', 'requisition_created'];
  const visits = ['appointment_cancelled', 'appointment_pending', 'appointment_scheduled'];
  expect(cancellable).toEqual([
    [...visits, ...received, 'redraw_available'].sort(),
    [...visits, ...received].sort(),
    [
      ...received,
      'awaiting_registration',
      'registered',
      'transit_customer',
      'out_for_delivery',
      'with_customer',
      'problem_in_transit_customer',
    ].sort(),
    received,
  ]);
});

test('a whole status has the top level, the method and the low level', () => {
  expect(statusOf('on_site_collection', 'draw_completed')).toBe('sample_with_lab.on_site_collection.draw_completed');
  expect(statusOf('at_home_phlebotomy', 'draw_completed')).toBe('collecting_sample.at_home_phlebotomy.draw_completed');
});
