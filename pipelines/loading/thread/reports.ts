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

type Labels = Readonly<Record<string, string>>;
type GaugeValue = readonly [name: string, labels: Labels, value: number];

/** One-way reports from the loader's thread: log messages, metrics, progress and waits. The thread numbers its waits and lanes. */
export interface Reports {
  log(level: Exclude<LogLevel, 'silent'>, event: string, fields: LogFields): void;
  count(name: string, labels: Labels, amount: number): void;
  observe(name: string, labels: Labels, seconds: number): void;
  gauges(gauges: readonly GaugeValue[]): void;
  wait(id: number, part: string, reason: string, options: WaitOptions): void;
  waited(id: number): void;
  lane(id: number, name: LaneName, options: LaneOptions): void;
  laneReport(id: number, news: Partial<Whereabouts>): void;
  laneNote(id: number, news: Partial<Whereabouts>): void;
  laneEnd(id: number): void;
}

export interface Reporting {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly progress: ProgressReports;
}

/** Milliseconds between reports of the gauges. */
const GAUGES_MS = 1_000;

/** Returns the logger, metrics and progress for the loader's thread, which send every report with `tell`. */
export function sendReports(tell: <K extends keyof Reports>(name: K, ...args: Parameters<Reports[K]>) => void): Reporting {
  const at =
    (level: Exclude<LogLevel, 'silent'>): Logger['info'] =>
    (event, fields = {}) =>
      tell('log', level, event, fields);

  const watchers = new Set<(set: SetGauge) => void>();
  const reportGauges = (): void => {
    const gauges: GaugeValue[] = [];
    for (const read of watchers) read((name: string, labels: Labels, value) => void gauges.push([name, labels, value]));
    tell('gauges', gauges);
  };
  setInterval(reportGauges, GAUGES_MS).unref();

  let lastId = 0;
  const wait: ProgressReports['wait'] = (part, reason, options = {}) => {
    const id = ++lastId;
    tell('wait', id, part, reason, options);
    return () => tell('waited', id);
  };
  return {
    logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    metrics: {
      count: (name: string, labels: Labels, amount = 1) => tell('count', name, labels, amount),
      observe: (name: string, labels: Labels, seconds) => tell('observe', name, labels, seconds),
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
        tell('lane', id, name, options);
        return {
          report: (news) => tell('laneReport', id, news),
          note: (news) => tell('laneNote', id, news),
          end: () => tell('laneEnd', id),
        };
      },
    },
  };
}

/**
 * Returns `reports`, which apply the reports in the main thread, and `end`, which removes the waits, lanes and gauges after
 * the thread has ended.
 */
export function applyReports({ logger, metrics, progress }: Reporting): { readonly reports: Reports; end(): void } {
  const waits = new Map<number, () => void>();
  const lanes = new Map<number, Lane>();
  let gauges: readonly GaugeValue[] = [];
  const unwatch = metrics.watch((set) => {
    for (const [name, labels, value] of gauges) set(name as never, labels as never, value);
  });
  return {
    reports: {
      log: (level, event, fields) => logger[level](event, fields),
      count: (name, labels, amount) => metrics.count(name as never, labels as never, amount),
      observe: (name, labels, seconds) => metrics.observe(name as never, labels as never, seconds),
      gauges: (values) => {
        gauges = values;
      },
      wait: (id, ...wait) => void waits.set(id, progress.wait(...wait)),
      waited: (id) => {
        waits.get(id)?.();
        waits.delete(id);
      },
      lane: (id, ...lane) => void lanes.set(id, progress.lane(...lane)),
      laneReport: (id, news) => lanes.get(id)?.report(news),
      laneNote: (id, news) => lanes.get(id)?.note(news),
      laneEnd: (id) => {
        lanes.get(id)?.end();
        lanes.delete(id);
      },
    },
    end() {
      unwatch();
      for (const ended of waits.values()) ended();
      for (const lane of lanes.values()) lane.end();
    },
  };
}
