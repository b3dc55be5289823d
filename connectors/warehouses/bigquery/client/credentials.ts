import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '@aorta/runtime';
import type { BigQuery } from '@google-cloud/bigquery';
import { failureOfLogin } from '../errors/login-failed.ts';

type Auth = BigQuery['authClient'];

/** Where Google's machines tell who they are: by an address of their own network, and by its name. */
const METADATA_PLACES = ['169.254.169.254', 'metadata.google.internal.'];

/** Google's own library waits so long, too. A machine that has just begun may refuse the first times. */
const METADATA_MS = 3_000;
const ASK_EVERY_MS = 200;

export interface CredentialsOptions {
  /** The authentication of the official client, before it was used. */
  readonly auth: Auth;
  /** Key file by the configuration; default: what the machine has (application default credentials). */
  readonly keyFile?: string | undefined;
  readonly deadlineMs: number;
}

/**
 * Who asks. The official client would look for credentials by itself; but where there are none it asks without, and where
 * nobody answers to that it reports the network. It also prints warnings, some of them about the file that it was given.
 */
export class Credentials {
  readonly #options: CredentialsOptions;

  constructor(options: CredentialsOptions) {
    this.#options = options;
    // Called where no file names anybody. Where its own setting is used, the library is asked as it is.
    if ((process.env.METADATA_SERVER_DETECTION ?? '') === '') options.auth._checkIsGCE = metadataAnswers;
  }

  /** Headers for a call. Rejects with `CallFailed`: `noCredentials`, `keyFile` and `authError` need a person. */
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

/** Whether this is a machine of Google's: whether its metadata server answers, where GCE_METADATA_HOST says or where they are. */
async function metadataAnswers(): Promise<boolean> {
  const named = process.env.GCE_METADATA_IP || process.env.GCE_METADATA_HOST;
  const signal = AbortSignal.timeout(METADATA_MS);
  return Promise.any((named ? [named] : METADATA_PLACES).map((place) => answers(place, signal))).then(
    () => true,
    () => false,
  );
}

/** Resolves when a metadata server answers there; rejects when the signal ends it. */
async function answers(place: string, signal: AbortSignal): Promise<void> {
  const url = `${/^https?:/.test(place) ? '' : 'http://'}${place}/computeMetadata/v1/instance/`;
  for (;;) {
    const answer = await fetch(url, { headers: { 'Metadata-Flavor': 'Google' }, signal }).catch(() => undefined);
    // Somebody else may answer there, a proxy mostly.
    if (answer?.headers.get('metadata-flavor') === 'Google') return;
    await sleep(ASK_EVERY_MS, undefined, { signal });
  }
}
