import { z } from 'zod';
import { problem } from '../api/errors.ts';
import { type Operation, operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { fileSchema } from '../api/request-body.ts';
import { ControlError, type ControlOperation, controlOperation } from '../control/control-server.ts';
import { notFound, UNKNOWN, type Users } from '../users/users.ts';
import { outcomeSchema } from './outcome.ts';
import type { ParsingJobs } from './parsing-jobs.ts';
import { parsingJobSchema } from './report-form.ts';

/**
 * Media types that a report may have. Some clients declare a type that tells nothing, or none, which is `text/plain`. Then the
 * content decides.
 */
const reportTypes = ['application/pdf', 'image/png', 'image/jpeg', 'image/jpg', 'application/octet-stream', 'text/plain', ''];

const reportSchema = fileSchema
  .refine(({ bytes }) => bytes.length > 0, 'the file is empty')
  .refine(({ type }) => reportTypes.includes(type.split(';', 1)[0]!.trim().toLowerCase()), 'the file must be a PDF, PNG or JPEG')
  .meta({ type: 'string', format: 'binary' });

const uploadSchema = z
  .object({
    file: z.array(reportSchema).min(1).describe('The pages of a report, in one file or several: PDF, PNG or JPEG.'),
    user_id: uuidSchema,
    needs_human_review: z
      .stringbool({ truthy: ['true'], falsy: ['false'] })
      .default(false)
      .meta({ type: 'boolean', description: 'Whether a person reviews the results. Default: false.' }),
  })
  .meta({ id: 'NewParsingJob' });

/** The operations on the jobs that parse lab reports. */
export function reportOperations(users: Users, jobs: ParsingJobs): Operation[] {
  const tag = 'lab_report';
  const theJob = { description: 'The job.', schema: parsingJobSchema };
  return [
    operation({
      id: 'create_lab_report_parser_job',
      method: 'POST',
      path: '/lab_report/v1/parser/job',
      tag,
      summary: 'Uploads a lab report, and starts a job that parses it.',
      multipart: true,
      body: uploadSchema,
      answers: { 200: theJob, 404: notFound },
      handle: ({ team, body: { file, user_id, needs_human_review } }) => {
        const user = users.find(team.team_id, user_id);
        if (user === undefined) return UNKNOWN;
        const files = file.map(({ bytes }) => bytes);
        return { status: 200, body: jobs.create(user, files, needs_human_review) };
      },
    }),
    operation({
      id: 'get_lab_report_parser_job',
      method: 'GET',
      path: '/lab_report/v1/parser/job/{job_id}',
      tag,
      summary: 'Returns a job that parses a lab report, with its results once it is completed.',
      params: z.object({ job_id: uuidSchema }),
      answers: { 200: theJob, 404: problem('The users of the team have no such job.') },
      handle: ({ team, params: { job_id } }) => {
        const job = jobs.find(team.team_id, job_id);
        return job === undefined ? { status: 404, body: { detail: 'Parsing job not found' } } : { status: 200, body: job };
      },
    }),
  ];
}

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
