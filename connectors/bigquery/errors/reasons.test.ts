import { isAortaError } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { failureOfLogin } from '../client/credentials.ts';
import { CallFailed, failureOf, failureOfAnswer } from './call-failed.ts';
import { actionFor, reasons, UNKNOWN_TRIES } from './reasons.ts';
import { type Patience, pauseAfter, persist, type Surroundings } from './retries.ts';

/** Lists the reasons that BigQuery documents, so that the test fails if `reasons` lacks one of them. */
const documented =
  `accessDenied attributeError backendError badRequest billingNotEnabled billingTierLimitExceeded blocked duplicate
internalError invalid invalidQuery invalidUser jobBackendError jobInternalError jobRateLimitExceeded notFound notImplemented
proxyAuthenticationRequired quotaExceeded rateLimitExceeded resourceInUse resourcesExceeded responseTooLarge stopped tableUnavailable
timeout`.split(/\s+/);

const patience: Patience = { forMs: 60_000, pauseMs: 100, mostMs: 5_000, limitMs: 1_000 };

function virtual(): Surroundings & { readonly slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    slept.push(milliseconds);
    now += milliseconds;
  };
  return { now: () => now, sleep, random: () => 0.5, slept };
}

const answer = (code: number | undefined, reason: string, message = '') =>
  Object.assign(new Error(message), { code, errors: [{ reason, message }] });

test('every documented reason has an error class', () => {
  expect(documented.filter((reason) => !Object.hasOwn(reasons, reason))).toEqual([]);
});

test('an unknown reason is retried only a few times', () => {
  expect(actionFor('somethingNew', 1)).toBe('again');
  expect(actionFor('somethingNew', UNKNOWN_TRIES)).toBe('setup');
});

test.each([
  [answer(403, 'rateLimitExceeded'), 'later'],
  [answer(403, 'quotaExceeded'), 'later'],
  [answer(403, 'accessDenied'), 'setup'],
  [answer(503, 'backendError'), 'again'],
  [answer(409, 'duplicate'), 'exists'],
  [answer(404, 'notFound'), 'missing'],
  [answer(400, 'invalidQuery', 'Syntax error: Unexpected identifier at [1:1]'), 'bug'],
  [answer(400, 'invalidQuery', 'Transaction is aborted due to concurrent update against table p:d.t'), 'conflict'],
  [answer(400, 'invalidQuery', 'Could not serialize access to table p:d.t due to concurrent update'), 'conflict'],
  [answer(400, 'bytesBilledLimitExceeded'), 'cap'],
  [Object.assign(new Error('x'), { code: 502 }), 'again'],
  [Object.assign(new Error('x'), { code: 429 }), 'later'],
  [Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'again'],
  [Object.assign(new Error('x'), { name: 'TimeoutError' }), 'again'],
])('%s is classified by its reason, not only by its status', (thrown, action) => {
  expect(actionFor(failureOf(thrown).reason, 1)).toBe(action);
});

test('a conflict is recognised by its reason, its message or the state of its job', () => {
  const unknown = { reason: 'invalidQuery', message: 'Query error: something new at [9:1]' };
  const reasonOf = (...facts: Parameters<typeof failureOfAnswer>): string => failureOfAnswer(...facts).reason;
  expect(reasonOf({ reason: 'conflict', message: '' }, 409)).toBe('conflict');
  expect(reasonOf({ status: 'ABORTED', message: '' }, 409)).toBe('conflict');
  expect(reasonOf({ status: 'ALREADY_EXISTS', message: '' }, 409)).toBe('duplicate');
  expect(reasonOf(unknown, undefined, { inTransaction: true })).toBe('transactionFailed');
  expect(reasonOf(unknown, undefined, { inTransaction: false })).toBe('invalidQuery');
  // A statement with a recognised error is not a conflict, even in a transaction.
  const wrong = { reason: 'invalidQuery', message: 'Query error: Unrecognized name: nope at [4:2]' };
  expect(reasonOf(wrong, undefined, { inTransaction: true })).toBe('invalidQuery');
  const said = { reason: 'invalidQuery', message: 'Transaction is aborted due to concurrent update against table p:d.t' };
  expect(reasonOf(said)).toBe('conflict');
});

test('a transaction that keeps failing counts as a bug after five attempts', () => {
  expect(actionFor('transactionFailed', 1)).toBe('conflict');
  expect(actionFor('transactionFailed', UNKNOWN_TRIES)).toBe('bug');
});

test.each([
  ['resourcesExceeded', 'Resources exceeded during query execution: The query could not be executed in the allotted memory.'],
  [
    'invalidQuery',
    'Resources exceeded during query execution: Not enough resources for query planning - too many subqueries or query is too complex.',
  ],
  ['invalid', 'The query is too large. The maximum standard SQL query length is 1024.00K characters, including comments.'],
  ['invalidQuery', 'Query exceeded resource limits. This query used 74811 CPU seconds but would charge only 30M Analysis bytes.'],
])('reason %s with message “%s” means that a statement needs too many resources', (reason, message) => {
  expect(actionFor(failureOfAnswer({ reason, message }, 400).reason, 1)).toBe('split');
});

test.each([
  ['no credentials exist', new Error('Could not load the default credentials. Browse to …'), 'noCredentials'],
  ['a Google Cloud machine has no service account', Object.assign(new Error('x'), { status: 404, config: {} }), 'noCredentials'],
  ['the key was revoked', Object.assign(new Error('invalid_grant'), { status: 400, config: {} }), 'authError'],
  ['the account must not be impersonated', Object.assign(new Error('x'), { status: 403, config: {} }), 'authError'],
  ['the token server fails', Object.assign(new Error('x'), { status: 503, config: {} }), 'backendError'],
  ['the token server limits its rate', Object.assign(new Error('x'), { status: 429, config: {} }), 'rateLimitExceeded'],
  ['the token server is unreachable', Object.assign(new Error('x'), { code: 'ENOTFOUND', config: {} }), 'unreachable'],
  ['the token server does not answer', Object.assign(new Error('x'), { name: 'TimeoutError' }), 'unanswered'],
])('the login fails with a specific reason if %s', (_, thrown, reason) => {
  expect(failureOfLogin(thrown, { named: false }).reason).toBe(reason);
});

test('if the configured key file cannot be read, the reason is keyFile', () => {
  expect(failureOfLogin(new Error('ENOENT'), { named: true }).reason).toBe('keyFile');
});

test('a failure keeps nothing from BigQuery’s message except the name of a permission', () => {
  const message = 'Access Denied: Table p:d.user_9f3: Permission bigquery.tables.create denied on table p:d.user_9f3';
  const failure = failureOfAnswer({ reason: 'accessDenied', message }, 403);
  expect(failure.permission).toBe('bigquery.tables.create');
  expect(`${failure.message} ${JSON.stringify(failure)} ${failure.stack}`).not.toContain('9f3');
});

test('a retriable call is repeated at increasing intervals and returns its result', async () => {
  const surroundings = virtual();
  let tries = 0;
  const work = async (): Promise<string> => {
    if (++tries < 4) throw answer(503, 'backendError');
    return 'done';
  };
  expect(await persist('a step', work, { patience, surroundings })).toBe('done');
  expect(surroundings.slept).toEqual([75, 150, 300]);
});

test('a retried call fails with a transient error when the time for retries runs out', async () => {
  const surroundings = virtual();
  const failed = persist('a step', () => Promise.reject(answer(503, 'backendError')), { patience, surroundings });
  await expect(failed).rejects.toMatchObject({ code: 'AORTA-BIGQUERY-UNAVAILABLE', class: 'transient' });
  expect(surroundings.now()).toBeLessThanOrEqual(patience.forMs);
  const limited = persist('a step', () => Promise.reject(answer(403, 'quotaExceeded')), { patience, surroundings });
  await expect(limited).rejects.toMatchObject({ code: 'AORTA-BIGQUERY-QUOTA', class: 'transient' });
});

test.each([
  ['accessDenied', 403, 'AORTA-BIGQUERY-FORBIDDEN'],
  ['noCredentials', undefined, 'AORTA-BIGQUERY-CREDENTIALS'],
  ['keyFile', undefined, 'AORTA-BIGQUERY-CREDENTIALS'],
  ['authError', 401, 'AORTA-BIGQUERY-CREDENTIALS'],
  ['accessNotConfigured', 403, 'AORTA-BIGQUERY-PROJECT'],
  ['billingNotEnabled', 403, 'AORTA-BIGQUERY-PROJECT'],
  ['notFound', 404, 'AORTA-BIGQUERY-MISSING'],
  ['bytesBilledLimitExceeded', 400, 'AORTA-BIGQUERY-CAP'],
  ['invalidQuery', 400, 'AORTA-BIGQUERY-REFUSED'],
])('a failure with reason %s is thrown at once with its own code', async (reason, status, code) => {
  const surroundings = virtual();
  const failed = persist('a step', () => Promise.reject(answer(status, reason)), { patience, surroundings });
  await expect(failed).rejects.toSatisfy((error) => isAortaError(error) && error.code === code);
  expect(surroundings.slept).toEqual([]);
});

test('a failure with an unknown reason is thrown after a limited number of attempts', async () => {
  const surroundings = virtual();
  let tries = 0;
  const failed = persist(
    'a step',
    () => {
      tries++;
      return Promise.reject(answer(400, 'somethingNew'));
    },
    { patience, surroundings },
  );
  await expect(failed).rejects.toMatchObject({ code: 'AORTA-BIGQUERY-FAILED' });
  expect(tries).toBe(UNKNOWN_TRIES);
});

test('a failure that the caller handles is thrown unchanged', async () => {
  const surroundings = virtual();
  const failed = persist('a step', () => Promise.reject(answer(409, 'duplicate')), {
    patience,
    surroundings,
    except: ['exists'],
  });
  await expect(failed).rejects.toBeInstanceOf(CallFailed);
});

test('pauses are bounded, and up to half of each pause is jitter', () => {
  expect(pauseAfter('again', 0, patience, () => 0)).toBe(50);
  expect(pauseAfter('again', 0, patience, () => 1)).toBe(100);
  expect(pauseAfter('again', 50, patience, () => 1)).toBe(5_000);
  expect(pauseAfter('later', 0, patience, () => 1)).toBe(1_000);
});
