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
];
