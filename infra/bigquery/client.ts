import { BigQuery, type BigQueryOptions } from '@google-cloud/bigquery';

/** Long enough that nobody asks for another one. */
const NEVER = Date.now() + 1e12;

/**
 * The official client of a server on this machine. It logs in with a token that means nothing: without one it would look for
 * Google's metadata server first.
 */
export function localClient(apiEndpoint: string, projectId: string, options: BigQueryOptions = {}): BigQuery {
  const headers = { authorization: 'Bearer local' };
  const login = {
    credentials: { access_token: 'local', expiry_date: NEVER },
    getRequestHeaders: async () => new Headers(headers),
    getAccessToken: async () => ({ token: 'local' }),
  };
  return new BigQuery({ projectId, apiEndpoint, authClient: login as never, ...options });
}
