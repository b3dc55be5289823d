import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '@aorta/runtime';
import type { BigQuery } from '@google-cloud/bigquery';
import { CallFailed } from '../errors/call-failed.ts';
import { reasonOfStatus } from '../errors/reasons.ts';

type Auth = BigQuery['authClient'];

/** Hosts of the metadata server on Google Cloud machines: its IP address and its name. */
const METADATA_PLACES = ['169.254.169.254', 'metadata.google.internal.'];

/** Same timeout as in Google's library. On a machine that has just started, the metadata server may refuse the first requests. */
const METADATA_MS = 3_000;
const ASK_EVERY_MS = 200;

export interface CredentialsOptions {
  readonly auth: Auth;
  /** Configured key file. Default: the machine's application default credentials. */
  readonly keyFile?: string | undefined;
  readonly deadlineMs: number;
}

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

/**
 * Finds the credentials for calls before the official client looks for them. Without credentials, the official client would
 * send requests anyway and report a network error if the metadata server does not answer. It also prints warnings, for example
 * about the configured file.
 */
export class Credentials {
  readonly #options: CredentialsOptions;

  constructor(options: CredentialsOptions) {
    this.#options = options;
    // Replaces the library's check for a metadata server, unless METADATA_SERVER_DETECTION configures that check.
    if ((process.env.METADATA_SERVER_DETECTION ?? '') === '') options.auth._checkIsGCE = metadataAnswers;
  }

  /**
   * Returns the headers for a call. Rejects with `CallFailed`. The reasons `noCredentials`, `keyFile` and `authError` mean
   * that the operator must act.
   */
  async headers(url: string): Promise<Headers> {
    const { keyFile, deadlineMs } = this.#options;
    try {
      return new Headers(await within(deadlineMs, this.#headers(url)));
    } catch (error) {
      throw failureOfLogin(error, { named: Boolean(keyFile ?? process.env.GOOGLE_APPLICATION_CREDENTIALS) });
    }
  }

  async #headers(url: string): Promise<Headers> {
    const { auth, keyFile } = this.#options;
    if (keyFile !== undefined && auth.cachedCredential === null) await auth._getApplicationCredentialsFromFilePath(keyFile);
    return auth.getRequestHeaders(url);
  }
}

/** Whether this machine runs on Google Cloud, where a metadata server answers at GCE_METADATA_HOST or at the default hosts. */
async function metadataAnswers(): Promise<boolean> {
  const named = process.env.GCE_METADATA_IP || process.env.GCE_METADATA_HOST;
  const signal = AbortSignal.timeout(METADATA_MS);
  return Promise.any((named ? [named] : METADATA_PLACES).map((place) => answers(place, signal))).then(
    () => true,
    () => false,
  );
}

async function answers(place: string, signal: AbortSignal): Promise<void> {
  const url = `${/^https?:/.test(place) ? '' : 'http://'}${place}/computeMetadata/v1/instance/`;
  for (;;) {
    const answer = await fetch(url, { headers: { 'Metadata-Flavor': 'Google' }, signal }).catch(() => undefined);
    // A different server, usually a proxy, may answer at this address.
    if (answer?.headers.get('metadata-flavor') === 'Google') return;
    await sleep(ASK_EVERY_MS, undefined, { signal });
  }
}
