import type { WarehouseReader } from '@aorta/connectors';
import { visible } from '@aorta/runtime';
import { count } from '@aorta/runtime/quantity';
import { shellWord } from '@aorta/runtime/shell-word';
import { table } from '../../cli/printing/table.ts';
import { type Output, styled } from '../../cli/printing/terminal.ts';
import type { Setting } from '../../config/configuration.ts';
import { type Count, type Row, readBoard, type Standing, standings, type Wanted } from './board.ts';

/** Standings that are counted by provider, so that an outage of one provider is obvious. */
const byProvider: readonly Standing[] = ['failed', 'stalled', 'retrying', 'unknown'];
/** Maximum number of users in one printed API call, so that the command is not too long for a shell. */
const USERS_A_CALL = 50;

/**
 * Maximum number of pulls that one query may sort. Sorting more would take too much memory, so a larger board is read one
 * standing at a time.
 */
const SORTED_AT_MOST = 100_000;

export function pageText(rows: readonly Row[], out: Output): string {
  const traced = rows.some((row) => row.trace_id !== null);
  return table(
    [
      { name: 'user' },
      { name: 'provider' },
      { name: 'resource' },
      { name: 'standing' },
      { name: 'since' },
      { name: 'reason' },
      { name: 'what to do' },
      ...(traced ? [{ name: 'trace id' }] : []),
    ],
    rows.map((row) => [
      String(row.user_id),
      String(row.provider),
      String(row.resource),
      `${row.standing}${row.stale === true && row.as_of !== null ? ' (stale)' : ''}`,
      String(row.since),
      String(row.reason),
      row.what_to_do === null ? '' : String(row.what_to_do),
      ...(traced ? [row.trace_id === null ? '' : String(row.trace_id)] : []),
    ]),
    out.columns,
  );
}

/** Formats the number of pulls by standing. For pulls that need attention, names the providers. */
export function totalsText(counts: readonly Count[], out: Output): string {
  const total = (of: (one: Count) => boolean, what: (one: Count) => number = ({ pulls }) => pulls): number =>
    counts.filter(of).reduce((sum, one) => sum + what(one), 0);
  const found = standings.filter((standing) => counts.some((one) => one.standing === standing));
  const totals = found.map((standing) => `${count(total((one) => one.standing === standing))} ${standing}`);
  const providers = byProvider.flatMap((standing) => {
    const of = counts.filter((one) => one.standing === standing).sort((a, b) => b.pulls - a.pulls);
    return of.length === 0
      ? []
      : [`${standing}: ${of.map((one) => `${visible(one.provider)} ${count(one.pulls)}`).join(', ')}\n`];
  });
  const answers = counts.map(({ oldestAnswer }) => oldestAnswer).filter((one) => one !== null);
  const stale = total(
    () => true,
    (one) => one.stale,
  );
  const asOf =
    answers.length === 0
      ? 'The service was not asked; this is based on events only.'
      : `As of ${answers.sort()[0]}, the oldest answer of the service${stale === 0 ? '' : `; stale for ${count(stale)} of the pulls`}.`;
  return [`${totals.join(', ')}.\n`, ...providers, `${styled(out, 'dim', asOf)}\n`].join('');
}

/**
 * Formats one shell command per provider, which triggers the pulls in these rows again. If the section `service` was not
 * read, names its unset variables instead.
 */
export function triggerText(rows: readonly Row[], setting: Pick<Setting, 'readable' | 'unread'>): string {
  const { service } = setting.readable;
  if (service !== undefined) return triggerCommands(rows, service);
  if (!rows.some(isTriggered)) return '';
  const errors = setting.unread.flatMap((one) => (one.section === 'service' ? one.errors : []));
  return errors.map(({ message }) => `The command that triggers these pulls again is not shown: ${message}\n`).join('');
}

/** Returns whether a pull can be triggered again. */
const isTriggered = ({ what_to_do }: Pick<Row, 'what_to_do'>): boolean => String(what_to_do).startsWith('trigger');

function triggerCommands(rows: readonly Row[], service: { readonly base_url: string; readonly key_header: string }): string {
  const users = new Map<string, Set<string>>();
  let path = '';
  for (const { trigger, what_to_do } of rows) {
    if (trigger === null || !isTriggered({ what_to_do })) continue;
    path = trigger.path;
    const of = users.get(trigger.body.provider) ?? new Set();
    for (const user of trigger.body.user_ids) if (of.size < USERS_A_CALL) of.add(user);
    users.set(trigger.body.provider, of);
  }
  if (users.size === 0) return '';
  const calls = [...users].map(([provider, of]) => {
    const body = JSON.stringify({ user_ids: [...of], provider, wait_for_completion: false });
    const url = shellWord(`${service.base_url.replace(/\/+$/, '')}${path}`);
    return `  curl -X POST ${url} -H "${service.key_header}: $SERVICE_KEY" -H 'content-type: application/json' -d ${shellWord(body)}\n`;
  });
  return `To trigger the pulls of this page again, set SERVICE_KEY to the key of the API, and run:\n${calls.join('')}`;
}

/** Formats the number of pulls by provider and standing as a table. */
export function countsText(counts: readonly Count[], out: Output): string {
  const found = standings.filter((standing) => counts.some((one) => one.standing === standing));
  const providers = [...new Set(counts.map(({ provider }) => provider))];
  const cell = (provider: string, standing: Standing): string =>
    count(counts.find((one) => one.provider === provider && one.standing === standing)?.pulls ?? 0);
  return table(
    [{ name: 'provider' }, ...found.map((name) => ({ name, align: 'right' as const }))],
    providers.map((provider) => [provider, ...found.map((standing) => cell(provider, standing))]),
    out.columns,
  );
}

/** Streams a JSON array with one pull per line. Returns the last printed pull, and whether there are further pulls. */
export async function printBoard(
  out: Output,
  pages: AsyncIterable<readonly Row[]>,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly last: Row | undefined; readonly more: boolean }> {
  let rows = 0;
  let more = false;
  let last: Row | undefined;
  for await (const page of pages) {
    const some = page.slice(0, Math.max(0, most - rows));
    if (some.length < page.length) more = true;
    if (some.length === 0) continue;
    await out.write(`${rows === 0 ? '[\n' : ',\n'}${some.map((row) => JSON.stringify(row)).join(',\n')}`);
    rows += some.length;
    last = some.at(-1);
  }
  await out.write(rows === 0 ? '[]\n' : '\n]\n');
  return { last, more };
}

/** Reads all pulls: in one sorted query if there are few, otherwise one standing at a time. */
export async function* readWhole(
  reader: WarehouseReader,
  wanted: Wanted,
  counts: readonly Count[],
): AsyncGenerator<readonly Row[]> {
  const of = (standing?: Standing): number =>
    counts.reduce((sum, one) => sum + (standing === undefined || one.standing === standing ? one.pulls : 0), 0);
  if (of() <= SORTED_AT_MOST) {
    yield* readBoard(reader, wanted);
    return;
  }
  for (const standing of standings) {
    if (of(standing) === 0) continue;
    yield* readBoard(reader, { ...wanted, only: [standing], unsorted: of(standing) > SORTED_AT_MOST || undefined });
  }
}
