import { z } from 'zod';
import { detailSchema, problem } from '../api/errors.ts';
import { type Answer, type Operation, operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { instant, instantSchema } from '../api/times.ts';
import { interpretations } from '../labs/result.ts';
import { IdempotentAnswers, idempotencyHeaders } from '../orders/idempotency.ts';
import { lowLevels } from '../orders/life-cycle.ts';
import type { OrderRow } from '../orders/orders.ts';
import type { State } from '../state.ts';
import { cases, labConstraints, testCases } from './cases.ts';
import { resultStatuses } from './review-forms.ts';
import { type RunRow, runStages, runStatuses, type SandboxRuns } from './sandbox-runs.ts';

const NO_RUN: Answer = { status: 404, body: { detail: 'Unmatched result test not found' } };
const orderSources = ['managed', 'provided'] as const;

const caseSchema = z
  .object({
    case: z.enum(testCases),
    order_roles: z.array(z.string()).describe('The orders that the case is about.'),
    required_statuses: z.record(z.string(), z.enum(lowLevels)).describe('The low level that each order must have, by role.'),
    lab_constraints: z.array(z.enum(labConstraints)),
  })
  .meta({ id: 'UnmatchedResultTestCase' });

const runSchema = z
  .object({
    run_id: z.uuid(),
    status: z.enum(runStatuses),
    stage: z.enum(runStages),
    case: z.enum(testCases),
    order_source: z.enum(orderSources),
    result_status: z.enum(resultStatuses),
    orders: z
      .record(z.string(), z.object({ order_id: z.uuid(), user_id: z.uuid(), order_transaction_id: z.uuid() }))
      .describe('By role.'),
    raw_result_id: z.uuid().nullable().describe('Id of the unmatched result.'),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: instantSchema,
    updated_at: instantSchema,
    started_at: instantSchema.nullable(),
    completed_at: instantSchema.nullable(),
  })
  .meta({ id: 'UnmatchedResultTest' });

const newRunSchema = z
  .strictObject({
    case: z.enum(testCases),
    order_source: z
      .enum(orderSources)
      .describe('`managed`: the test makes its own users and orders. `provided`: it uses those of `orders`.'),
    orders: z.record(z.string(), uuidSchema).nullish().describe('Ids of orders by role, for `provided`.'),
    result_status: z.enum(resultStatuses).default('final'),
    interpretation: z.enum(interpretations).default('normal'),
    lab_test_id: uuidSchema.nullish().describe('For `managed`. Default: a lab test that fits the case.'),
    wrong_lab_test_id: uuidSchema.nullish().describe('The lab test of the result, for the case `wrong_lab`.'),
  })
  .meta({ id: 'NewUnmatchedResultTest' });

const key = idempotencyHeaders.shape['x-idempotency-key'];

/** The operations of the sandbox that make unmatched results. */
export function runOperations(state: State, runs: SandboxRuns): Operation[] {
  const tag = 'unmatched_result';
  const idempotent = new IdempotentAnswers(state);
  return [
    operation({
      id: 'list_unmatched_result_test_cases',
      method: 'GET',
      path: '/v3/unmatched_result_test/case',
      tag,
      summary: 'Lists the cases that a test can bring about.',
      answers: { 200: { description: 'The cases.', schema: z.object({ data: z.array(caseSchema) }) } },
      handle: () => ({
        status: 200,
        body: {
          data: testCases.map((test) => {
            const { roles, constraints } = cases[test];
            return {
              case: test,
              order_roles: Object.keys(roles),
              required_statuses: roles as Record<string, (typeof lowLevels)[number]>,
              lab_constraints: [...constraints],
            } satisfies z.input<typeof caseSchema>;
          }),
        },
      }),
    }),
    operation({
      id: 'create_unmatched_result_test',
      method: 'POST',
      path: '/v3/unmatched_result_test',
      tag,
      summary: 'Begins a test that makes an unmatched result.',
      headers: idempotencyHeaders.extend({ 'x-idempotency-key': key.unwrap().describe(key.description!) }),
      body: newRunSchema,
      answers: {
        202: { description: 'The test begins.', schema: z.object({ run_id: z.uuid(), status: z.enum(runStatuses) }) },
        400: problem('The orders or lab tests do not fit the case.'),
        404: problem('The team has no such order, or there is no such lab test.'),
        409: problem('The idempotency key was used for another request.'),
      },
      handle: ({ team: { team_id }, headers, body }) =>
        idempotent.answer({ team: team_id, operation: 'create_unmatched_result_test', headers, asked: body }, () => {
          const run = runs.start(team_id, body);
          if ('refused' in run) return { answer: run.refused, user: null };
          return { answer: { status: 202, body: { run_id: run.run_id, status: run.status } }, user: null };
        }),
    }),
    operation({
      id: 'get_unmatched_result_test',
      method: 'GET',
      path: '/v3/unmatched_result_test/{run_id}',
      tag,
      summary: 'Returns how far a test is.',
      params: z.object({ run_id: uuidSchema }),
      answers: {
        200: { description: 'The test.', schema: runSchema },
        404: { description: 'The team has no such test.', schema: detailSchema, example: NO_RUN.body },
      },
      handle: ({ team, params: { run_id } }) => {
        const run = runs.find(team.team_id, run_id);
        return run === undefined ? NO_RUN : { status: 200, body: runForm(run, runs.ordersOf(run)) };
      },
    }),
  ];
}

function runForm(run: RunRow, orders: Readonly<Record<string, OrderRow>>): z.input<typeof runSchema> {
  const { run_id, status, stage, order_source, result_status, raw_result_id, error_code, error_message } = run;
  const time = (at: number | null) => (at === null ? null : instant(at));
  return {
    run_id,
    status,
    stage,
    case: run.test_case,
    order_source,
    result_status,
    raw_result_id,
    orders: Object.fromEntries(
      Object.entries(orders).map(([role, { order_id, user_id, transaction_id: order_transaction_id }]) => [
        role,
        { order_id, user_id, order_transaction_id },
      ]),
    ),
    error: error_code === null ? null : { code: error_code, message: error_message ?? '' },
    created_at: instant(run.created_at),
    updated_at: instant(run.updated_at),
    started_at: time(run.started_at),
    completed_at: time(run.completed_at),
  };
}
