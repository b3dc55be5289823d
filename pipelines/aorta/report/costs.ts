import type { CostReport } from '@aorta/connectors';
import { visible } from '@aorta/runtime';
import { bytes, count, counted, duration } from '@aorta/runtime/quantity';
import { table } from '../cli/printing/table.ts';
import type { Output } from '../cli/printing/terminal.ts';
import { configuredWarehouse } from '../config/adapters.ts';
import type { Setting } from '../config/configuration.ts';
import { ProgramError } from '../errors.ts';
import { openReader } from './stored-data.ts';

/** Number of days in the report, including the current one. */
const DAYS = 7;

/** Reads the warehouse's costs of the last {@link DAYS} days. Rejects with AORTA-USAGE if the warehouse does not report costs. */
export async function costsOf(setting: Setting<'warehouse'>): Promise<CostReport> {
  const { adapter } = configuredWarehouse(setting);
  if (!adapter.reportsCosts) {
    const { warehouses } = setting.registry;
    const billed = warehouses.filter(({ reportsCosts }) => reportsCosts).map(({ product }) => product);
    throw new ProgramError('AORTA-USAGE', {
      problem: `${adapter.noun} does not report costs`,
      hint: `--cost works only with a warehouse in ${billed.join(' or ')}.`,
    });
  }
  await using reader = await openReader(setting);
  return await reader.costs!(DAYS);
}

/** Formats an amount of money, in the currency of the configured price. Amounts below 1 have four decimals. */
const money = (amount: number): string => amount.toFixed(amount < 1 ? 4 : 2);

export function costText(
  { days, waits, pricePerTib, pricePerSlotHour, mostPerDay }: CostReport,
  out: Pick<Output, 'columns'>,
): string {
  const right = { align: 'right' } as const;
  // Slot hours are shown only if some were billed. Most projects have no reservation, and so do not pay for slots.
  const bySlots = days.some(({ slotHours }) => slotHours > 0);
  const slots = (hours: number): string[] => (bySlots ? [hours.toFixed(hours < 1 ? 4 : 2)] : []);
  const lines: string[] = [];
  if (days.length === 0) lines.push('There were no merges in the last days.', '');
  else
    lines.push(
      table(
        [
          { name: 'day' },
          { name: 'table' },
          { name: 'merges', ...right },
          { name: 'estimated', ...right },
          { name: 'billed', ...right },
          ...(bySlots ? [{ name: 'slot hours', ...right }] : []),
          { name: 'cost', ...right },
        ],
        days.flatMap(({ day, tables, ...all }) => [
          ...tables.map((one) => [
            day,
            one.table,
            count(one.merges),
            bytes(one.estimatedBytes),
            bytes(one.billedBytes),
            ...slots(one.slotHours),
            money(one.cost),
          ]),
          [day, 'all', '', bytes(all.estimatedBytes), bytes(all.billedBytes), ...slots(all.slotHours), money(all.cost)],
        ]),
        out.columns,
      ),
    );
  const cap = mostPerDay === undefined ? 'there is no cap' : `the cap is ${money(mostPerDay)} a day`;
  const price = bySlots ? `A slot hour costs ${money(pricePerSlotHour)}` : `A TiB costs ${money(pricePerTib)}`;
  lines.push(`${price}; ${cap}. Days are UTC.`);
  return `${[...lines, ...waitLines(waits).map(visible)].join('\n')}\n`;
}

/**
 * Returns one line for each reason for a wait in the last hour. If `seconds` is 0, a merge is blocked until the operator acts
 * or the next day begins.
 */
export function waitLines(waits: CostReport['waits']): string[] {
  return waits.map(({ reason, times, seconds, lastAt }) => {
    const often = `${counted(times, 'time')}, last at ${lastAt}`;
    return seconds === 0
      ? `Held up in the last hour: ${reason} (${often}).`
      : `Waited ${duration(seconds * 1000)} in the last hour for: ${reason} (${often}).`;
  });
}
