import { problem } from '../api/errors.ts';
import type { Answer, AnswerForm } from '../api/operation.ts';

/** Ends an operation of the management API with an answer. A handler throws it before, or within, its transaction. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, detail: string) {
    super(detail);
    this.answer = { status, body: { detail } };
  }
}

export const NO_SCALE =
  'The management API and ETL pipelines need the Scale plan. The plan of this organization does not have them.';
export const OTHER_ORGANIZATION = 'The management key is of another organization';
export const ORGANIZATION_ONLY = 'This needs the management key of an organization. The key of teams cannot use it.';
export const OTHER_TEAM = 'The management key does not control this team';
export const NO_TEAM = 'Team not found';
export const OTHER_REGION = 'The team is in another region';
export const NO_PRODUCTION = 'The team has no production environment. This service has the sandbox environment only.';

/** The answers that every operation of the management API can give. */
export const refusals: Readonly<Record<number, AnswerForm>> = {
  403: problem('The key may not do this, or the plan of the organization does not have it.'),
};
