import { z } from 'zod';
import { type LabTest, type Marker, minorOf } from './catalogue.ts';

const priceSchema = z.object({
  base_amount_minor: z.int().describe('In cents.'),
  modifiers: z.null().describe('The service has none.'),
});

const pricingOf = <Price extends z.ZodType>(id: string, key: string, price: Price) =>
  z.object({ currency: z.literal('USD'), data: z.record(z.string(), price).describe(`By ${key}.`) }).meta({ id });

export const markerPricingSchema = pricingOf('MarkerPricing', 'marker id', priceSchema);
export const labTestPricingSchema = pricingOf(
  'LabTestPricing',
  'lab test id',
  z.object({ pricing: priceSchema, marker_breakdown: z.record(z.string(), priceSchema).describe('By marker id.') }),
);

const amount = (price: string | number): z.input<typeof priceSchema> => ({ base_amount_minor: minorOf(price), modifiers: null });
const amounts = (markers: readonly Marker[]) => Object.fromEntries(markers.map(({ id, price }) => [id, amount(price)]));

export function markerPricing(markers: readonly Marker[]): z.input<typeof markerPricingSchema> {
  return { currency: 'USD', data: amounts(markers) };
}

export function labTestPricing(tests: readonly LabTest[]): z.input<typeof labTestPricingSchema> {
  const entries = tests.map(({ id, price, markers }) => {
    return [id, { pricing: amount(price), marker_breakdown: amounts(markers) }] as const;
  });
  return { currency: 'USD', data: Object.fromEntries(entries) };
}
