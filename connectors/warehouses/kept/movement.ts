import { plausibleValue } from '../views/plausible.ts';

/**
 * Columns of `activity` that show that a device was worn. Total energy is not one of them, because a device on a desk counts
 * energy at rest.
 */
const movement = ['steps', 'distance_m', 'floors_climbed', 'calories_active_kcal'];
const totals = [...movement, 'calories_total_kcal'];

/** Daily measures for which a day ignores a device that recorded no movement while another device recorded some. */
export const ofWorn: readonly string[] = ['steps', 'distance', 'floors_climbed', 'calories_active', 'calories_total'];

const any = (columns: readonly string[], condition: string): string =>
  `case when ${columns.map((column) => `${plausibleValue('activity', column)} ${condition}`).join(' or ')} then 1 else 0 end`;

/** Whether a row of `activity` shows movement: 1 or 0. */
export const hasMoved: string = any(movement, '> 0');

/** Whether a row of `activity` has one of the totals: 1 or 0. */
export const hasTotal: string = any(totals, 'is not null');
