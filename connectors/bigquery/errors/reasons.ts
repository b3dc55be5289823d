/**
 * What to do about an error from BigQuery.
 *
 * - `again`: retry soon, with growing pauses, until the step's time limit for retries is reached.
 * - `later`: a rate limit or quota; retry after long pauses until the step's time limit for retries is reached.
 * - `setup`: the operator must change something; reported at once and never retried.
 * - `bug`: the request is wrong and would be wrong again.
 * - `exists`: the object already exists; the caller inspects it.
 * - `missing`: the object does not exist; the caller handles it, and retries if it just created the object.
 * - `conflict`: the same rows or metadata were changed concurrently; retry soon.
 * - `cap`: the request would cost more than allowed.
 * - `split`: the request needs too many resources; the caller splits it, or the operator must act.
 */
export type Action = 'again' | 'later' | 'setup' | 'bug' | 'exists' | 'missing' | 'conflict' | 'cap' | 'split';

interface Reason {
  readonly action: Action;
  /** HTTP statuses that can accompany this reason; empty if it occurs only in failed jobs or without a response. */
  readonly status: readonly number[];
  readonly words: string;
}

/**
 * Reasons from BigQuery's documentation (cloud.google.com/bigquery/docs/error-messages) and from other Google APIs, and
 * Aorta's own reasons for failed connections and missing credentials.
 */
export const reasons = {
  backendError: { action: 'again', status: [500, 502, 503, 504], words: 'a temporary failure of BigQuery' },
  internalError: { action: 'again', status: [500], words: 'a failure of BigQuery' },
  jobBackendError: { action: 'again', status: [400], words: 'a failure of BigQuery during the job' },
  jobInternalError: { action: 'again', status: [400], words: 'a failure of BigQuery during the job' },
  backendUnavailable: { action: 'again', status: [503], words: 'BigQuery is not available' },
  tableUnavailable: { action: 'again', status: [400], words: 'the table is temporarily unavailable' },
  timeout: { action: 'again', status: [400, 408, 504], words: 'the job took too long' },
  jobTimeout: { action: 'again', status: [400], words: 'the job took too long' },
  stopped: { action: 'again', status: [200], words: 'the job was cancelled' },
  resourceInUse: { action: 'again', status: [400], words: 'a resource is in use' },
  conflict: { action: 'conflict', status: [409], words: 'a concurrent change' },
  transactionFailed: { action: 'conflict', status: [], words: 'a transaction was aborted' },
  conditionNotMet: { action: 'conflict', status: [412], words: 'a concurrent change' },
  rateLimitExceeded: { action: 'later', status: [403, 429], words: 'too many requests in a short time' },
  userRateLimitExceeded: { action: 'later', status: [403, 429], words: 'too many calls in a short time' },
  jobRateLimitExceeded: { action: 'later', status: [400], words: 'too many jobs in a short time' },
  quotaExceeded: { action: 'later', status: [403], words: 'a quota is used up' },
  dailyLimitExceeded: { action: 'later', status: [403], words: 'a daily quota is used up' },
  concurrentLimitExceeded: { action: 'later', status: [403], words: 'too many concurrent requests' },
  accessDenied: { action: 'setup', status: [403], words: 'access was denied' },
  forbidden: { action: 'setup', status: [403], words: 'access was denied' },
  insufficientPermissions: { action: 'setup', status: [403], words: 'the credentials lack a scope' },
  accessNotConfigured: { action: 'setup', status: [403], words: 'BigQuery is not enabled in the project' },
  authError: { action: 'setup', status: [401], words: 'the credentials were refused' },
  required: { action: 'setup', status: [401], words: 'there are no credentials' },
  invalidUser: { action: 'setup', status: [400], words: 'this account may not run jobs' },
  billingNotEnabled: { action: 'setup', status: [403], words: 'the project has no billing' },
  billingTierLimitExceeded: { action: 'setup', status: [400], words: 'the query exceeds the billing tier of the project' },
  blocked: { action: 'setup', status: [403], words: 'BigQuery has blocked these operations for the project' },
  proxyAuthenticationRequired: { action: 'setup', status: [407], words: 'a proxy requires credentials' },
  duplicate: { action: 'exists', status: [409], words: 'it already exists' },
  notFound: { action: 'missing', status: [404], words: 'it does not exist' },
  bytesBilledLimitExceeded: { action: 'cap', status: [400], words: 'it would cost more than allowed' },
  resourcesExceeded: { action: 'split', status: [400], words: 'the statement needs too many resources' },
  attributeError: { action: 'bug', status: [400], words: 'the job was not accepted' },
  badRequest: { action: 'bug', status: [400], words: 'the request is malformed' },
  invalid: { action: 'bug', status: [400], words: 'a value is not valid' },
  invalidParameter: { action: 'bug', status: [400], words: 'a parameter is not valid' },
  parseError: { action: 'bug', status: [400], words: 'the request is malformed' },
  invalidQuery: { action: 'bug', status: [400], words: 'the statement is not valid' },
  notImplemented: { action: 'bug', status: [501], words: 'BigQuery does not support it' },
  responseTooLarge: { action: 'bug', status: [403], words: 'the response is too large' },
  uploadTooLarge: { action: 'bug', status: [413], words: 'the upload is too large' },
  // Aorta's own reasons, used if there is no usable response or there are no credentials.
  unreachable: { action: 'again', status: [], words: 'there was no connection' },
  unanswered: { action: 'again', status: [], words: 'there was no answer in time' },
  garbled: { action: 'again', status: [], words: 'the response is incomplete or not JSON' },
  keyFile: {
    action: 'setup',
    status: [],
    words: 'the file named by `key_file` or GOOGLE_APPLICATION_CREDENTIALS is unreadable or has no credentials',
  },
  noCredentials: { action: 'setup', status: [], words: 'there are no credentials' },
} as const satisfies Record<string, Reason>;

export type KnownReason = keyof typeof reasons;

/** Number of attempts before an error with an undocumented reason counts as `setup`. */
export const UNKNOWN_TRIES = 5;

export function isKnown(reason: string): reason is KnownReason {
  return Object.hasOwn(reasons, reason);
}

export function actionFor(reason: string, tries: number): Action {
  // BigQuery does not report whether another transaction aborted this one. If that was the cause, a retry eventually succeeds.
  if (reason === 'transactionFailed' && tries >= UNKNOWN_TRIES) return 'bug';
  if (isKnown(reason)) return reasons[reason].action;
  return tries < UNKNOWN_TRIES ? 'again' : 'setup';
}

/** Derives the reason from the HTTP status of a response that contains no reason. */
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
