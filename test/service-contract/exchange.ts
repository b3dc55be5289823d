import type { Service } from '@aorta/service';

export type Operation = Service['operations'][number];

/** A request to the service, and its answer. */
export interface Exchange {
  /** The operation that answered. */
  readonly operation: Operation;
  readonly status: number;
  /** The parsed JSON; undefined if the answer has no body, or another one than JSON. */
  readonly body: unknown;
}

/** Returns the name of an operation in the OpenAPI file, such as `GET /v2/user`. */
export const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`;

/** Returns the operation that a request calls. If several paths match, it is the one with the fewest parameters. */
export function operationOf(operations: readonly Operation[], method: string, url: string): Operation | undefined {
  const path = new URL(url).pathname.replace(/(?<=.)\/$/, '');
  return operations
    .filter((operation) => operation.method === method && matcher(operation).test(path))
    .sort((a, b) => parameters(a) - parameters(b))[0];
}

const matcher = ({ path }: Operation): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const parameters = ({ path }: Operation): number => path.split('{').length;

/** Returns a `fetch` that remembers exchanges. Throws if a request calls no operation of the service. */
export function recording(operations: readonly Operation[], exchanges: Exchange[]): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const operation = operationOf(operations, request.method, request.url);
    if (operation === undefined) throw new Error(`The service has no operation for ${request.method} ${request.url}.`);
    const answer = await fetch(request);
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    exchanges.push({ operation, status: answer.status, body: isJson ? await answer.clone().json() : undefined });
    return answer;
  };
}
