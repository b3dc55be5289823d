import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '@aorta/runtime';
import type { BigQuery } from '@google-cloud/bigquery';
import { failureOfLogin } from '../errors/login-failed.ts';

type Auth = BigQuery['authClient'];

/** Addresses of the metadata server on machines at Google, by IP address and by name. */
const METADATA_PLACES = ['169.254.169.254', 'metadata.google.internal.'];

/** Google's library has the same timeout. A machine that has just started may refuse the first requests. */
const METADATA_MS = 3_000;
const ASK_EVERY_MS = 200;

export interface CredentialsOptions {
  readonly auth: Auth;
  /** Key file of the configuration. Default: the machine's application default credentials. */
  readonly keyFile?: string | undefined;
  readonly deadlineMs: number;
}

/**
 * Finds the credentials for calls. The official client misbehaves in two cases: without credentials it sends requests anyway,
 * and it reports a network error if the metadata server does not answer. It also prints warnings, some of them about the
 * configured file.
 */
export class Credentials {
  readonly #options: CredentialsOptions;

  constructor(options: CredentialsOptions) {
    this.#options = options;
    // Used when no key file is configured. If METADATA_SERVER_DETECTION is set, the library's own check stays.
    if ((process.env.METADATA_SERVER_DETECTION ?? '') === '') options.auth._checkIsGCE = metadataAnswers;
  }

  /** Returns the headers for a call. Rejects with `CallFailed`; the reasons `noCredentials`, `keyFile` and `authError` need the operator. */
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

/** Whether this machine is at Google: whether a metadata server answers, at GCE_METADATA_HOST or at the usual addresses. */
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
