import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { patient, testOf } from '../../../infra/service/orders/orders.fixture.ts';

const PER_SECOND = 200;

type Json = ReturnType<typeof JSON.parse>;

interface Target {
  readonly url: string;
  readonly key: string;
  readonly org: string;
  readonly managementKey: string;
  readonly team: string;
}

interface Answered {
  readonly status: number;
  readonly body: Json;
  /** How often the request was sent. */
  readonly tries: number;
}

/** A program that reads and creates, 200 requests a second. It keeps a list of what the service has acknowledged. */
export class Load {
  /** Ids of users by client user id. */
  readonly users = new Map<string, string>();
  /** Ids of orders by idempotency key. */
  readonly orders = new Map<string, string>();
  /** Ids of team keys by label. */
  readonly keys = new Map<string, string>();
  /** Ids of webhooks by description. */
  readonly webhooks = new Map<string, string>();
  /** Labels of keys and descriptions of webhooks whose request was sent more than once, because it got no answer. */
  readonly repeated = new Set<string>();
  /** Answers that are neither a success nor the refusal of a repeated request. */
  readonly errors: string[] = [];
  /** Time from each request to its answer, in milliseconds. */
  readonly times: number[] = [];
  readonly org: string;
  readonly team: string;
  readonly #target: Target;
  #back: Promise<unknown> | undefined;
  readonly #lab_test_id = testOf('testkit');

  constructor(target: Target) {
    this.#target = target;
    this.org = target.org;
    this.team = target.team;
  }

  /** Sends requests for some seconds, and resolves when all of them have an answer. */
  async run(seconds: number): Promise<void> {
    const began = performance.now();
    const sent: Promise<void>[] = [];
    for (let number = 0; number < seconds * PER_SECOND; number += 1) {
      const wait = began + (number * 1000) / PER_SECOND - performance.now();
      if (wait > 0) await sleep(wait);
      const request = this.#send(number);
      // Nothing awaits a failure before all requests are sent.
      request.catch(() => {});
      sent.push(request);
    }
    await Promise.all(sent);
  }

  /** The slowest of the fastest 99 % of the answers, in milliseconds. */
  get p99(): number {
    return this.times.toSorted((a, b) => a - b)[Math.ceil(this.times.length * 0.99) - 1]!;
  }

  async #send(number: number): Promise<void> {
    const users = [...this.users.values()];
    const user = users[number % Math.max(1, users.length)];
    switch (number % 20) {
      case 0:
      case 4:
      case 8:
      case 12:
        return this.#newUser(`c-${number}`);
      case 2:
      case 10:
        return user === undefined ? undefined : this.#newOrder(`order ${number}`, user);
      case 6:
        return this.#newKey(`key ${number}`);
      case 7:
        return this.#read(`/v1/org/${this.#target.org}/team`);
      case 16:
        // The service looks at all webhooks of a team for each event, and teams have few.
        return number % PER_SECOND === 16 ? this.newWebhook(`webhook ${number}`) : this.#read(this.#webhooksPath);
      case 14: {
        const [order] = this.orders.values();
        return this.#read(order === undefined ? '/v3/lab_test' : `/v3/order/${order}`);
      }
      default:
        return this.#read(user === undefined || number % 2 === 0 ? '/v2/user?limit=50' : `/v2/user/${user}`);
    }
  }

  async #read(path: string): Promise<void> {
    this.#check(path, await this.ask(path));
  }

  async #newUser(client_user_id: string): Promise<void> {
    const answer = await this.ask('/v2/user', { client_user_id });
    // A repeated request finds the user that the first one created.
    if (answer.tries === 1 || answer.status !== 400) this.#check('user', answer);
    this.users.set(client_user_id, answer.body.user_id);
  }

  async #newOrder(key: string, user_id: string): Promise<void> {
    const body = { user_id, order_set: { lab_test_ids: [this.#lab_test_id] }, ...patient };
    const answer = await this.ask('/v3/order', body, { 'x-idempotency-key': key });
    if (this.#check('order', answer)) this.orders.set(key, answer.body.order.id);
  }

  async #newKey(label: string): Promise<void> {
    const { org, team: team_id } = this.#target;
    const answer = await this.ask(`/v1/org/${org}/team_api_keys/sandbox/us`, { label, team_id });
    if (answer.tries > 1) this.repeated.add(label);
    if (this.#check('key', answer)) this.keys.set(label, answer.body.id);
  }

  get #webhooksPath(): string {
    return `/v1/org/${this.org}/team/${this.team}/sandbox/webhook`;
  }

  /** Creates a webhook of the team. Without a URL, it is disabled. */
  async newWebhook(description: string, url?: string): Promise<void> {
    const body = url === undefined ? { url: 'http://127.0.0.1:1', disabled: true } : { url };
    const answer = await this.ask(this.#webhooksPath, { ...body, description });
    if (answer.tries > 1) this.repeated.add(description);
    if (this.#check('webhook', answer)) this.webhooks.set(description, answer.body.id);
  }

  #check(what: string, { status, body }: Answered): boolean {
    if (status === 200) return true;
    this.errors.push(`${what}: ${status} ${JSON.stringify(body)}`);
    return false;
  }

  /** Sends a request until it has an answer. */
  async ask(path: string, body?: object, more: Readonly<Record<string, string>> = {}): Promise<Answered> {
    const { key, managementKey } = this.#target;
    const headers = { 'x-service-api-key': key, 'x-management-key': managementKey, 'content-type': 'application/json', ...more };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const began = performance.now();
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#attempt(path, init);
      if (answer === undefined) {
        await this.#isBack();
        continue;
      }
      this.times.push(performance.now() - began);
      return { ...answer, tries };
    }
  }

  /** Resolves to undefined if the request gets no answer. */
  async #attempt(path: string, init: RequestInit): Promise<Omit<Answered, 'tries'> | undefined> {
    try {
      const answer = await fetch(`${this.#target.url}${path}`, init);
      return { status: answer.status, body: await answer.json() };
    } catch {
      return undefined;
    }
  }

  /** Resolves when the service answers again. One request asks for all that wait. */
  async #isBack(): Promise<void> {
    this.#back ??= until('the service to answer again', async () => (await this.#attempt('/openapi.json', {}))?.status, 200);
    await this.#back;
    this.#back = undefined;
  }
}
