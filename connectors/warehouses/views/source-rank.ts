import type { ViewDialect } from './dialect.ts';

/**
 * Kinds of source from the most to the least trusted one for nights, workouts and daily values. Sensors that are always worn come
 * first, and entries by hand come last. A kind that is not listed counts as `unknown`.
 */
const order = [
  ...['chest_strap', 'cuff', 'scale', 'ring', 'watch', 'earphone', 'exercise_machine', 'fingerprick', 'insulin_pump'],
  ...['automatic', 'multiple_sources', 'phone', 'app', 'unknown', 'manual_scan'],
];

/** Expression for the rank of a source: 1 is the most trusted one. Data of the provider `manual` is entered by hand. */
export function sourceRank({ text }: ViewDialect, provider = 'provider', sourceType = 'source_type'): string {
  const ranks = order.map((type, index) => `when ${text(type)} then ${index + 1}`).join(' ');
  const rank = `case ${sourceType} ${ranks} else ${order.indexOf('unknown') + 1} end`;
  return `case when ${provider} = ${text('manual')} then ${order.length + 1} else ${rank} end`;
}

/** Expression for the name of a source in a result, such as `oura/ring`. */
export function sourceName({ text }: ViewDialect, provider = 'provider', sourceType = 'source_type'): string {
  return `${provider} || ${text('/')} || ${sourceType}`;
}
