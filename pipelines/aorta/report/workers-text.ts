import { visible } from '@aorta/runtime';
import { count, counted, duration } from '@aorta/runtime/quantity';
import { table } from '../cli/printing/table.ts';
import type { Setting } from '../config/configuration.ts';
import type { Waiting } from './backlog.ts';
import { isRunning, type SourceMembers, unreadSources, type Worker, type WorkerPartition } from './workers.ts';

const right = { align: 'right' } as const;

/** Waits that are shorter than this many milliseconds are not printed, because they are normal. */
const SHOWN_AFTER_MS = 2_000;

/** Formats the running workers as a table, followed by lines about waits, crashes and readiness. */
export function workersText(workers: readonly Worker[], now: number, width: number | undefined): string {
  const running = workers.filter(isRunning);
  const lines: string[] = [];
  if (running.length === 0) lines.push('Nothing is running.');
  else
    lines.push(
      table(
        [
          { name: 'worker' },
          { name: 'does' },
          { name: 'state' },
          { name: 'since', ...right },
          { name: 'lag', ...right },
          { name: 'reads' },
        ],
        running.map((worker) => [
          nameOf(worker),
          worker.parts.join(', '),
          stateText(worker, now),
          worker.started_at === null ? '–' : duration(now - Date.parse(worker.started_at)),
          lagText(worker),
          readsText(worker),
        ]),
        width,
      ).trimEnd(),
    );
  for (const worker of workers) lines.push(...linesOf(worker, now).map(visible));
  return `${lines.join('\n')}\n`;
}

function nameOf({ pid, host, client }: Worker): string {
  return pid === null ? `${client} at ${host}` : `process ${pid} on ${host}`;
}

function stateText({ state, as_of }: Worker, now: number): string {
  if (state === 'member') return 'in its group';
  if (state === 'silent') return `silent for ${ago(as_of, now)}`;
  return state === 'not_ready' ? 'not ready' : state;
}

function linesOf(worker: Worker, now: number): string[] {
  const name = nameOf(worker);
  const parts = worker.parts.join(' and ');
  const again = worker.supervisor === null ? '' : ` Its supervisor, process ${worker.supervisor}, restarts it.`;
  if (worker.state === 'died')
    return [`${capital(name)} (${parts}) died; its last report was ${ago(worker.as_of, now)} ago.${again}`];
  if (worker.state === 'ended') {
    const why = worker.error === null ? '' : ` with ${worker.error}`;
    return [`${capital(name)} (${parts}) ended ${ago(worker.ended_at, now)} ago${why}.${again}`];
  }
  const waits = worker.waits
    .filter(({ since, due_at }) => Math.max(now - Date.parse(since), Date.parse(due_at ?? since) - now) >= SHOWN_AFTER_MS)
    .filter(({ reason }) => reason !== 'starting')
    .map(({ part, reason, since, due_at }) => {
      const until = due_at === null ? '' : `, until ${clock(due_at)} (${inTime(due_at, now)})`;
      return `${capital(name)} waits (${part}): ${reason}, for ${duration(Math.max(0, now - Date.parse(since)))}${until}.`;
    });
  return [...worker.not_ready.map((reason) => `${capital(name)} is not ready: ${reason}.`), ...waits];
}

function lagText({ partitions }: Worker): string {
  if (partitions.length === 0) return '–';
  return count(partitions.reduce((sum, { lag }) => sum + (lag ?? 0), 0));
}

/** Formats the sources that a worker reads, and its partitions as ranges such as `sleep 0–3, 7`. */
function readsText({ sources, partitions, client }: Worker): string {
  const byName = Map.groupBy(partitions, ({ of, group }) => of || group);
  const read = [...byName].map(([name, some]) => `${name} ${client === null && isWhole(some) ? '' : runs(some)}`.trimEnd());
  const told = new Set(partitions.map(({ group }) => group));
  return [...sources.filter((source) => !told.has(source)), ...read].join('; ') || '–';
}

/** Returns whether the stream has a single partition, as local streams do. */
const isWhole = (partitions: readonly WorkerPartition[]): boolean => partitions.length === 1 && partitions[0]!.partition === 0;

/** Formats partition numbers. Consecutive numbers become `first–last`. */
function runs(partitions: readonly WorkerPartition[]): string {
  const numbers = partitions.map(({ partition }) => partition);
  const whole = numbers.filter((one): one is number => typeof one === 'number').sort((a, b) => a - b);
  const runsOfNumbers: [number, number][] = [];
  for (const one of whole) {
    const last = runsOfNumbers.at(-1);
    if (last !== undefined && last[1] === one - 1) last[1] = one;
    else runsOfNumbers.push([one, one]);
  }
  const names = numbers.filter((one) => typeof one === 'string');
  return [...runsOfNumbers.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)), ...names].join(', ');
}

/** Formats the batches that are waiting to be landed, merged or published. Returns no lines if there are none. */
export function waitingText(waiting: Waiting | null, loads: boolean, now: number, width: number | undefined): string[] {
  if (waiting === null) return [];
  const lines: string[] = [];
  const landings = waiting.landings.filter(({ due_at }) => Date.parse(due_at) - now > 1_000);
  for (const { stream, partition, records, due_at } of landings) {
    lines.push(
      `${counted(records, 'record')} of ${stream}/${partition} will be landed at ${clock(due_at)} (${inTime(due_at, now)}).`,
    );
  }
  if (landings.length > 0) lines.push('');
  if (waiting.merges.length > 0) {
    lines.push(
      `Landed but not merged into the tables yet, as of ${clock(waiting.as_of)}:`,
      table(
        [
          { name: 'table' },
          { name: 'dates' },
          { name: 'rows', ...right },
          { name: 'landed', ...right },
          { name: 'merge is due' },
        ],
        waiting.merges.map((merge) => [
          merge.table,
          merge.range,
          count(merge.rows),
          `${ago(merge.landed_at, now)} ago`,
          dueText(merge, loads, now),
        ]),
        width,
      ),
    );
    if (!loads)
      lines.push(
        'No loader is running. The next `aorta run` merges these rows; to merge them now, run `aorta run --only loading --once`.',
        '',
      );
  }
  const copy = waiting.publication_due_at;
  if (copy !== null && loads) lines.push(`Readers get a new copy of the tables ${copyTime(copy, now)}.`, '');
  return lines;
}

function dueText({ due_at, due_at_rows, rows, held_by }: Waiting['merges'][number], loads: boolean, now: number): string {
  if (held_by !== null) return `held up by ${held_by}`;
  if (!loads) return `${Date.parse(due_at) <= now ? 'since' : 'at'} ${clock(due_at)}, once a loader runs`;
  if (Date.parse(due_at) <= now) return 'now';
  const earlier = rows < due_at_rows ? `, or at ${count(due_at_rows)} rows` : '';
  return `${inTime(due_at, now)}, at ${clock(due_at)}${earlier}`;
}

function copyTime(due: string, now: number): string {
  return Date.parse(due) <= now ? 'as soon as the loader is free' : `${inTime(due, now)}, at ${clock(due)}`;
}

/** Formats the time that has passed since an instant. */
export function ago(instant: string | null, now: number): string {
  return instant === null ? 'an unknown time' : duration(Math.max(0, now - Date.parse(instant)));
}

function inTime(instant: string, now: number): string {
  const left = Date.parse(instant) - now;
  return left <= 0 ? 'now' : `in ${duration(left)}`;
}

/** Formats the time of day in UTC, with the date if it is not today. */
function clock(instant: string): string {
  return `${instant.slice(instant.slice(0, 10) === new Date().toISOString().slice(0, 10) ? 11 : 0, 19).replace('T', ' ')}Z`;
}

const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;

/** Formats one line for each source that was not asked, or whose cluster did not answer. */
export function unansweredLines(unanswered: SourceMembers['unanswered'], setting: Pick<Setting, 'unread'>): string[] {
  const unread = new Map(unreadSources(setting).map(({ source, message }) => [source, message]));
  return unanswered.map(({ source, code }) => {
    const message = unread.get(source);
    return message === undefined
      ? `The readers of source ${source} are unknown: its cluster did not answer (${code}).`
      : `Source ${source} was not asked for its readers and problems: ${message}`;
  });
}
