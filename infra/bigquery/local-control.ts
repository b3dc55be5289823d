import type { BigQueryControl, Quotas, ServerState } from './control.ts';
import type { FaultRule } from './faults/fault.ts';
import type { FaultRules } from './faults/fault-rules.ts';
import type { Service } from './server/service.ts';

export class LocalControl implements BigQueryControl {
  readonly #service: Service;
  readonly #rules: FaultRules;

  constructor(service: Service, rules: FaultRules) {
    this.#service = service;
    this.#rules = rules;
  }

  async inject(rule: FaultRule): Promise<number> {
    return this.#rules.inject(rule);
  }

  async remove(rule?: number): Promise<void> {
    this.#rules.remove(rule);
  }

  async quotas(which: Partial<Quotas> | 'real' | 'off'): Promise<void> {
    this.#service.quotas.set(which);
  }

  async reservation(slotMsPerMib: number | 'off'): Promise<void> {
    this.#service.slotMsPerMib = slotMsPerMib === 'off' ? undefined : slotMsPerMib;
  }

  async advance(ms: number): Promise<number> {
    return this.#service.clock.advance(ms);
  }

  async state(): Promise<ServerState> {
    const { clock, billed } = this.#service;
    return { calls: this.#rules.calls, hits: this.#rules.hits, billed: Object.fromEntries(billed), now: clock.now };
  }
}
