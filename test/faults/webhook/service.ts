import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '@aorta/people';
import { messageId } from '@aorta/service/message-id';
import { Webhook } from 'standardwebhooks';

/** A message that the service has created. It is retried with the same id and body. */
export interface SentMessage {
  readonly id: string;
  readonly body: string;
}

export interface ServiceOptions {
  readonly url: string;
  readonly secret: string;
  /** Milliseconds before a retry. The real service waits longer. */
  readonly retryMs: number;
}

/** Signs a message like the service, with the timestamp of this attempt. */
function signed({ id, body }: SentMessage, secret: string, now = Date.now()): Record<string, string> {
  return {
    'content-type': 'application/json',
    'svix-id': id,
    'svix-timestamp': String(Math.floor(now / 1000)),
    'svix-signature': new Webhook(secret).sign(id, new Date(now), body),
  };
}

/** Posts a message once. Returns the response, or undefined if there was none. */
export async function post(
  message: SentMessage,
  { url, secret }: Pick<ServiceOptions, 'url' | 'secret'>,
): Promise<Response | undefined> {
  try {
    const headers = signed(message, secret);
    const answer = await fetch(url, { method: 'POST', body: message.body, headers, signal: AbortSignal.timeout(15_000) });
    await answer.arrayBuffer();
    return answer;
  } catch {
    return undefined;
  }
}

/** Posts a message once. Returns the status, or undefined if there was no answer. */
export async function attempt(
  message: SentMessage,
  service: Pick<ServiceOptions, 'url' | 'secret'>,
): Promise<number | undefined> {
  return (await post(message, service))?.status;
}

/** Posts a message until it is acknowledged. Returns the number of attempts. */
export async function deliver(message: SentMessage, options: ServiceOptions, signal?: AbortSignal): Promise<number> {
  for (let attempts = 1; ; attempts += 1) {
    const status = await attempt(message, options);
    if (status !== undefined && status >= 200 && status < 300) return attempts;
    if (signal?.aborted) return Number.NaN;
    await sleep(options.retryMs);
  }
}

/** Returns messages of several users: one activity of each day and user, and one event that a provider was connected for each user. */
export function messages(seed: number, count: number): SentMessage[] {
  const random = randomOf(seed);
  const seconds = Math.floor(Date.now() / 1000) - 3600;
  return Array.from({ length: count }, (_, number) => {
    const user = `00000000-0000-4000-8000-${String(number % 17).padStart(12, '0')}`;
    const id = messageId((seconds + number) * 1000, String(random.whole(0, 2 ** 31)));
    const event = number % 10 === 0 ? connection(user, number) : activity(user, number);
    return { id, body: JSON.stringify({ team_id: TEAM, client_user_id: 'c', user_id: user, ...event }) };
  });
}

interface Steps {
  /** Hour of the day. */
  readonly hour: number;
  readonly value: number;
  /** Seconds since the service created the message. */
  readonly secondsAgo: number;
  readonly provider?: string;
}

/** Returns a message with the steps of one user in one hour. */
export function stepsOfHour({ hour, value, secondsAgo, provider = 'fitbit' }: Steps): SentMessage {
  const user_id = '00000000-0000-4000-8000-000000000001';
  const start = Date.UTC(2026, 1, 1, hour);
  const instant = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', '+00:00');
  const sample = { timestamp: instant(start), start: instant(start), end: instant(start + 3_600_000), timezone_offset: 0 };
  const data = {
    user_id,
    source: { provider, type: 'watch' },
    data: [{ ...sample, type: null, unit: 'count', value }],
  };
  const event = { event_type: 'daily.data.steps.created', team_id: TEAM, user_id, client_user_id: 'c', data };
  return { id: messageId(Date.now() - secondsAgo * 1000, String(value)), body: JSON.stringify(event) };
}

const TEAM = '00000000-0000-4000-9000-000000000000';

const activity = (user: string, number: number) => ({
  event_type: 'daily.data.activity.created',
  data: {
    id: `activity-${number}`,
    user_id: user,
    date: '2026-02-01T00:00:00+00:00',
    calendar_date: '2026-02-01',
    steps: number,
    source: { provider: 'oura', type: 'ring' },
  },
});

const connection = (user: string, number: number) => ({
  event_type: 'provider.connection.created',
  data: {
    user_id: user,
    provider: { name: 'Oura', slug: 'oura', logo: '' },
    external_user_id: `e-${number}`,
    resource_availability: {},
  },
});
