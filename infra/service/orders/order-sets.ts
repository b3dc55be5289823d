import { InvalidInput } from '../api/errors.ts';
import type { Answer } from '../api/operation.ts';
import { combined, type LabTest, labOf, labTestOf, markerOf } from '../labs/catalogue.ts';
import type { CollectionMethod } from '../labs/laboratories.ts';
import { orderSetOf } from '../labs/order-set.ts';
import type { State } from '../state.ts';
import { LabAccountTeams } from '../teams/team-preferences.ts';
import { type NewOrder, NOTHING_ORDERED } from './order-request.ts';

/** The parts from which the service makes a lab test. */
interface Parts {
  readonly tests: readonly string[];
  readonly markers: readonly number[];
  readonly method: CollectionMethod;
}

type Asked = Pick<NewOrder, 'order_set'> & Partial<Pick<NewOrder, 'collection_method' | 'lab_account_id' | 'aoe_answers'>>;

const refuse = (detail: string): { readonly refused: Answer } => ({ refused: { status: 400, body: { detail } } });

/** The lab tests of orders. An order set that is no lab test of the catalogue becomes one. */
export class OrderSets {
  readonly accounts: LabAccountTeams;
  readonly #state: State;

  constructor(state: State) {
    this.accounts = new LabAccountTeams(state.database);
    this.#state = state;
  }

  /** Returns a lab test of the catalogue, or one that the service made for a team. */
  find(team: string, id: string): LabTest | undefined {
    const parts = this.#partsOf(team, id);
    return parts === undefined ? labTestOf(id) : testOf(parts);
  }

  /** Returns the lab tests that the service made for a team, the oldest first. */
  generated(team: string): LabTest[] {
    return this.#state.database
      .all<{ parts: string }>('select parts from order_set_tests where team_id = ? order by created_at, lab_test_id', team)
      .map(({ parts }) => testOf(JSON.parse(parts) as Parts));
  }

  /** Returns the lab test of an order set, or why no laboratory takes the order. */
  order(team: string, asked: Asked): { readonly labTest: LabTest } | { readonly refused: Answer } {
    const { order_set, lab_account_id } = asked;
    const set = orderSetOf(
      { ...order_set, lab_account_id: lab_account_id ?? order_set?.lab_account_id },
      { labTestOf: (id) => this.find(team, id), isUsable: this.accounts.usableBy(team) },
    );
    if ('status' in set) return { refused: set };
    const { tests, addOn } = set;
    if (tests.length + addOn.length === 0) throw new InvalidInput(['body', 'order_set', 'lab_test_ids'], NOTHING_ORDERED);
    const inactive = tests.find(({ status }) => status !== 'active');
    if (inactive !== undefined) return refuse(`The lab test ${inactive.id} is not active`);
    const method = methodOf(tests, asked.collection_method ?? undefined);
    if (method === undefined) return refuse('The lab tests have different collection methods: choose one with collection_method');
    const whole = tests.map(({ id }) => this.#partsOf(team, id) ?? { tests: [id], markers: [] });
    const parts = {
      tests: whole.flatMap((one) => one.tests),
      markers: [...whole.flatMap((one) => one.markers), ...addOn.map(({ id }) => id)],
      method,
    };
    const [first] = tests;
    const isOne = tests.length === 1 && addOn.length === 0 && first!.method === method;
    const labTest = isOne ? first! : testOf(parts);
    const lab = labOf(labTest.lab_id)!;
    if (!lab.collection_methods.includes(method))
      return refuse(`The laboratory ${lab.slug} does not take samples by the method ${method}`);
    const problem = answersProblem(asked, labTest);
    if (problem !== undefined) return problem;
    if (!isOne)
      this.#state.database.run(
        'insert into order_set_tests values (?, ?, ?, ?) on conflict do nothing',
        ...[team, labTest.id, this.#state.clock.now(), JSON.stringify(parts)],
      );
    return { labTest };
  }

  /** Returns the parts of a lab test that the service made for a team. */
  #partsOf(team: string, id: string): Parts | undefined {
    const made = this.#state.database.get<{ parts: string }>(
      'select parts from order_set_tests where team_id = ? and lab_test_id = ?',
      team,
      id,
    );
    return made === undefined ? undefined : (JSON.parse(made.parts) as Parts);
  }
}

function testOf({ tests, markers, method }: Parts): LabTest {
  return combined(
    tests.map((id) => labTestOf(id)!),
    markers.map((id) => markerOf(id)!),
    method,
  );
}

/** Returns the method of an order. Undefined if the lab tests disagree. */
function methodOf(tests: readonly LabTest[], wanted: CollectionMethod | undefined): CollectionMethod | undefined {
  const methods = new Set(tests.map(({ method }) => method));
  if (wanted !== undefined) return wanted;
  return methods.size === 0 ? 'walk_in_test' : methods.size === 1 ? [...methods][0] : undefined;
}

/** Checks the answers to the questions of markers. The message repeats no answer. */
function answersProblem({ aoe_answers }: Asked, { markers }: LabTest): { readonly refused: Answer } | undefined {
  const given = (aoe_answers ?? []).map(({ marker_id, question_id }) => `${marker_id} ${question_id}`);
  const questions = markers.flatMap((marker) =>
    marker.questions.map(({ id, required }) => ({ key: `${marker.id} ${id}`, required })),
  );
  const surplus = given.find((key) => !questions.some((question) => question.key === key));
  if (surplus !== undefined) return refuse(`aoe_answers: no marker of the order has this question: ${named(surplus)}`);
  const open = questions.find(({ key, required }) => required && !given.includes(key));
  return open === undefined ? undefined : refuse(`aoe_answers: this question needs an answer: ${named(open.key)}`);
}

function named(key: string): string {
  const [marker, question] = key.split(' ');
  return `marker_id ${marker}, question_id ${question}`;
}
