import { Service } from '@aorta/service';
import { JunctionClient } from '@junction-api/sdk';
import { type Exchange, recording } from './exchange.ts';

/** Virtual time of the service, which stands still. */
export const START = Date.UTC(2026, 0, 1, 12);

/** A running service with one team, and the vendor's SDK, which calls it. */
export interface World extends AsyncDisposable {
  readonly service: Service;
  readonly url: string;
  readonly team: string;
  readonly key: string;
  readonly sdk: JunctionClient;
  /** All requests through `sdk` and `fetch`, and their answers. */
  readonly exchanges: readonly Exchange[];
  /** Calls the service without the SDK, for requests that the SDK cannot send. */
  readonly fetch: typeof fetch;
}

export async function startWorld(): Promise<World> {
  const service = new Service({ start: START, runs: false });
  const { team_id: team, api_key: key } = service.teams.create('first');
  const served = await service.serve();
  const exchanges: Exchange[] = [];
  const recorded = recording(service.operations, exchanges);
  const sdk = new JunctionClient({ baseUrl: served.url, apiKey: key, maxRetries: 0, fetch: recorded });
  return {
    ...{ service, url: served.url, team, key, sdk, exchanges, fetch: recorded },
    async [Symbol.asyncDispose]() {
      await served.close();
      await service.close();
    },
  };
}

/** Creates a user with the SDK, and returns the id. */
export async function newUser({ sdk }: World, clientUserId = 'c-1'): Promise<string> {
  return (await sdk.user.create({ clientUserId })).userId;
}
