export type Json = Readonly<Record<string, unknown>>;

/** The control port of a service, which may run in another process. */
export class Control {
  readonly url: string;
  #planned: readonly string[] = [];

  constructor(url: string) {
    this.url = url;
  }

  /** Sends a request that must succeed. With a body, the method is POST. */
  ask(path: string, body?: object): Promise<Json> {
    return askJson(`${this.url}${path}`, { body });
  }

  /** Returns whether a rule with this effect has applied. */
  async hasApplied(kind: string): Promise<boolean> {
    const { faults } = (await this.ask('/faults')) as { faults: { effect?: { kind: string }; used: number }[] };
    return faults.some(({ effect, used }) => effect?.kind === kind && used > 0);
  }

  /**
   * Replaces the fault rules that this method has added. No request comes in between without a rule: the old rules precede the
   * new ones until they are removed, the most general one first.
   */
  async plan(rules: readonly Rule[]): Promise<void> {
    const before = this.#planned;
    const added: string[] = [];
    for (const rule of rules) added.push(String((await this.ask('/faults', { on: 'operation', ...rule })).rule_id));
    this.#planned = added;
    for (const id of before.toReversed()) await this.ask(`/faults/${id}/remove`, {});
  }
}

/** A fault rule on requests. */
export interface Rule {
  readonly match?: Json;
  readonly effect?: Json;
  readonly times?: number;
  readonly delay_ms?: number;
}

/** Returns a rule that answers the selected requests with a body. */
export function answer(match: Json, body: Json): Rule {
  return { match, effect: { kind: 'answer', body } };
}

interface Request {
  readonly body?: object | undefined;
  readonly key?: string;
  /** Default: POST with a body, and GET without one. */
  readonly method?: string;
}

/** Sends JSON and returns the answer. Rejects if the status is not a success. */
export async function askJson(url: string, { body, key, method = body === undefined ? 'GET' : 'POST' }: Request): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'x-service-api-key': key }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname} gave ${response.status}: ${text}`);
  return JSON.parse(text) as Json;
}
