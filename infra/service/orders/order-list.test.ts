import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectionMethods } from '../labs/laboratories.ts';
import { DAY, newUser, openLab, patient } from './orders.fixture.ts';

/** The members of an order that filters look at. */
interface Listed {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly interpretation: string | null;
  readonly activate_by: string | null;
  readonly details: { readonly type: string };
  readonly events: readonly { readonly status: string }[];
  readonly patient_details: { readonly first_name: string; readonly last_name: string; readonly dob: string };
  readonly patient_address: { readonly receiver_name: string };
  readonly order_transaction: { readonly id: string };
}

const lab = openLab();
/** All orders, the oldest first, one by one. */
const all: Listed[] = [];
const names = ['Ana Alba', 'Ben Bauer', 'ana zeta'];
const receivers = ['', 'Front Desk'];

beforeAll(async () => {
  const ids: string[] = [];
  for (let number = 0; number < 24; number++) {
    const [first_name, last_name] = names[number % 3]!.split(' ');
    const user_id = number % 2 === 0 ? lab.user : newUser(lab.service, lab.team, `c-${number + 2}`);
    const id = await lab.order(collectionMethods[number % 4]!, {
      user_id,
      ...(number % 5 === 0 ? { activate_by: '2026-06-01' } : {}),
      patient_details: { ...patient.patient_details, first_name, last_name, dob: `19${60 + number}-02-03` },
      patient_address: { ...patient.patient_address, receiver_name: receivers[number % 2] },
    });
    const interpretation = (['normal', 'abnormal', 'critical', 'unknown'] as const)[number % 7];
    if (interpretation !== undefined) lab.service.labs.orders.want(id, { interpretation });
    ids.push(id);
    await lab.pass(DAY / 2);
  }
  for (const id of ids) all.push((await lab.ask('GET', `/v3/order/${id}`)).body);
});
afterAll(() => lab[Symbol.asyncDispose]());

const list = async (query: Readonly<Record<string, string | readonly string[]>>, path = '/v3/orders') => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) for (const one of [value].flat()) search.append(key, one);
  return (await lab.ask('GET', `${path}?${search}`)).body as { orders: Listed[]; total: number; page: number; size: number };
};
const idsOf = (orders: readonly Listed[]): string[] => orders.map(({ id }) => id);
const low = ({ events }: Listed): string => events.at(-1)!.status.split('.')[2]!;
const name = ({ patient_details: { first_name, last_name } }: Listed): string => `${first_name} ${last_name}`;
const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

test('the orders of the test differ in what the filters look at', () => {
  expect(new Set(all.map(({ interpretation }) => interpretation))).toEqual(
    new Set(['normal', 'abnormal', 'critical', 'unknown', null]),
  );
  expect(new Set(all.map(low)).size).toBeGreaterThan(3);
});

test.each(['normal', 'abnormal', 'critical', 'unknown'])(
  'the interpretation %j matches the orders with it',
  async (interpretation) => {
    const expected = all.filter((order) => order.interpretation === interpretation);
    expect(expected.length).toBeGreaterThan(0);
    for (const path of ['/v3/orders', '/orders']) {
      const { orders, total } = await list({ interpretation }, path);
      expect([idsOf(orders), total]).toEqual([idsOf(expected), expected.length]);
      for (const order of orders) expect(order.interpretation).toBe(interpretation);
    }
  },
);

test('the interpretation null matches orders without one, and other values match nothing', async () => {
  const without = all.filter(({ interpretation }) => interpretation === null);
  expect(idsOf((await list({ interpretation: 'null' })).orders)).toEqual(idsOf(without));
  for (const interpretation of ['other', 'NORMAL', '', '%'])
    expect(await list({ interpretation })).toMatchObject({ orders: [], total: 0 });
});

/** Each filter with values, and a plain search that says whether an order passes. */
const filters = {
  search_input: { values: ['ana', 'Desk', '1963-02-03', 'nobody', '_'], passes: searched },
  patient_name: { values: ['ANA', 'a z', 'Bauer', '%'], passes: (order: Listed, part: string) => has(name(order), part) },
  shipping_recipient_name: {
    values: ['front', 'x'],
    passes: ({ patient_address }: Listed, part: string) => has(patient_address.receiver_name, part),
  },
  is_critical: {
    values: ['true', 'false'],
    passes: (order: Listed, value: string) => String(order.interpretation === 'critical') === value,
  },
  user_id: {
    values: [lab.user, lab.user.toUpperCase()],
    passes: ({ user_id }: Listed, id: string) => user_id === id.toLowerCase(),
  },
  start_date: {
    values: ['2026-01-05', '2026-01-05T12:00:00Z', '2026-01-05T12:00:00.001Z'],
    passes: ({ created_at }: Listed, from: string) => Date.parse(created_at) >= Date.parse(from),
  },
  end_date: {
    values: ['2026-01-05', '2026-01-05T12:00:00+00:00', '2026-01-04T23:59:59Z'],
    passes: ({ created_at }: Listed, to: string) =>
      Date.parse(created_at) <= Date.parse(to.length === 10 ? `${to}T23:59:59.999Z` : to),
  },
  updated_start_date: {
    values: ['2026-01-09'],
    passes: ({ updated_at }: Listed, from: string) => Date.parse(updated_at) >= Date.parse(from),
  },
  updated_end_date: {
    values: ['2026-01-09'],
    passes: ({ updated_at }: Listed, to: string) => Date.parse(updated_at) <= Date.parse(to),
  },
} as const;

function searched(order: Listed, part: string): boolean {
  const { id, user_id, patient_details, patient_address } = order;
  return [id, user_id, name(order), patient_address.receiver_name, patient_details.dob.slice(0, 10)].some((text) =>
    has(text, part),
  );
}

/** Filters that take several values. An order passes if it has one of them. */
const lists = {
  status: { values: ['ordered', 'completed', 'with_customer', 'strange'], of: low },
  order_type: { values: collectionMethods, of: ({ details }: Listed) => details.type },
  order_activation_types: {
    values: ['current', 'scheduled'],
    of: ({ activate_by }: Listed) => (activate_by === null ? 'current' : 'scheduled'),
  },
} as const;

const anyFilters = fc.record(
  Object.fromEntries([
    ...Object.entries(filters).map(([key, { values }]) => [key, fc.constantFrom(...(values as readonly string[]))]),
    ...Object.entries(lists).map(([key, { values }]) => [key, fc.subarray([...(values as readonly string[])], { minLength: 1 })]),
  ]) as Record<string, fc.Arbitrary<string | string[]>>,
  { requiredKeys: [] },
);

const passes = (order: Listed, query: Readonly<Record<string, string | readonly string[]>>): boolean =>
  Object.entries(query).every(([key, value]) =>
    Array.isArray(value)
      ? value.includes(lists[key as keyof typeof lists].of(order))
      : filters[key as keyof typeof filters].passes(order, value as never),
  );

test('a filter that is given selects the orders that a plain search finds', async () => {
  for (const [key, { values }] of [...Object.entries(filters), ...Object.entries(lists)])
    for (const value of values) {
      const query = key in lists ? { [key]: [value] } : { [key]: value };
      expect(idsOf((await list(query)).orders), `${key}=${value}`).toEqual(idsOf(all.filter((order) => passes(order, query))));
    }
  await fc.assert(
    fc.asyncProperty(anyFilters, async (some) => {
      const query = some as Record<string, string | string[]>;
      expect(idsOf((await list(query)).orders)).toEqual(idsOf(all.filter((order) => passes(order, query))));
    }),
  );
});

test('orders are found by their ids and by their transaction', async () => {
  const [first, second] = all as [Listed, Listed];
  expect(idsOf((await list({ order_ids: [second.id, first.id] })).orders)).toEqual([first.id, second.id]);
  expect(idsOf((await list({ order_transaction_id: second.order_transaction.id })).orders)).toEqual([second.id]);
});

test('pages together contain every order once', async () => {
  const keys = [undefined, 'created_at', 'patient_name', 'last_status'];
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom(...keys),
      fc.constantFrom('asc', 'desc'),
      async (size, key, direction) => {
        const query = { size: String(size), order_direction: direction, ...(key === undefined ? {} : { order_key: key }) };
        const found: Listed[] = [];
        for (let page = 1; page <= Math.ceil(all.length / size); page++) {
          const body = await list({ ...query, page: String(page) });
          expect(body).toMatchObject({ total: all.length, page, size });
          found.push(...body.orders);
        }
        expect(idsOf(found).sort()).toEqual(idsOf(all).sort());
        const of = {
          patient_name: (order: Listed) => name(order).toLowerCase(),
          last_status: low,
          created_at: ({ created_at }: Listed) => created_at,
        };
        const sorted = found.map(of[(key ?? 'created_at') as keyof typeof of]);
        const ascending = [...sorted].sort();
        expect(sorted).toEqual(direction === 'asc' ? ascending : ascending.reverse());
      },
    ),
    { numRuns: 20 },
  );
});

test.each([
  ['page=0', 'page'],
  ['size=101', 'size'],
  ['size=0', 'size'],
  ['is_critical=perhaps', 'is_critical'],
  ['user_id=x', 'user_id'],
  ['order_key=price', 'order_key'],
  ['start_date=yesterday', 'start_date'],
  ['order_type=mail', 'order_type'],
])('the query %s is refused', async (query, parameter) => {
  const { status, body } = await lab.ask('GET', `/v3/orders?${query}`);
  expect([status, body.detail[0].loc.slice(0, 2)]).toEqual([422, ['query', parameter]]);
});
