import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, Progress, silentLogger } from '@aorta/runtime';
import type { Delivery } from '../../source.ts';
import type { Message } from '../message.ts';
import type { LocalPosition } from './checkpoint.ts';
import { LocalIntake, type LocalIntakeOptions } from './local-intake.ts';

export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'intake-'));

/** Fails the test if the log reports anything. */
const strictLogger: Logger = {
  ...silentLogger,
  warn: (event, fields) => {
    throw new Error(`${event}: ${JSON.stringify(fields)}`);
  },
};

/** Opens an intake log. By default, any problem fails the test. */
export const openIntake = (folder: string, options: Partial<LocalIntakeOptions> = {}): Promise<LocalIntake> =>
  LocalIntake.open({
    source: 'hook',
    folder,
    window: 0,
    keepMs: 3_600_000,
    once: true,
    logger: strictLogger,
    progress: new Progress(),
    onProblem: (error) => {
      throw error;
    },
    ...options,
  });

export function message(number: number, user: string | null = `user-${number % 20}`): Message {
  const body = Buffer.from(JSON.stringify({ number, padding: 'x'.repeat(number % 700) }));
  return {
    receivedAt: 1_700_000_000_000_000 + number,
    arrivedAt: 1_700_000_001_000_000 + number,
    user,
    headers: new Map([['svix-id', `msg_${number}`]]),
    body,
  };
}

export const numberOf = ({ body }: Delivery): number => JSON.parse(body.toString()).number;

export interface Taken {
  readonly deliveries: readonly Delivery[];
  readonly before: readonly Delivery[];
  readonly positions: readonly LocalPosition[];
}

/** Reads at most `limit` batches. */
export async function take(intake: LocalIntake, limit = Number.POSITIVE_INFINITY): Promise<Taken> {
  const deliveries: Delivery[] = [];
  const before: Delivery[] = [];
  const positions: LocalPosition[] = [];
  for await (const batch of intake.batches(new AbortController().signal)) {
    (batch.before === true ? before : deliveries).push(...batch.deliveries);
    positions.push(batch.position);
    if (positions.length >= limit) break;
  }
  return { deliveries, before, positions };
}
