/**
 * What is done about an error of BigQuery.
 *
 * - `again`: tried again soon, with growing pauses, until the step's patience ends.
 * - `later`: a limit of the service. Tried again after long pauses, as long as the step's patience lasts.
 * - `setup`: somebody has to change something. Said at once, never tried again.
 * - `bug`: what was sent is wrong, and would be the next time.
 * - `exists`: it is there already. The caller looks at what is there.
 * - `missing`: it is not there. The caller knows what that means; of a job that was just made it is tried again.
 * - `conflict`: somebody else changed the same rows or metadata meanwhile. Tried again soon.
 * - `cap`: it would have cost more than it may.
 * - `split`: it asks for too much at once. The caller does less at once; where it cannot, somebody has to.
 */
export type Action = 'again' | 'later' | 'setup' | 'bug' | 'exists' | 'missing' | 'conflict' | 'cap' | 'split';

interface Reason {
  readonly action: Action;
  /** HTTP statuses with which it comes; of a job that failed there is none. */
  readonly status: readonly number[];
  /** What happened, for people. */
  readonly words: string;
}

/**
 * Every reason that BigQuery documents (cloud.google.com/bigquery/docs/error-messages, and those of Google's APIs in
 * general that it answers with), and those of connections, which have no answer.
 */
export const reasons = {
  // Tried again.
  backendError: { action: 'again', status: [500, 502, 503, 504], words: 'the service failed for a moment' },
  internalError: { action: 'again', status: [500], words: 'the service failed' },
  jobBackendError: { action: 'again', status: [400], words: 'the service failed during the job' },
  jobInternalError: { action: 'again', status: [400], words: 'the service failed during the job' },
  backendUnavailable: { action: 'again', status: [503], words: 'the service is not available' },
  tableUnavailable: { action: 'again', status: [400], words: 'the table is not available for a moment' },
  timeout: { action: 'again', status: [400, 408, 504], words: 'the job took too long' },
  jobTimeout: { action: 'again', status: [400], words: 'the job took too long' },
  stopped: { action: 'again', status: [200], words: 'the job was stopped by somebody' },
  resourceInUse: { action: 'again', status: [400], words: 'what it needs is in use' },
  conflict: { action: 'conflict', status: [409], words: 'somebody changed the same at that moment' },
  transactionFailed: { action: 'conflict', status: [], words: 'a transaction was aborted' },
  conditionNotMet: { action: 'conflict', status: [412], words: 'somebody changed the same meanwhile' },
  // Limits.
  rateLimitExceeded: { action: 'later', status: [403, 429], words: 'too much in a short time' },
  userRateLimitExceeded: { action: 'later', status: [403, 429], words: 'too many calls in a short time' },
  jobRateLimitExceeded: { action: 'later', status: [400], words: 'too many jobs in a short time' },
  quotaExceeded: { action: 'later', status: [403], words: 'a quota is used up' },
  dailyLimitExceeded: { action: 'later', status: [403], words: 'a quota of the day is used up' },
  concurrentLimitExceeded: { action: 'later', status: [403], words: 'too many at once' },
  // Somebody has to do something.
  accessDenied: { action: 'setup', status: [403], words: 'access was denied' },
  forbidden: { action: 'setup', status: [403], words: 'access was denied' },
  insufficientPermissions: { action: 'setup', status: [403], words: 'the credentials lack a scope' },
  accessNotConfigured: { action: 'setup', status: [403], words: 'BigQuery is not enabled in the project' },
  authError: { action: 'setup', status: [401], words: 'the credentials were refused' },
  required: { action: 'setup', status: [401], words: 'there are no credentials' },
  invalidUser: { action: 'setup', status: [400], words: 'this account may not run jobs' },
  billingNotEnabled: { action: 'setup', status: [403], words: 'the project has no billing' },
  billingTierLimitExceeded: { action: 'setup', status: [400], words: 'the query goes beyond the billing tier of the project' },
  blocked: { action: 'setup', status: [403], words: 'the service has blocked these operations for the project' },
  proxyAuthenticationRequired: { action: 'setup', status: [407], words: 'a proxy on the way asks for credentials' },
  // Looked at by the caller.
  duplicate: { action: 'exists', status: [409], words: 'it is there already' },
  notFound: { action: 'missing', status: [404], words: 'it is not there' },
  bytesBilledLimitExceeded: { action: 'cap', status: [400], words: 'it would have cost more than it may' },
  resourcesExceeded: { action: 'split', status: [400], words: 'the statement asks for too many resources' },
  // What was sent is wrong.
  attributeError: { action: 'bug', status: [400], words: 'the job was not accepted' },
  badRequest: { action: 'bug', status: [400], words: 'the call was not understood' },
  invalid: { action: 'bug', status: [400], words: 'something in it is not valid' },
  invalidParameter: { action: 'bug', status: [400], words: 'a parameter is not valid' },
  parseError: { action: 'bug', status: [400], words: 'the call was not understood' },
  invalidQuery: { action: 'bug', status: [400], words: 'the statement is not valid' },
  notImplemented: { action: 'bug', status: [501], words: 'the service does not do that' },
  responseTooLarge: { action: 'bug', status: [403], words: 'the answer is too large' },
  uploadTooLarge: { action: 'bug', status: [413], words: 'the upload is too large' },
  // Of connections.
  unreachable: { action: 'again', status: [], words: 'there was no connection' },
  unanswered: { action: 'again', status: [], words: 'there was no answer in time' },
  garbled: { action: 'again', status: [], words: 'the answer was cut, or no JSON' },
  keyFile: {
    action: 'setup',
    status: [],
    words: 'the file that `key_file` or GOOGLE_APPLICATION_CREDENTIALS names cannot be read, or holds no credentials',
  },
  noCredentials: { action: 'setup', status: [], words: 'there are no credentials' },
} as const satisfies Record<string, Reason>;

export type KnownReason = keyof typeof reasons;

/** A reason that nobody has documented is tried again so often; then it counts as `setup`. */
export const UNKNOWN_TRIES = 5;

export function isKnown(reason: string): reason is KnownReason {
  return Object.hasOwn(reasons, reason);
}

/** What is done about a reason, after so many tries. */
export function actionFor(reason: string, tries: number): Action {
  // The service does not say whether another transaction has aborted it. If so, it succeeds some time.
  if (reason === 'transactionFailed' && tries >= UNKNOWN_TRIES) return 'bug';
  if (isKnown(reason)) return reasons[reason].action;
  return tries < UNKNOWN_TRIES ? 'again' : 'setup';
}

/** The reason of an answer that names none, by its HTTP status. */
export function reasonOfStatus(status: number): string {
  switch (status) {
    case 401:
      return 'authError';
    case 403:
      return 'forbidden';
    case 404:
      return 'notFound';
    case 407:
      return 'proxyAuthenticationRequired';
    case 408:
      return 'timeout';
    case 409:
      return 'duplicate';
    case 412:
      return 'conditionNotMet';
    case 413:
      return 'uploadTooLarge';
    case 429:
      return 'rateLimitExceeded';
    case 500:
      return 'internalError';
    case 501:
      return 'notImplemented';
    default:
      return status > 501 ? 'backendError' : status >= 400 ? 'badRequest' : 'garbled';
  }
}
