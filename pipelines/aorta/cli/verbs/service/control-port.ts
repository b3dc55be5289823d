import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AortaError } from '@aorta/runtime';
import { ProgramError } from '../../../errors.ts';
import { parsedJson } from './json-input.ts';

/** Name of the environment variable that has the address of a control port. */
export const VARIABLE = 'AORTA_SERVICE_CONTROL_URL';
/** Default ports of `aorta service`. */
export const DEFAULT_PORT = 8090;
export const DEFAULT_CONTROL_PORT = 8091;

/** Number of wrong members that an error lists. */
const SHOWN = 3;

/** The control port of a running service. */
export interface ControlPort {
  /**
   * Sends a request and returns its answer. Rejects with AORTA-CONTROL-UNREACHABLE, with AORTA-CONTROL-ANSWER if another
   * server answers or the service fails, and with AORTA-CONTROL-REFUSED. `entry` names the part of the input that is sent.
   */
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body?: object, entry?: string): Promise<Answer>;
}

/** Returns the address of the control port: the option, the environment variable, or the default port of `aorta service`. */
export function controlAddress(given: string | undefined, variable: string | undefined): string {
  const fromVariable = variable === undefined || variable === '' ? undefined : variable;
  const address = given ?? fromVariable ?? `http://127.0.0.1:${DEFAULT_CONTROL_PORT}`;
  const url = URL.parse(address);
  if (url?.protocol === 'http:' && url.pathname === '/' && url.search === '') return url.origin;
  throw new ProgramError('AORTA-USAGE', {
    problem: `${given === undefined ? VARIABLE : '--control-url'} needs the address of a control port`,
    hint: `Give the address that \`aorta service\` prints, such as http://127.0.0.1:${DEFAULT_CONTROL_PORT}.`,
  });
}

interface Refused {
  /** Method and path, such as `POST /teams`. */
  readonly request: string;
  readonly status: number;
  /** Parsed body of the answer. */
  readonly said: unknown;
  /** Part of the input that was sent, such as `object 3 of 5`; undefined if the input has one part. */
  readonly entry: string | undefined;
  readonly command: string;
}

interface Detail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** Hints, selected by a word in the answer. They say how to list or create the missing object. */
const absent: readonly (readonly [RegExp, string])[] = [
  [
    /\ballowed_hosts\b/,
    'Start the service with `--allowed-hosts`, and the host of --control-url or of the proxy in front of it.',
  ],
  [/\bteam has no pipeline\b/i, 'Set one with `aorta service pipeline set`.'],
  [/\bdemo connections\b/i, 'Use a different user: a user has either real or demo connections.'],
  [/\bworking connection\b/i, 'Connect the provider with `aorta service connect`.'],
  [/\bresource\b/i, 'Choose a resource that the provider has, as `aorta service pulls list` shows them.'],
  [/\bteam of this seed\b/i, 'Choose a different seed, or restore an earlier state with `aorta service restore`.'],
  [
    /\bcannot go from\b/i,
    'A completed order can only be corrected. A failed or cancelled order has no further status, and no order goes back to ordered.',
  ],
  [
    /\bsuch order\b/i,
    'Give the id of an order that `POST /v3/order` of the API has returned. `GET /v3/orders` lists the orders.',
  ],
  [/\borganization\b/i, '`aorta service organization list` lists the organizations.'],
  [/\bteam\b/i, '`aorta service team list` lists the teams.'],
  [/\bmessage\b/i, '`aorta service webhook deliveries` lists the messages of an endpoint.'],
  [/\bendpoint\b/i, '`aorta service webhook list` lists the endpoints.'],
  [/\brule\b/i, '`aorta service fault list` lists the rules.'],
  [/\bsnapshot\b/i, '`aorta service snapshot` without a name lists the snapshots.'],
  [/\buser\b/i, 'Give the user_id that the API or `aorta service seed` has returned.'],
];

/** Converts an answer that refuses a request into AORTA-CONTROL-REFUSED. */
function refusalOf({ request, status, said, entry, command }: Refused): AortaError {
  const { detail } = (said ?? {}) as { readonly detail?: unknown };
  const problem = Array.isArray(detail) ? listed(detail as Detail[]) : String(detail ?? 'no reason').replace(/\.$/, '');
  const [, known] = (status === 422 ? undefined : absent.find(([words]) => words.test(problem))) ?? [];
  return new ProgramError('AORTA-CONTROL-REFUSED', {
    request,
    status,
    problem: entry === undefined ? problem : `${entry}: ${problem}`,
    hint: known ?? `Correct it. See ${command} --help.`,
  });
}

/** Returns the names of the first wrong members, each with what is wrong. */
function listed(details: readonly Detail[]): string {
  const shown = details.slice(0, SHOWN).map(({ loc, msg }) => {
    const member = loc.slice(1).join('.');
    return member === '' ? msg : `${member}: ${msg}`;
  });
  const rest = details.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** Returns the control port at an address. `command` is the full name of the command that uses it, for hints. */
export function controlPort(url: string, command: string): ControlPort {
  const ask = async <Answer>(method: 'GET' | 'POST', path: string, body?: object, entry?: string): Promise<Answer> => {
    const { answer, content } = await send(url, { method, path, body });
    const { statusCode: status = 0, headers } = answer;
    const request = nameOf(method, path);
    const wrong = (problem: string) => new ProgramError('AORTA-CONTROL-ANSWER', { url, request, problem });
    if (headers['aorta-control'] === undefined) throw wrong('a different server listens there');
    if (status >= 500) throw wrong(`status ${status}`);
    const said = parsedJson(content);
    if (said === undefined) throw wrong('the answer is not JSON');
    if (status >= 300) throw refusalOf({ request, status, said, entry, command });
    return said as Answer;
  };
  return {
    get: (path) => ask('GET', path),
    post: (path, body = {}, entry) => ask('POST', path, body, entry),
  };
}

/** Returns the method and path of a request, without the query, which may name a user. */
const nameOf = (method: string, path: string): string => `${method} ${path.split('?')[0]}`;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
}

/** Sends a request without a time limit: while the clock advances, the service may work for minutes. */
async function send(url: string, { method, path, body }: Sent): Promise<{ answer: IncomingMessage; content: string }> {
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const request = httpRequest(new URL(path, url), { method, headers }, resolve).on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
    return { answer, content: await text(answer) };
  } catch (error) {
    const { code = 'the connection failed' } = error as NodeJS.ErrnoException;
    // The answer of a server that does not speak HTTP.
    if (code.startsWith('HPE_'))
      throw new ProgramError('AORTA-CONTROL-ANSWER', {
        url,
        request: nameOf(method, path),
        problem: 'it is not HTTP',
      });
    throw new ProgramError('AORTA-CONTROL-UNREACHABLE', { url, reason: code });
  }
}
