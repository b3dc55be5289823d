import { type Logger, type Metrics, type Progress, within } from '@aorta/runtime';
import type { DeliveryBatch, Source } from '../../source.ts';
import { Endpoint } from './endpoint.ts';
import type { IntakeLog } from './intake-log.ts';
import type { WebhookMetrics } from './metrics.ts';
import type { WebhookSettings } from './options.ts';
import { type ServedEndpoint, serve } from './server.ts';

export interface WebhookSourceOptions<Position> {
  readonly settings: WebhookSettings;
  readonly intake: IntakeLog<Position>;
  /** Whether to load only what the intake log holds. The source then does not listen. */
  readonly once: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics<WebhookMetrics>;
  readonly progress: Progress;
  readonly now?: () => number;
  /** Milliseconds within which the headers must arrive. Default: 10,000. Only tests set this. */
  readonly headersMs?: number;
  /** Milliseconds within which a body must arrive. Default: 15,000. Only tests set this. */
  readonly bodyMs?: number;
}

/** Milliseconds for which a stopping source waits until accepted messages are stored. */
const STORE_MS = 10_000;

/** Receives messages at an endpoint, stores them in an intake log, and reads that log. */
export class WebhookSource<Position> implements Source<Position> {
  readonly name: string;
  readonly #options: WebhookSourceOptions<Position>;
  readonly #endpoint: Endpoint;
  #served: ServedEndpoint | undefined;

  constructor(options: WebhookSourceOptions<Position>) {
    this.name = options.settings.name;
    this.#options = options;
    this.#endpoint = new Endpoint(options);
  }

  /** Port of the endpoint, while it is served. */
  get port(): number | undefined {
    return this.#served?.port;
  }

  /** Bytes of requests that are not durable yet. */
  get heldBytes(): number {
    return this.#endpoint.held.bytes;
  }

  /** Number of messages that are being stored. */
  get storing(): number {
    return this.#endpoint.storing;
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<Position>> {
    const { intake, once } = this.#options;
    if (!once) await this.#listen();
    // A stopping process refuses messages at once, but reads on until the consumer ends.
    signal.addEventListener('abort', () => void this.#endpoint.stop(), { once: true });
    yield* intake.batches(signal);
  }

  commit(positions: readonly Position[]): Promise<void> {
    return this.#options.intake.commit(positions);
  }

  async close(): Promise<void> {
    await within(STORE_MS, this.#endpoint.stop()).catch(() => {});
    await this.#served?.close();
    await this.#options.intake.close();
    this.#endpoint.close();
  }

  async #listen(): Promise<void> {
    const { settings, logger, progress, headersMs, bodyMs } = this.#options;
    const isReady = (): boolean => progress.stalls().length === 0;
    this.#served = await serve(this.#endpoint, settings, { isReady, headersMs, bodyMs });
    const { listen, path, tls } = settings;
    const address = listen.replace(/:0$/, `:${this.#served.port}`);
    logger.info('webhook endpoint opened', {
      source: this.name,
      url: `${tls === undefined ? 'http' : 'https'}://${address}${path}`,
    });
  }
}
