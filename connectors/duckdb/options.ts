import type { Logger, StepObserver } from '@aorta/runtime';
import type { TableDeclaration } from '@aorta/schemas';
import * as z from 'zod';
import type { Preferences } from '../preferences.ts';
import type { Privacy } from '../privacy.ts';

/**
 * Minimum memory of DuckDB in megabytes. On two threads, the largest merge fails with 128 MB and succeeds with 144 MB. On four
 * to sixteen threads, it succeeds with 160 MB, the lowest value that was tested.
 */
export const LEAST_MEMORY = 192;

const AMOUNT = /^(\d+) ?(MB|GB|MiB|GiB)$/;

const bytes: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Name of a group, or its number. The two highest 32-bit numbers are not groups. */
const GROUP = /^(?!\+|-|429496729[45]$).+$/;

/** Converts a memory size such as 512MB to bytes. Returns NaN if the string is not a memory size. */
function bytesOf(text: string): number {
  const [, number, unit] = AMOUNT.exec(text) ?? [];
  return Number(number) * (bytes[unit!] ?? Number.NaN);
}

const description = `DuckDB’s memory limit, such as 512MB. Merges need at least ${LEAST_MEMORY}MB.`;

const memory = z
  .string()
  .regex(AMOUNT)
  // Accepts NaN, because the pattern above already rejects a string that is not a memory size.
  .refine((text) => !(bytesOf(text) < LEAST_MEMORY * bytes.MB!), {
    error: `this is less than ${LEAST_MEMORY}MB`,
    params: { hint: description },
  })
  .default('256MB')
  .describe(description);

const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

/** YAML reads 0440 as the number 440. */
const octal = (value: unknown): unknown => {
  const text = asText(value);
  return typeof text === 'string' ? text.padStart(4, '0') : text;
};

export const duckDbOptions = z.strictObject({
  type: z.literal('duckdb'),
  path: z.string().min(1).describe('Path of the warehouse file. The published copy is next to this file.'),
  memory,
  threads: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Number of threads that DuckDB uses. Default: one per core. Merges of summaries and events use one thread while landing continues.',
    ),
  publish_every_s: z
    .number()
    .min(0)
    .default(1)
    .describe('Minimum seconds between two published copies. `publish_core_percent` can make the pause longer.'),
  publish_core_percent: z
    .number()
    .min(0.1)
    .max(100)
    .default(5)
    .describe(
      'Share of one core that Aorta spends on publishing. A larger file has longer pauses between two copies. A file below 200 MB is published every few seconds, even if that costs more.',
    ),
  published_mode: z
    .preprocess(octal, z.enum(['0400', '0440', '0444']))
    .optional()
    .describe(
      'Permissions of the published copy: only its owner reads it (0400), also its group (0440), or every user (0444). Default: 0440 with `published_group`, otherwise 0400. Readers can also enter the folder of the copy, but not list it: its mode 0700 becomes 0710 or 0711.',
    ),
  published_group: z
    .preprocess(asText, z.string().regex(GROUP))
    .optional()
    .describe('Name or number of the group of the published copy and its folder, such as the group of a BI server.'),
  recent_days: z
    .int()
    .min(0)
    .max(31)
    .default(2)
    .describe('Samples dated within this many days of their receipt are merged at once. Aorta collects other samples first.'),
  old_rows: z.int().min(1).default(500_000).describe('When this many rows with old dates have been landed, Aorta merges them.'),
  old_after_s: z
    .number()
    .min(0)
    .default(600)
    .describe('Seconds after which Aorta merges rows with old dates even if there are few.'),
  summary_order: z
    .enum(['updated_at', 'received'])
    .default('updated_at')
    .describe('Which version of a summary counts as newer: the one with the later `updated_at`, or the one received later.'),
});

export type DuckDbSettings = z.output<typeof duckDbOptions>;

/** Options with defaults. */
interface OpeningDefaults {
  /** Default: the usual orders of sources. */
  readonly preferences: Preferences;
  readonly logger: Logger;
  readonly onStep: StepObserver;
  /** Default: the table declarations of this version of Aorta. Tests pass the declarations of an earlier or later version. */
  readonly tables: readonly TableDeclaration[];
  /** Returns the current time. The due times of merges and publications refer to this clock. Default: `steadyNow`. */
  readonly clock: () => number;
}

export interface DuckDbWarehouseOptions extends Omit<DuckDbSettings, 'type' | 'threads'>, Partial<OpeningDefaults> {
  readonly threads?: number | undefined;
  /** Decides which classes of columns are landed. */
  readonly privacy: Privacy;
}

/** Options with their defaults, and the absolute path of the file. */
export type OpeningOptions = DuckDbWarehouseOptions & OpeningDefaults;

export type OldDatesPace = Pick<DuckDbSettings, 'old_rows' | 'old_after_s'>;

/** Names a file in messages. */
export const addressOf = ({ path }: Pick<DuckDbSettings, 'path'>): string => `duckdb:${path}`;
