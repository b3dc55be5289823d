import type { Answer } from '../api/operation.ts';
import { type LabTest, labTests } from '../labs/catalogue.ts';
import { refuse } from '../orders/order-forms.ts';
import type { OrderSets } from '../orders/order-sets.ts';
import type { OrderRow, Orders } from '../orders/orders.ts';
import { cases, type TestCase } from './cases.ts';

/** The request for a run. */
export interface RunAsked {
  readonly case: TestCase;
  readonly order_source: 'managed' | 'provided';
  /** Ids by role. */
  readonly orders?: Readonly<Record<string, string>> | null | undefined;
  readonly lab_test_id?: string | null | undefined;
  readonly wrong_lab_test_id?: string | null | undefined;
}

/** The parts of a run that stay. */
export interface RunPlan {
  /** The given orders, by role. */
  readonly orders: Readonly<Record<string, string>>;
  /** The lab test of the orders. */
  readonly ordered: LabTest;
  /** The lab test of the result. */
  readonly result: LabTest;
}

interface Parts {
  readonly orders: Orders;
  readonly sets: OrderSets;
}

type Refused = { readonly refused: Answer };
const refused = (detail: string): Refused => ({ refused: refuse(detail) });
const notFound = (detail: string): Refused => ({ refused: { status: 404, body: { detail } } });

const USUAL = 'metabolic-baseline';
/** For the case that needs a method other than the walk-in test. */
const USUAL_AT_HOME = 'heart-risk';

/** Returns the plan of a run, or the answer that refuses it. */
export function planOf(team: string, asked: RunAsked, parts: Parts): RunPlan | Refused {
  const { constraints } = cases[asked.case];
  const found = asked.order_source === 'provided' ? givenOrders(team, asked, parts) : managedOrders(asked);
  if ('refused' in found) return found;
  const rows = Object.values(found.orders);
  const tests = rows.map(({ lab_test_id }) => parts.sets.find(team, lab_test_id)!);
  const ordered = tests[0] ?? orderable(team, asked.lab_test_id ?? usualTest(asked.case), parts);
  if ('refused' in ordered) return ordered;
  if (tests.some(({ lab_id }) => lab_id !== ordered.lab_id)) return refused(`orders of ${asked.case} must be of one laboratory`);
  if (constraints.includes('not_walk_in_test') && (rows[0]?.method ?? ordered.method) === 'walk_in_test')
    return refused(`${asked.case} needs another method than walk_in_test`);
  const result = resultTest(team, asked, { ...parts, ordered });
  if ('refused' in result) return result;
  return {
    ordered,
    result,
    orders: Object.fromEntries(Object.entries(found.orders).map(([role, { order_id }]) => [role, order_id])),
  };
}

type Found = { readonly orders: Readonly<Record<string, OrderRow>> } | Refused;

function givenOrders(team: string, asked: RunAsked, { orders }: Parts): Found {
  const roles = Object.keys(cases[asked.case].roles);
  const given = asked.orders ?? {};
  if (roles.length !== Object.keys(given).length || !roles.every((role) => role in given))
    return refused(
      roles.length === 0
        ? `orders must be empty: ${asked.case} has no orders`
        : `orders must have these members, each with the id of an order: ${roles.join(', ')}`,
    );
  if (new Set(Object.values(given)).size < roles.length) return refused('orders must have different ids');
  if (roles.length > 0 && typeof asked.lab_test_id === 'string')
    return refused('lab_test_id must not be given with orders, which have their lab tests');
  const rows = roles.map((role) => [role, orders.find(team, given[role]!)] as const);
  const unknown = rows.find(([, order]) => order === undefined);
  if (unknown !== undefined) return notFound(`Order not found: ${unknown[0]}`);
  return { orders: Object.fromEntries(rows) as Record<string, OrderRow> };
}

function managedOrders({ orders }: RunAsked): Found {
  const isEmpty = Object.keys(orders ?? {}).length === 0;
  return isEmpty ? { orders: {} } : refused('orders must not be given with order_source managed');
}

const usualTest = (test: TestCase): string => {
  const slug = cases[test].constraints.includes('not_walk_in_test') ? USUAL_AT_HOME : USUAL;
  return labTests.find((labTest) => labTest.slug === slug)!.id;
};

/** Returns a lab test that can be ordered. */
function orderable(team: string, id: string, { sets }: Parts): LabTest | Refused {
  const known = sets.find(team, id);
  const found = sets.order(team, {
    order_set: { lab_test_ids: [id] },
    aoe_answers: known === undefined ? undefined : answersTo(known),
  });
  return 'refused' in found ? found : found.labTest;
}

/** Answers the questions of a lab test, so that it can be ordered. */
export function answersTo({ markers }: LabTest) {
  return markers.flatMap(({ id: marker_id, questions }) =>
    questions.map(({ id: question_id, answers }) => ({ marker_id, question_id, answer: answers[0]?.code ?? 'none' })),
  );
}

function resultTest(
  team: string,
  { case: test, wrong_lab_test_id: id }: RunAsked,
  { ordered, ...parts }: Parts & { readonly ordered: LabTest },
): LabTest | Refused {
  if (!cases[test].constraints.includes('different_lab'))
    return typeof id === 'string' ? refused('wrong_lab_test_id belongs to the case wrong_lab') : ordered;
  const other = labTests.find(({ status, lab_id }) => status === 'active' && lab_id !== ordered.lab_id)!;
  const result = orderable(team, id ?? other.id, parts);
  if ('refused' in result || result.lab_id !== ordered.lab_id) return result;
  return refused('wrong_lab_test_id must be of another laboratory than the order');
}
