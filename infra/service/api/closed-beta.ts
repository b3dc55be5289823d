import { hasCome } from '../versions/changes.ts';
import { type SentAnswer, sentAnswer } from './sent-answer.ts';

const CLOSED_BETA = 'This endpoint is in closed beta, and your team is not enabled for it';

/** Returns the answer to a team that is not enabled for an operation in closed beta, at a date of the interface (ms since 1970). */
export const closedBetaAnswer = (at: number): SentAnswer =>
  sentAnswer(403, hasCome('closed betas in JSON', at) ? { detail: CLOSED_BETA } : CLOSED_BETA);
