/**
 * Sets of providers. Each person connects the providers of one set, and each block of ten people uses every set. Apple
 * HealthKit has the data of a phone. The first person has a watch, a ring and a phone, which all count the same steps.
 */
const sets: readonly (readonly string[])[] = [
  ['fitbit', 'oura', 'apple_health_kit'],
  ['apple_health_kit', 'withings'],
  ['garmin'],
  ['oura', 'omron'],
  ['apple_health_kit', 'freestyle_libre'],
  ['fitbit', 'withings'],
  ['garmin', 'apple_health_kit'],
  ['freestyle_libre', 'fitbit'],
  ['whoop_v2'],
  ['polar', 'strava'],
];

/** Returns the providers of a person, whose numbers start at 0. */
export function devicesOf(person: number): readonly string[] {
  return sets[person % sets.length]!;
}
