import { BigQuery, type BigQueryOptions } from '@google-cloud/bigquery';

/** An expiry date that is so late that the client never requests a new token. */
const NEVER = Date.now() + 1e12;

/**
 * Returns the official client for a server on this machine. It has a meaningless token, because without a token the client would first
 * look for Google's metadata server.
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
