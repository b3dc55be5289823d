import type { QueryValue, WarehouseReader } from '@aorta/connectors';
import { count, counted } from '@aorta/runtime/quantity';
import { shellWord } from '@aorta/runtime/shell-word';
import { type Call, commandLine, withCommandLines } from '../cli/printing/command-lines.ts';
import { table } from '../cli/printing/table.ts';
import type { Output } from '../cli/printing/terminal.ts';

const namesInEvents: Readonly<Record<string, string>> = { body_fat: 'fat', body_weight: 'weight' };

/** A resource for which Aorta has received fewer events than the service reports as sent. */
interface Gap {
  readonly user_id: string;
  readonly provider: string;
  readonly resource: string;
  readonly sent: number;
  readonly received: number;
  readonly backfilled: number;
  readonly missing: number;
  readonly as_of: string;
  /**
   * Command that fetches the missing data. Null if the resource cannot be fetched or if the service does not report its date
   * range.
   */
  readonly backfill: string | null;
}

interface Completeness {
  /** Number of combinations of user, provider and resource whose sent and received events can be compared. */
  readonly compared: number;
  /** Number of combinations that cannot be compared because their events, such as orders, name no provider. */
  readonly not_compared: number;
  readonly with_gaps: number;
  /** Largest gaps first. */
  readonly gaps: readonly Gap[];
}

/** Queries in SQL that every warehouse accepts. */
export const completenessQueries = {
  counts: `select count(gap) as compared, count(*) - count(gap) as not_compared,
    sum(case when missing > 0 then 1 else 0 end) as with_gaps from completeness`,
  gaps: (most: number) => `select user_id, provider, resource, sent, received, backfilled, missing, as_of,
    cast(cast(oldest_data as date) as string) as oldest_day, cast(cast(newest_data as date) as string) as newest_day
  from completeness where missing > 0 order by missing desc, user_id, provider, resource limit ${most}`,
  erasuresDue: `select count(*) as due from user_states where state = 'missing' and erase_after <= current_timestamp`,
  /**
   * Lists the users that `erasuresDue` counts. `aorta status` prints this query so that the operator can run it, but never
   * prints the user ids.
   */
  whoIsDue: `select user_id from user_states where state = 'missing' and erase_after <= current_timestamp`,
};

/**
 * Compares the number of events that the service has sent with the number in the published tables. Returns at most `most`
 * gaps.
 */
export async function completenessIn(reader: WarehouseReader, most: number, call: Call): Promise<Completeness> {
  const { backfillResources } = await import('@aorta/ingestion/backfill');
  const [[compared, uncompared, gaps] = [0, 0, 0]] = await all(reader, completenessQueries.counts);
  const rows = await all(reader, completenessQueries.gaps(most));
  return {
    compared: Number(compared),
    not_compared: Number(uncompared),
    with_gaps: Number(gaps),
    gaps: rows.map(([user, provider, resource, sent, received, backfilled, missing, asOf, from, to]) => {
      const fetched = namesInEvents[String(resource)] ?? String(resource);
      return {
        user_id: String(user),
        provider: String(provider),
        resource: String(resource),
        sent: Number(sent),
        received: Number(received),
        backfilled: Number(backfilled),
        missing: Number(missing),
        as_of: String(asOf),
        backfill:
          from === null || to === null || !backfillResources.includes(fetched)
            ? null
            : commandLine(
                `aorta backfill --user ${shellWord(String(user))} --from ${from} --to ${to} --resource ${fetched}`,
                call,
              ),
      };
    }),
  };
}

/** Counts the users whom the service has deleted permanently and whose data may still be stored. */
export async function erasuresDueIn(reader: WarehouseReader): Promise<number> {
  const [[due] = [0]] = await all(reader, completenessQueries.erasuresDue);
  return Number(due);
}

async function all(reader: WarehouseReader, sql: string): Promise<(readonly QueryValue[])[]> {
  const { rows } = await reader.query(sql);
  const found: (readonly QueryValue[])[] = [];
  for await (const chunk of rows) found.push(...chunk);
  return found;
}

export function gapsText(
  { compared, not_compared: others, with_gaps, gaps }: Completeness,
  out: Pick<Output, 'columns'>,
  call: Call,
): string {
  if (compared + others === 0)
    return withCommandLines(
      'The service has not reported yet what it has sent. Configure `service` and start `aorta run`.\n',
      call,
    );
  const rest = others === 0 ? '' : ` ${counted(others, 'other')} cannot be counted, because their events name no provider.`;
  const summary = `${counted(with_gaps, 'gap')} in ${counted(compared, 'resource')} that the service reports.${rest}\n`;
  if (gaps.length === 0) return summary;
  const right = { align: 'right' } as const;
  const rows = gaps.map((gap) => [
    gap.user_id,
    gap.provider,
    gap.resource,
    count(gap.sent),
    count(gap.received),
    count(gap.backfilled),
    count(gap.missing),
  ]);
  const columns = [
    { name: 'user' },
    { name: 'provider' },
    { name: 'resource' },
    { name: 'sent', ...right },
    { name: 'received', ...right },
    { name: 'backfilled', ...right },
    { name: 'missing', ...right },
  ];
  const commands = gaps.flatMap(({ backfill }) => (backfill === null ? [] : [backfill]));
  const closing = commands.length === 0 ? '' : `\nTo close them, run:\n${commands.map((one) => `  ${one}\n`).join('')}`;
  const more = with_gaps > gaps.length ? `These are the ${gaps.length} largest gaps; --json lists more.\n` : '';
  const tried = gaps.some(({ backfilled }) => backfilled > 0)
    ? `\nIf events are still missing after a full backfill, the service has sent them more than once or no longer has them.\n`
    : '';
  return `${summary}\n${table(columns, rows, out.columns)}${more}${closing}${tried}`;
}
