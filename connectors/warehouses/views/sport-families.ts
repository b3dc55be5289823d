import type { ViewDialect } from './dialect.ts';

/** The family of workouts that consist of legs of several sports. */
export const MULTISPORT = 'multisport';

/**
 * Sports by family, as slugs of the service. Providers name the same workout differently, such as `running` and
 * `treadmill_running`. The family of any other slug is unknown. A triathlon has its own family, because none of its legs is
 * the same workout.
 */
export const sportFamilies: Readonly<Record<string, readonly string[]>> = {
  running: [
    'running',
    'run',
    'trail_running',
    'treadmill_running',
    'indoor_running',
    'track_running',
    'virtual_running',
    'jogging',
  ],
  walking: [
    'walking',
    'walk',
    'hiking',
    'hike',
    'treadmill_walking',
    'indoor_walking',
    'speed_walking',
    'nordic_walking',
    'rucking',
  ],
  cycling: [
    'cycling',
    'biking',
    'ride',
    'road_biking',
    'mountain_biking',
    'gravel_cycling',
    'indoor_cycling',
    'spinning',
    'e_biking',
    'virtual_ride',
    'stationary_biking',
    'hand_cycling',
    'bmx',
    'cyclocross',
  ],
  swimming: ['swimming', 'swim', 'lap_swimming', 'pool_swimming', 'open_water_swimming'],
  strength: [
    'strength_training',
    'weightlifting',
    'weight_training',
    'functional_strength_training',
    'functional_fitness',
    'traditional_strength_training',
    'powerlifting',
    'bodybuilding',
    'core_training',
    'crossfit',
    'cross_training',
    'circuit_training',
    'calisthenics',
    'hiit',
    'high_intensity_interval_training',
    'bootcamp',
  ],
  mind_and_body: ['yoga', 'pilates', 'stretching', 'flexibility', 'meditation', 'tai_chi', 'breathwork', 'barre'],
  rowing: ['rowing', 'indoor_rowing', 'rowing_machine', 'kayaking', 'canoeing', 'paddling', 'stand_up_paddling'],
  machine: ['elliptical', 'stair_climbing', 'stair_stepper', 'stairmaster', 'stairs'],
  snow: [
    'skiing',
    'alpine_skiing',
    'downhill_skiing',
    'backcountry_skiing',
    'snowboarding',
    'cross_country_skiing',
    'nordic_skiing',
    'snowshoeing',
  ],
  racket: ['tennis', 'badminton', 'squash', 'table_tennis', 'racquetball', 'padel', 'pickleball'],
  ball: [
    'soccer',
    'football',
    'american_football',
    'basketball',
    'volleyball',
    'handball',
    'rugby',
    'baseball',
    'softball',
    'cricket',
  ],
  hockey_and_skating: ['hockey', 'ice_hockey', 'field_hockey', 'ice_skating', 'inline_skating', 'skating'],
  martial_arts: ['martial_arts', 'boxing', 'kickboxing', 'judo', 'karate', 'jiu_jitsu', 'wrestling', 'fencing'],
  climbing: ['climbing', 'rock_climbing', 'bouldering', 'indoor_climbing'],
  dance: ['dance', 'dancing', 'zumba', 'aerobics'],
  golf: ['golf'],
  [MULTISPORT]: ['triathlon', 'duathlon', 'multisport', 'multi_sport', 'swimrun'],
};

/** Expression for the family of a sport; NULL if it is unknown. */
export function sportFamily({ text }: ViewDialect, slug: string): string {
  const families = Object.entries(sportFamilies).map(
    ([family, slugs]) => `when ${slug} in (${slugs.map(text).join(', ')}) then ${text(family)}`,
  );
  return `case ${families.join(' ')} end`;
}
