import { z } from 'zod';
import { uuidSchema } from '../api/parameters.ts';
import { ControlError, type ControlOperation, controlOperation } from '../control/control-server.ts';
import type { Users } from '../users/users.ts';
import { outcomeSchema } from './outcome.ts';
import type { ParsingJobs } from './parsing-jobs.ts';

/** The control operation that decides how the next parsing job of a user ends. */
export function reportControl(users: Users, jobs: ParsingJobs): ControlOperation {
  return controlOperation({
    method: 'POST',
    path: '/reports/script',
    summary: 'Decides how the next parsing job of a user ends, whatever its files are.',
    body: z.strictObject({ user_id: uuidSchema, outcome: outcomeSchema }),
    handle: ({ user_id, outcome }) => {
      if (users.any(user_id) === undefined) throw new ControlError(404, 'There is no such user.');
      jobs.script(user_id, outcome);
      return { user_id, outcome };
    },
  });
}
