import { isAortaError } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { CallFailed, failureOf, failureOfAnswer } from './call-failed.ts';
import { failureOfLogin } from './login-failed.ts';
import { type Patience, pauseAfter, persist, type Surroundings } from './persisting.ts';
import { actionFor, reasons, UNKNOWN_TRIES } from './reasons.ts';

/** What the service documents; a reason that is taken out of the table by mistake is missed here. */
const documented =
  `accessDenied attributeError backendError badRequest billingNotEnabled billingTierLimitExceeded blocked duplicate
internalError invalid invalidQuery invalidUser jobBackendError jobInternalError jobRateLimitExceeded notFound notImplemented
proxyAuthenticationRequired quotaExceeded rateLimitExceeded resourceInUse resourcesExceeded responseTooLarge stopped tableUnavailable
timeout`.split(/\s+/);

const patience: Patience = { forMs: 60_000, pauseMs: 100, mostMs: 5_000, limitMs: 1_000 };

/** A clock that sleeping puts forward. */
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

test('every documented reason has a class', () => {
  expect(documented.filter((reason) => !Object.hasOwn(reasons, reason))).toEqual([]);
});

test('a reason that nobody knows is tried again, and not for ever', () => {
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
])('%s is told by its reason, not by its status alone', (thrown, action) => {
  expect(actionFor(failureOf(thrown).reason, 1)).toBe(action);
});

test('a conflict is recognised by a reason, else by the state of the job, and last by the message', () => {
  const unknown = { reason: 'invalidQuery', message: 'Query error: something new at [9:1]' };
  const reasonOf = (...facts: Parameters<typeof failureOfAnswer>): string => failureOfAnswer(...facts).reason;
  expect(reasonOf({ reason: 'conflict', message: '' }, 409)).toBe('conflict');
  expect(reasonOf({ status: 'ABORTED', message: '' }, 409)).toBe('conflict');
  expect(reasonOf({ status: 'ALREADY_EXISTS', message: '' }, 409)).toBe('duplicate');
  expect(reasonOf(unknown, undefined, { inTransaction: true })).toBe('transactionFailed');
  expect(reasonOf(unknown, undefined, { inTransaction: false })).toBe('invalidQuery');
  // A statement that is plainly wrong is no conflict, wherever it stands.
  const wrong = { reason: 'invalidQuery', message: 'Query error: Unrecognized name: nope at [4:2]' };
  expect(reasonOf(wrong, undefined, { inTransaction: true })).toBe('invalidQuery');
  const said = { reason: 'invalidQuery', message: 'Transaction is aborted due to concurrent update against table p:d.t' };
  expect(reasonOf(said)).toBe('conflict');
});

test('a transaction that fails every time counts as refused after a bound', () => {
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
])('%s with “%s” asks for too much at once', (reason, message) => {
  expect(actionFor(failureOfAnswer({ reason, message }, 400).reason, 1)).toBe('split');
});

test.each([
  ['nobody gives any', new Error('Could not load the default credentials. Browse to …'), 'noCredentials'],
  ['a machine of Google’s without an account', Object.assign(new Error('x'), { status: 404, config: {} }), 'noCredentials'],
  ['a key that was withdrawn', Object.assign(new Error('invalid_grant'), { status: 400, config: {} }), 'authError'],
  ['an account that may not be taken on', Object.assign(new Error('x'), { status: 403, config: {} }), 'authError'],
  ['who gives them fails', Object.assign(new Error('x'), { status: 503, config: {} }), 'backendError'],
  ['who gives them has had enough', Object.assign(new Error('x'), { status: 429, config: {} }), 'rateLimitExceeded'],
  ['who gives them is not reached', Object.assign(new Error('x'), { code: 'ENOTFOUND', config: {} }), 'unreachable'],
  ['who gives them does not answer', Object.assign(new Error('x'), { name: 'TimeoutError' }), 'unanswered'],
])('credentials, where %s', (_, thrown, reason) => {
  expect(failureOfLogin(thrown, { named: false }).reason).toBe(reason);
});

test('a file that was named and gives no credentials is what is wrong', () => {
  expect(failureOfLogin(new Error('ENOENT'), { named: true }).reason).toBe('keyFile');
});

test('nothing of a message is kept but the name of a permission', () => {
  const message = 'Access Denied: Table p:d.user_9f3: Permission bigquery.tables.create denied on table p:d.user_9f3';
  const failure = failureOfAnswer({ reason: 'accessDenied', message }, 403);
  expect(failure.permission).toBe('bigquery.tables.create');
  expect(`${failure.message} ${JSON.stringify(failure)} ${failure.stack}`).not.toContain('9f3');
});

test('tries again with growing pauses, and gives what comes in the end', async () => {
  const surroundings = virtual();
  let tries = 0;
  const work = async (): Promise<string> => {
    if (++tries < 4) throw answer(503, 'backendError');
    return 'done';
  };
  expect(await persist('a step', work, { patience, surroundings })).toBe('done');
  expect(surroundings.slept).toEqual([75, 150, 300]);
});

test('gives up when its patience ends, as somebody who may be asked again later', async () => {
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
])('%s is said at once, with a code of its own', async (reason, status, code) => {
  const surroundings = virtual();
  const failed = persist('a step', () => Promise.reject(answer(status, reason)), { patience, surroundings });
  await expect(failed).rejects.toSatisfy((error) => isAortaError(error) && error.code === code);
  expect(surroundings.slept).toEqual([]);
});

test('an unknown reason ends after a bound, and names itself', async () => {
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

test('what the caller sees to is thrown as it is', async () => {
  const surroundings = virtual();
  const failed = persist('a step', () => Promise.reject(answer(409, 'duplicate')), {
    patience,
    surroundings,
    except: ['exists'],
  });
  await expect(failed).rejects.toBeInstanceOf(CallFailed);
});

test('pauses have a jitter of half of them, and an end', () => {
  expect(pauseAfter('again', 0, patience, () => 0)).toBe(50);
  expect(pauseAfter('again', 0, patience, () => 1)).toBe(100);
  expect(pauseAfter('again', 50, patience, () => 1)).toBe(5_000);
  expect(pauseAfter('later', 0, patience, () => 1)).toBe(1_000);
});
