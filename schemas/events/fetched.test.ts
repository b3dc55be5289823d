import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resultValue } from './lab.ts';
import { readEvent } from './read-event.ts';

const receipt = {
  source: 's',
  partition: '0',
  offset: 7,
  received_at: 1,
  delivery_id: null,
  header_facts: 0,
  body_bytes: 2,
  body_crc32: 0,
  arrived_at: null,
};

const read = (stream: Parameters<typeof readEvent>[0], eventType: string, data: unknown) => {
  const reading = readEvent(stream, eventType, { user_id: 'u', data }, receipt);
  return reading.kind === 'refused'
    ? reading
    : { ...(reading.record as unknown as Record<string, unknown>), refused: reading.refused };
};

const stream = (columns: unknown) =>
  read('workout_streams', 'service.workout_stream.fetched', { workout_id: 'w', stream: columns });

test('the longest column of a workout stream determines the number of points', () => {
  expect(
    stream({ time: [1_600_000_000, 162_662_560, null], heartrate: [120, null], lat: [], lng: null, power: [1.5, 2, 3] }),
  ).toMatchObject({
    workout_id: 'w',
    uneven: true,
    extra: null,
    refused: [],
    points: [
      { time_s: 1_600_000_000, point_at: 1_600_000_000_000_000, heart_rate_bpm: 120, power_w: 1.5, latitude_deg: null },
      { time_s: 162_662_560, point_at: null, heart_rate_bpm: null, power_w: 2 },
      { time_s: null, point_at: null, heart_rate_bpm: null, power_w: 3 },
    ],
  });
  expect(stream({})).toMatchObject({ points: [], uneven: false });
});

test('a value that is not a number becomes null in its point, and the extra column keeps the whole list as sent', () => {
  const got = stream({ time: ['soon', 1_600_000_001], heartrate: 'fast', cadence: [1, { a: 2 }], gears: [1, 2] }) as Record<
    string,
    unknown
  >;
  expect(got.points).toMatchObject([
    { time_s: null, cadence: 1 },
    { time_s: 1_600_000_001, cadence: null },
  ]);
  expect(JSON.parse(got.extra as string)).toEqual({
    'data.stream.time': ['soon', 1_600_000_001],
    'data.stream.heartrate': 'fast',
    'data.stream.cadence': [1, { a: 2 }],
    'data.stream.gears': [1, 2],
  });
  expect((got.refused as { place: string }[]).map(({ place }) => place)).toEqual([
    'data.stream.time',
    'data.stream.heartrate',
    'data.stream.cadence',
  ]);
});

test('a workout stream without a workout id or columns is refused, and so is every not_fetched event', () => {
  expect(read('workout_streams', 'service.workout_stream.fetched', { stream: {} })).toMatchObject({ reason: 'no_id' });
  expect(stream([1])).toMatchObject({ reason: 'no_data' });
  expect(read('workout_streams', 'service.workout_stream.not_fetched', { workout_id: 'w' })).toMatchObject({
    reason: 'not_fetched',
  });
  expect(read('lab_results', 'service.lab_result.not_fetched', { order_id: 'o' })).toMatchObject({ reason: 'not_fetched' });
});

const none = { result_number: null, result_sign: null, result_low: null, result_high: null };

test.each([
  ['numeric', '5.20', { ...none, result_number: 5.2 }],
  ['numeric', ' -3e2 ', { ...none, result_number: -300 }],
  ['numeric', '≤0.1', { ...none, result_number: 0.1, result_sign: '<=' }],
  ['range', '<1.2', { ...none, result_number: 1.2, result_sign: '<' }],
  ['range', '1-5', { ...none, result_low: 1, result_high: 5 }],
  ['range', '-1.5 - -0.5', { ...none, result_low: -1.5, result_high: -0.5 }],
  ['numeric', '.7', { ...none, result_number: 0.7 }],
  ['numeric', '7.', { ...none, result_number: 7 }],
  ['numeric', '042.10', { ...none, result_number: 42.1 }],
  ['numeric', '\u22120.50', { ...none, result_number: -0.5 }],
  ['numeric', '1.5E+3', { ...none, result_number: 1500 }],
  ['numeric', '1.5e\u22123', { ...none, result_number: 0.0015 }],
  ['range', '<.2', { ...none, result_number: 0.2, result_sign: '<' }],
  ['range', '\u2265\u00a0007.', { ...none, result_number: 7, result_sign: '>=' }],
  ['range', '>= -.5', { ...none, result_number: -0.5, result_sign: '>=' }],
  ['range', '.5-1.', { ...none, result_low: 0.5, result_high: 1 }],
  ['range', '01\u201305', { ...none, result_low: 1, result_high: 5 }],
  ['range', '1 \u2212 5', { ...none, result_low: 1, result_high: 5 }],
  ['range', '\u22125 to \u22123', { ...none, result_low: -5, result_high: -3 }],
  ['range', '1E+3 TO 1.5E+3', { ...none, result_low: 1000, result_high: 1500 }],
  ['range', '5-5', { ...none, result_low: 5, result_high: 5 }],
  ['range', '12-05', none],
  ['range', '<1-5', none],
  ['range', '1-5-7', none],
  ['range', '1:40', none],
  ['range', '<1:40', none],
  ['range', '1,5-2,5', none],
  ['numeric', '1,200', none],
  ['numeric', '1+', none],
  ['numeric', '.', none],
  ['numeric', '-', none],
  ['numeric', '', none],
  ['numeric', '<', none],
  ['numeric', '1.2.3', none],
  ['numeric', '1.5E', none],
  ['numeric', '0x1F', none],
  ['numeric', '--5', none],
  ['numeric', '1 200', none],
  ['numeric', '5 mg', none],
  ['numeric', '1e999', none],
  ['comment', '5', none],
  ['coded_value', '1-5', none],
  [null, '5', none],
  ['a_new_type', '5', none],
  ['numeric', null, none],
])('resultValue(%j, %j) returns the numbers in the result', (type, text, value) => {
  expect(resultValue(type, text)).toEqual(value);
});

const digits = fc.stringMatching(/^\d{0,6}$/);
/** A number in one of the ways in which laboratories write it, and its value: digits over a power of ten. */
const laboratoryNumber = fc
  .record({
    sign: fc.constantFrom('', '+', '-', '\u2212'),
    whole: digits,
    point: fc.boolean(),
    part: digits,
    exponent: fc.option(
      fc.record({ letter: fc.constantFrom('e', 'E'), sign: fc.constantFrom('', '+', '-', '\u2212'), by: fc.nat(9) }),
    ),
  })
  .filter(({ whole, point, part }) => whole !== '' || (point && part !== ''))
  .map(({ sign, whole, point, part, exponent }) => {
    const after = point ? part : '';
    const text = `${sign}${whole}${point ? `.${part}` : ''}${exponent === null ? '' : `${exponent.letter}${exponent.sign}${exponent.by}`}`;
    const minus = sign === '-' || sign === '\u2212';
    const power = exponent === null ? 0 : exponent.sign === '' || exponent.sign === '+' ? exponent.by : -exponent.by;
    return { text, value: Number(`${minus ? '-' : ''}${BigInt(whole + after)}e${power - after.length}`) };
  });
const spaces = fc.constantFrom('', ' ', '\u00a0');

test('a number keeps its value in every notation of laboratories, with a sign and in a range', () => {
  const signs = fc.constantFrom(
    ['<', '<'],
    ['<=', '<='],
    ['\u2264', '<='],
    ['>', '>'],
    ['>=', '>='],
    ['\u2265', '>='],
    ['', null],
  );
  fc.assert(
    fc.property(laboratoryNumber, signs, spaces, ({ text, value }, [sent, sign], space) => {
      expect(resultValue('numeric', `${sent}${space}${text}`)).toEqual({ ...none, result_number: value, result_sign: sign });
    }),
  );
  const separators = fc.constantFrom('-', '\u2013', '\u2212', 'to', 'To', 'TO');
  fc.assert(
    fc.property(laboratoryNumber, laboratoryNumber, separators, spaces, (one, other, separator, space) => {
      const [low, high] = one.value <= other.value ? [one, other] : [other, one];
      expect(resultValue('range', `${low.text}${space}${separator}${space}${high.text}`)).toEqual({
        ...none,
        result_low: low.value,
        result_high: high.value,
      });
    }),
  );
});

test('lab results are read with old and new member names, and unknown members go to fields_extra', () => {
  const got = read('lab_results', 'service.lab_result.fetched', {
    order_id: 'o',
    metadata: {
      'clia_#': '12D',
      patient: 'Planted Name',
      dob: '1980-01-01',
      status: 'partial',
      interpretation: 'abnormal',
      planted: 1,
    },
    results: [
      { name: 'A', result: '5.2', type: 'numeric', unit: 'mg', min_range_value: 1, loinc: '1-8', interpretation: 'normal' },
      { name: 'B', result: '1-5', result_type: 'range', type: 'comment', value: -1, new_member: 'x' },
      { name: 'C', result: 7, type: 'numeric', timestamp: 'never' },
    ],
    missing_results: [{ name: 'D', inferred_failure_type: 'quantity_not_sufficient_failure' }],
  }) as Record<string, unknown>;
  expect(got).toMatchObject({
    order_id: 'o',
    clia_number: '12D',
    patient: 'Planted Name',
    status: 'partial',
    items: [
      {
        name: 'A',
        result: '5.2',
        result_type: 'numeric',
        result_number: 5.2,
        reference_low: 1,
        loinc: '1-8',
        fields_extra: null,
      },
      { name: 'B', result: '1-5', result_type: 'range', result_low: 1, result_high: 5, legacy_value: -1 },
      { name: 'C', result: '7', result_number: 7, taken_at: null },
    ],
    missing: [{ name: 'D' }],
  });
  expect((got.items as { fields_extra: string }[]).slice(1).map(({ fields_extra }) => JSON.parse(fields_extra))).toEqual([
    { 'data.results[1].new_member': 'x' },
    { 'data.results[2].timestamp': 'never' },
  ]);
  expect(JSON.parse(got.extra as string)).toEqual({ 'data.metadata.planted': 1 });
});

const noDate = { date_collected: null, collected_at: null };

test.each([
  ['a date', '2026-03-29', { ...noDate, date_collected: Date.UTC(2026, 2, 29) / 86_400_000 }, true],
  ['an instant in UTC', '2026-03-29T23:30:00Z', { ...noDate, collected_at: Date.UTC(2026, 2, 29, 23, 30) * 1000 }, true],
  ['an instant', '2026-03-29T23:30:00.5-08:00', { ...noDate, collected_at: (Date.UTC(2026, 2, 30, 7, 30) + 500) * 1000 }, true],
  ['a short offset', '2026-03-29 23:30:00+02', { ...noDate, collected_at: Date.UTC(2026, 2, 29, 21, 30) * 1000 }, true],
  ['a local time, whose instant is not known', '2026-03-29T23:30:00', noDate, false],
  ['another order of day and month', '03/29/2026', noDate, false],
  ['a date that does not exist', '2026-02-30', noDate, false],
  ['an instant that does not exist', '2026-02-30T08:00:00Z', noDate, false],
  ['a year that the streams cannot hold', '9999-12-31T08:00:00Z', noDate, false],
  ['a number', 1_774_827_000, noDate, false],
])('the date of a lab result may be %s: %j', (_, sent, expected, fits) => {
  const metadata = { status: 'final', date_reported: '2026-03-30', date_collected: sent, date_received: null };
  const got = readEvent(
    'lab_results',
    'service.lab_result.fetched',
    { user_id: 'u', data: { order_id: 'o', metadata } },
    receipt,
  );
  expect(got).toMatchObject({ record: { status: 'final', date_reported: Date.UTC(2026, 2, 30) / 86_400_000, ...expected } });
  expect(got).toMatchObject({ record: { date_received: null, reported_at: null, received_at: null } });
  const { record, refused } = got as { record: { extra: string | null }; refused: readonly unknown[] };
  const kept = fits ? null : { 'data.metadata.date_collected': sent };
  expect(JSON.parse(record.extra ?? 'null')).toEqual(kept);
  expect(refused).toEqual(fits ? [] : [{ reason: 'value_does_not_fit', place: 'data.metadata.date_collected' }]);
});

test('a polled user, connection or marker is read unless a required id is missing', () => {
  expect(
    read('users', 'service.user.polled', {
      client_user_id: 'c',
      fallback_time_zone: { id: 'Europe/Berlin' },
      ingestion_start: '2026-01-01',
    }),
  ).toMatchObject({
    event: { client_user_id: 'c' },
    fallback_time_zone: 'Europe/Berlin',
    extra: null,
  });
  // The id in the envelope counts more, and another kind of value is kept as sent.
  const envelope = { user_id: 'u', client_user_id: 'e', data: { client_user_id: 'c' } };
  expect(readEvent('users', 'service.user.polled', envelope, receipt)).toMatchObject({
    record: { event: { client_user_id: 'e' } },
  });
  expect(readEvent('users', 'service.user.polled', { user_id: 'u', data: { client_user_id: 7 } }, receipt)).toMatchObject({
    record: { event: { client_user_id: null }, extra: '{"data.client_user_id":7}' },
    refused: [{ reason: 'value_does_not_fit', place: 'data.client_user_id' }],
  });
  expect(read('user_connections', 'service.connection.polled', { slug: 'oura', status: 'resting' })).toMatchObject({
    provider: 'oura',
    status: 'resting',
  });
  expect(read('user_connections', 'service.connection.polled', {})).toMatchObject({ reason: 'no_id' });
  const marker = readEvent('lab_markers', 'service.marker.polled', { data: { id: 7, provider_id: '001' } }, receipt);
  expect(marker).toMatchObject({ record: { marker_id: '7', lab_code: '001' } });
  expect(readEvent('lab_markers', 'service.marker.polled', { data: { id: null } }, receipt)).toMatchObject({ reason: 'no_id' });
});
