import type {
  Lane,
  LaneName,
  LaneOptions,
  LogFields,
  Logger,
  LogLevel,
  Metrics,
  ProgressReports,
  SetGauge,
  WaitOptions,
  Whereabouts,
} from '@aorta/runtime';

/** One-way reports from the loader's thread: log messages, metrics, progress and waits. */
export type Report =
  | { readonly kind: 'log'; readonly level: Exclude<LogLevel, 'silent'>; readonly event: string; readonly fields: LogFields }
  | { readonly kind: 'count'; readonly name: string; readonly labels: Labels; readonly amount: number }
  | { readonly kind: 'observe'; readonly name: string; readonly labels: Labels; readonly seconds: number }
  | { readonly kind: 'gauges'; readonly gauges: readonly GaugeValue[] }
  | {
      readonly kind: 'wait';
      readonly id: number;
      readonly part: string;
      readonly reason: string;
      readonly options: WaitOptions;
    }
  | { readonly kind: 'waited'; readonly id: number }
  | { readonly kind: 'lane'; readonly id: number; readonly name: LaneName; readonly options: LaneOptions }
  | { readonly kind: 'news' | 'note'; readonly id: number; readonly news: Partial<Whereabouts> }
  | { readonly kind: 'lane-ended'; readonly id: number };

type Labels = Readonly<Record<string, string>>;
type GaugeValue = readonly [name: string, labels: Labels, value: number];

export interface Reporting {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly progress: ProgressReports;
}

/** Milliseconds between reports of the gauges. */
const GAUGES_MS = 1_000;

/** Returns the logger, metrics and progress for the loader's thread, which send every report as a message. */
export function sendReports(say: (report: Report) => void): Reporting {
  const at =
    (level: Exclude<LogLevel, 'silent'>): Logger['info'] =>
    (event, fields = {}) =>
      say({ kind: 'log', level, event, fields });

  const watchers = new Set<(set: SetGauge) => void>();
  const reportGauges = (): void => {
    const gauges: GaugeValue[] = [];
    for (const read of watchers) read((name: string, labels: Labels, value) => void gauges.push([name, labels, value]));
    say({ kind: 'gauges', gauges });
  };
  setInterval(reportGauges, GAUGES_MS).unref();

  let lastId = 0;
  const wait: ProgressReports['wait'] = (part, reason, options = {}) => {
    const id = ++lastId;
    say({ kind: 'wait', id, part, reason, options });
    return () => say({ kind: 'waited', id });
  };
  return {
    logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    metrics: {
      count: (name: string, labels: Labels, amount = 1) => say({ kind: 'count', name, labels, amount }),
      observe: (name: string, labels: Labels, seconds) => say({ kind: 'observe', name, labels, seconds }),
      watch: (read) => {
        watchers.add(read);
        return () => void watchers.delete(read);
      },
    },
    progress: {
      wait,
      during: async (part, reason, work, options) => {
        const ended = wait(part, reason, options);
        try {
          return await work;
        } finally {
          ended();
        }
      },
      lane: (name, options) => {
        const id = ++lastId;
        say({ kind: 'lane', id, name, options });
        return {
          report: (news) => say({ kind: 'news', id, news }),
          note: (news) => say({ kind: 'note', id, news }),
          end: () => say({ kind: 'lane-ended', id }),
        };
      },
    },
  };
}

/**
 * Returns `apply`, which applies a report in the main thread, and `end`, which removes the waits, lanes and gauges after
 * the thread has ended.
 */
export function applyReports({ logger, metrics, progress }: Reporting): { apply(report: Report): void; end(): void } {
  const waits = new Map<number, () => void>();
  const lanes = new Map<number, Lane>();
  let gauges: readonly GaugeValue[] = [];
  const unwatch = metrics.watch((set) => {
    for (const [name, labels, value] of gauges) set(name as never, labels as never, value);
  });
  return {
    apply(report) {
      switch (report.kind) {
        case 'log':
          logger[report.level](report.event, report.fields);
          break;
        case 'count':
          metrics.count(report.name as never, report.labels as never, report.amount);
          break;
        case 'observe':
          metrics.observe(report.name as never, report.labels as never, report.seconds);
          break;
        case 'gauges':
          gauges = report.gauges;
          break;
        case 'wait':
          waits.set(report.id, progress.wait(report.part, report.reason, report.options));
          break;
        case 'waited':
          waits.get(report.id)?.();
          waits.delete(report.id);
          break;
        case 'lane':
          lanes.set(report.id, progress.lane(report.name, report.options));
          break;
        case 'news':
          lanes.get(report.id)?.report(report.news);
          break;
        case 'note':
          lanes.get(report.id)?.note(report.news);
          break;
        case 'lane-ended':
          lanes.get(report.id)?.end();
          lanes.delete(report.id);
          break;
      }
    },
    end() {
      unwatch();
      for (const ended of waits.values()) ended();
      for (const lane of lanes.values()) lane.end();
    },
  };
}
