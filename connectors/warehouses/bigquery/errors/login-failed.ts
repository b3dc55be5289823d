import { CallFailed } from './call-failed.ts';
import { reasonOfStatus } from './reasons.ts';

/** What the library of credentials throws, as far as it is looked at: of a request it has the request, and where it was answered the status. */
interface Thrown {
  readonly status?: unknown;
  readonly config?: unknown;
  readonly name?: unknown;
}

/**
 * Why there are no credentials to ask with. All of it came before any call to BigQuery, so it says nothing of the dataset:
 * the place where credentials come from has statuses of its own (404: a machine without a service account).
 *
 * @param named whether a file was named, by `key_file` or by GOOGLE_APPLICATION_CREDENTIALS
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
