import { CallFailed } from './call-failed.ts';
import { reasonOfStatus } from './reasons.ts';

/** Members of errors thrown by the credentials library. `config` is present for HTTP requests, `status` if there was a response. */
interface Thrown {
  readonly status?: unknown;
  readonly config?: unknown;
  readonly name?: unknown;
}

/**
 * Converts a login error to a `CallFailed`. Login errors occur before any call to BigQuery, so they do not concern the dataset.
 * HTTP statuses have a different meaning here: 404 means that the machine has no service account.
 *
 * @param named whether `key_file` or GOOGLE_APPLICATION_CREDENTIALS names a file
 */
export function failureOfLogin(thrown: unknown, { named }: { readonly named: boolean }): CallFailed {
  const { status, config, name } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Thrown;
  if (name === 'TimeoutError') return new CallFailed('unanswered');
  if (typeof status === 'number') {
    if (status >= 500 || status === 408 || status === 429) return new CallFailed(reasonOfStatus(status), { status });
    return new CallFailed(status === 404 ? 'noCredentials' : 'authError', { status });
  }
  if (config !== undefined) return new CallFailed('unreachable');
  return new CallFailed(named ? 'keyFile' : 'noCredentials');
}
