import type { controlOperations, ServedService } from '@aorta/service';

export type ControlOperation = ReturnType<typeof controlOperations>[number];

/** Input of a request: members of its path, and those of its body or its query. */
type Input = Readonly<Record<string, unknown>>;

/** A request, as a client sends it. */
export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the request has no body. */
  readonly body: Input | undefined;
}

/** A request to the control port, and its answer. */
export interface ControlExample extends Sent {
  /** Such as `POST /teams/{team_id}/keys`. */
  readonly operation: string;
  readonly section: string;
  /** Empty if the operation has only one example. */
  readonly title: string;
  readonly input: Input;
  /** Requests to the two ports that must come before, but are not about the operation. */
  readonly before: readonly (Sent & { readonly port: Port })[];
  readonly status: number;
  readonly answer: unknown;
}

type Port = 'control port' | 'API';

// biome-ignore lint/suspicious/noExplicitAny: Each operation has another answer, and a wrong member fails the next request.
type Answer = any;

interface More {
  readonly title?: string;
  /** Default: 200. */
  readonly status?: number;
}

/** Sends the requests of the examples, and remembers them. A request that gets another status than expected throws. */
export interface Recorder {
  /** Begins a section of the page. */
  section(title: string): void;
  /** Sends the request of an example to the control port, such as `POST /teams/{team_id}/keys`. */
  control(operation: string, input?: Input, more?: More): Promise<Answer>;
  /** Sends a request to the control port that the next example needs. */
  prepare(operation: string, input?: Input): Promise<Answer>;
  /** Sends a request to the API that the next example needs, with the key of a team. */
  call(key: string, request: string, body?: Input): Promise<Answer>;
}

/** Returns a recorder for a service, with the list of examples that it fills. */
export function recorder({ url, controlUrl }: ServedService): Recorder & { readonly examples: readonly ControlExample[] } {
  const examples: ControlExample[] = [];
  let before: ControlExample['before'] = [];
  let section = '';

  const send = async (port: Port, sent: Sent, expected: number): Promise<Answer> => {
    const { method, target, headers, body } = sent;
    const answer = await fetch(`${port === 'API' ? url : controlUrl}${target}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.status !== expected)
      throw new Error(`${method} ${target}: status ${answer.status} instead of ${expected}: ${text}`);
    return JSON.parse(text);
  };
  const steer = (operation: string, input: Input): Sent => {
    const [method, path] = operation.split(' ') as [string, string];
    const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const rest = Object.entries(input).filter(([name]) => !inPath.has(name));
    const query = new URLSearchParams(
      method === 'GET' ? rest.map(([name, value]): [string, string] => [name, String(value)]) : [],
    );
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(input[name]));
    return {
      method,
      target: query.size === 0 ? target : `${target}?${query}`,
      headers: {},
      body: method === 'GET' || rest.length === 0 ? undefined : Object.fromEntries(rest),
    };
  };
  const first = async (port: Port, sent: Sent): Promise<Answer> => {
    before = [...before, { ...sent, port }];
    return await send(port, sent, 200);
  };

  return {
    examples,
    section: (title) => {
      section = title;
    },
    control: async (operation, input = {}, { title = '', status = 200 } = {}) => {
      const sent = steer(operation, input);
      const answer = await send('control port', sent, status);
      examples.push({ ...sent, operation, section, title, input, before, status, answer });
      before = [];
      return answer;
    },
    prepare: (operation, input = {}) => first('control port', steer(operation, input)),
    call: (key, request, body) => {
      const [method, target] = request.split(' ') as [string, string];
      return first('API', { method, target, headers: { 'x-service-api-key': key }, body });
    },
  };
}
