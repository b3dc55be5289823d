import { startService } from '@aorta/service';
import { askJson, Control, type Json } from './control.ts';

/** A team of a service. */
export interface Team {
  /** Address of the API. */
  readonly url: string;
  readonly key: string;
  readonly control: Control;
}

/** A service in this process, with one team. */
export interface ServedTeam extends Team, AsyncDisposable {
  /** Returns the requests so far. */
  requests(): readonly { readonly target: string; readonly key_header: string | null }[];
  /** Returns the path and query of each request so far. */
  asked(): readonly string[];
}

/** Starts a service with a team. */
export async function serveTeam(options: Parameters<typeof startService>[0] = {}): Promise<ServedTeam> {
  const served = await startService(options);
  const requests = () => served.service.requests.after(0);
  return {
    ...(await addTeam(served.url, served.controlUrl)),
    requests,
    asked: () => requests().map(({ target }) => target),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

/** Adds a team to a running service. */
export async function addTeam(url: string, controlUrl: string): Promise<Team> {
  const control = new Control(controlUrl);
  return { url, control, key: String((await control.ask('/teams', { name: 'first' })).api_key) };
}

/** Calls an operation of the API, which must succeed. With a body, the method is POST. */
export function call<T extends object = Json>({ url, key }: Team, path: string, body?: object): Promise<T> {
  return askJson(`${url}${path}`, { body, key }) as Promise<T>;
}

/** Creates a user, and returns the id. */
export async function addUser(team: Team, clientUserId: string): Promise<string> {
  return String((await call(team, '/v2/user', { client_user_id: clientUserId })).user_id);
}

/** Deletes a user. The deletion can be undone for 7 days of the service's clock. */
export async function deleteUser({ url, key }: Team, userId: string): Promise<void> {
  await askJson(`${url}/v2/user/${userId}`, { key, method: 'DELETE' });
}

/** Connects a user to a provider that has no generated data. */
export async function connect({ control }: Team, userId: string, provider: string): Promise<void> {
  await control.ask('/connections', { user_id: userId, provider, is_generated: false });
}
