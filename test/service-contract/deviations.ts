/** A difference between our answers and those that the vendor documents. */
export interface Deviation {
  /** Ids of operations; undefined if the difference may occur in every operation. */
  readonly operations?: readonly string[];
  readonly status: number;
  /** In the words of `deviationsOf`. */
  readonly difference: string;
  readonly reason: string;
}

const undocumented = 'the status is not documented';

/** All deliberate differences. */
export const deviations: readonly Deviation[] = [
  {
    status: 401,
    difference: undocumented,
    reason: 'The vendor documents the key that every operation needs, but no answer to a request without it.',
  },
  {
    status: 404,
    difference: undocumented,
    reason:
      'The vendor documents no answer about an unknown user or lab test. Its SDK has an error for status 404, with a text as `detail`.',
  },
  {
    status: 403,
    difference: undocumented,
    reason: 'A management key may be of another organization or of other teams, or the plan may lack the management API.',
  },
  {
    operations: ['create_team', 'update_team', 'update_management_key'],
    status: 400,
    difference: undocumented,
    reason: 'The brand lacks a part, or the key cannot have these teams. The vendor describes such rules in words only.',
  },
  {
    operations: ['upsert_team_etl_pipelines'],
    status: 400,
    difference: undocumented,
    reason: 'The service does not deliver to each destination of the vendor, and says so.',
  },
  {
    operations: ['create_user'],
    status: 400,
    difference: '/user_id: is not documented',
    reason: 'interface.md has the existing user at the top level. The vendor has it only under `detail`. We send both.',
  },
  {
    operations: ['create_user'],
    status: 400,
    difference: '/created_on: is not documented',
    reason: 'As `user_id`.',
  },
  {
    operations: ['patch_user', 'undo_delete_user'],
    status: 400,
    difference: undocumented,
    reason: 'Another user has the client user id. The vendor documents this answer only for the creation of a user.',
  },
  {
    operations: ['connect_demo_provider'],
    status: 400,
    difference: undocumented,
    reason: "The vendor's guide says that a user has either demo connections or real ones, but not what the answer is.",
  },
  {
    operations: ['list_markers_of_order_set'],
    status: 400,
    difference: undocumented,
    reason: 'The parts belong to several labs. The vendor documents only the answer to a set that can be ordered.',
  },
  {
    operations: [
      'create_order',
      'create_testkit_order',
      'register_testkit',
      'update_order',
      'cancel_order',
      'complete_draw',
      'import_order',
      'simulate_order',
      'resend_order_events',
    ],
    status: 400,
    difference: undocumented,
    reason: 'The order or the laboratory does not allow the request. The vendor describes such answers in words only.',
  },
  {
    operations: ['create_order'],
    status: 409,
    difference: undocumented,
    reason: 'The idempotency key was used for another request. The vendor does not say what the answer is.',
  },
  ...['/results/*/result_type: is not documented', '/results: must be object', '/results: must match a schema in anyOf'].map(
    (difference): Deviation => ({
      operations: ['get_order_result', 'get_order_transaction_result'],
      status: 200,
      difference,
      reason:
        'interface.md reads results by `result_type`. The vendor has `type`, and the results can be another object. We send both.',
    }),
  ),
  {
    operations: [
      ...['book', 'reschedule', 'cancel'].flatMap((verb) => [`${verb}_phlebotomy_appointment`, `${verb}_psc_appointment`]),
      'request_phlebotomy_appointment',
    ],
    status: 400,
    difference: undocumented,
    reason: 'The order or the slot does not allow the appointment. The vendor documents no answer for that.',
  },
  {
    operations: ['accept_unmatched_result', 'create_unmatched_result_test'],
    status: 400,
    difference: undocumented,
    reason: 'The order, the user or the lab test does not fit the result. The vendor documents no answer for this.',
  },
  {
    operations: ['accept_unmatched_result', 'resolve_unmatched_result'],
    status: 409,
    difference: undocumented,
    reason: 'The result does not wait for the team any more. The vendor documents no answer for this.',
  },
  {
    operations: ['create_unmatched_result_test'],
    status: 409,
    difference: undocumented,
    reason: 'The idempotency key was used for another request. The vendor documents no answer for this.',
  },
];
