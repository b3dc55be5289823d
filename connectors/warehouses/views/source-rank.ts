import { type SourceOrder, sourceTypes } from '../../preferences.ts';
import type { ViewDialect } from './dialect.ts';

/** Provider of data that a person entered by hand. */
const MANUAL = 'manual';

/** The days before a day on which {@link usualSource} counts the values of a source. */
export const DAYS_BEFORE = 14;

/**
 * Expression for the rank of a source: 1 is the best one. Preferred sources come first, then all others by type. Data
 * entered by hand comes last.
 */
export function sourceRank(
  { text }: ViewDialect,
  { preferred, types }: SourceOrder,
  provider = 'provider',
  sourceType = 'source_type',
): string {
  const is = (source: string): string => {
    const [one, type] = source.split('/') as [string, string?];
    if (type !== undefined) return `${provider} = ${text(one)} and ${sourceType} = ${text(type)}`;
    // A preference for phones does not include entries that a person makes by hand on a phone.
    if (sourceTypes.includes(one)) return `${sourceType} = ${text(one)} and ${provider} <> ${text(MANUAL)}`;
    return `${provider} = ${text(one)}`;
  };
  const chosen = preferred.map((source, index) => `when ${is(source)} then ${index + 1} `).join('');
  const place = (index: number): number => preferred.length + index + 1;
  const ranks = types.map((type, index) => `when ${text(type)} then ${place(index)}`).join(' ');
  const rank = `case ${sourceType} ${ranks} else ${place(types.indexOf('unknown'))} end`;
  return `case ${chosen}when ${provider} = ${text(MANUAL)} then ${place(types.length)} else ${rank} end`;
}

/** Expression for the name of a source in a result, such as `oura/ring`. */
export function sourceName({ text }: ViewDialect, provider = 'provider', sourceType = 'source_type'): string {
  return `${provider} || ${text('/')} || ${sourceType}`;
}

/**
 * Window function: the number of days with a row of the source, among the 14 days before its own day. A source has at most
 * one row a day. `of` names the columns that identify a source. With `counted`, a row counts only if this expression is not
 * NULL.
 */
export function daysBefore({ dayNumber }: ViewDialect, of: string, day: string, counted = '*'): string {
  return `count(${counted}) over (
    partition by ${of} order by ${dayNumber(day)} range between ${DAYS_BEFORE} preceding and 1 preceding
  )`;
}

/**
 * Order that decides among sources of the same rank: the source with values on the greatest number of the 14 days before
 * comes first. A hash of user and source decides next, so that a user keeps the same source, and no provider is first for
 * everybody. The names come last, so that the order is total.
 */
export function usualSource(dialect: ViewDialect, days: string, user = 'user_id'): string {
  return `${days} desc, ${dialect.hash(`${user} || ' ' || ${sourceName(dialect)}`)}, provider, source_type`;
}
