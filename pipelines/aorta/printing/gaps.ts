import { count, counted } from '@aorta/runtime/quantity';
import type { Completeness } from '../completeness.ts';
import { type Call, withCommandLines } from './command-lines.ts';
import { table } from './table.ts';
import type { Output } from './terminal.ts';

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
