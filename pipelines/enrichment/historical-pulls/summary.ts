import type { Notice } from './notice.ts';

interface Troubled {
  failed: number;
  retrying: number;
}

/** One notice about many pulls. It reports how many failed or keep retrying, and since when. It contains no user ids. */
export interface Summary extends Readonly<Troubled> {
  readonly event: 'historical_pull.summary';
  readonly oldest_since: string;
  readonly newest_since: string;
  readonly providers: readonly (Readonly<Troubled> & { readonly provider: string })[];
}

export function summaryOf(notices: readonly Notice[]): Summary {
  const sum: Troubled = { failed: 0, retrying: 0 };
  const providers = new Map<string, Troubled>();
  let oldest = notices[0]!.since;
  let newest = oldest;
  for (const { event, provider, since } of notices) {
    const what = event === 'historical_pull.failed' ? 'failed' : 'retrying';
    const of = providers.get(provider) ?? { failed: 0, retrying: 0 };
    providers.set(provider, of);
    of[what] += 1;
    sum[what] += 1;
    if (since < oldest) oldest = since;
    if (since > newest) newest = since;
  }
  const byTrouble = [...providers].sort((a, b) => b[1].failed - a[1].failed || b[1].retrying - a[1].retrying);
  return {
    event: 'historical_pull.summary',
    ...sum,
    oldest_since: oldest,
    newest_since: newest,
    providers: byTrouble.map(([provider, of]) => ({ provider, ...of })),
  };
}
