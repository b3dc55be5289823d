import { BigQuery, type BigQueryOptions } from '@google-cloud/bigquery';

/** An expiry date so far in the future that the client never requests a new token. */
const NEVER = Date.now() + 1e12;

/**
 * Returns the official client for a server on this machine. It gets a dummy token, because without a token it would first look
 * for Google's metadata server.
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
