/** Places of the United States: their time zones, and roughly where they are. */

export interface Coordinates {
  readonly lng: number;
  readonly lat: number;
}

/** The zone in which most people of a state live. */
const zones: Readonly<Record<string, string>> = {
  'America/New_York': 'CT DC DE FL GA IN KY ME MD MA MI NH NJ NY NC OH PA RI SC VT VA WV',
  'America/Chicago': 'AL AR IL IA KS LA MN MS MO NE ND OK SD TN TX WI',
  'America/Denver': 'CO ID MT NM UT WY',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA NV OR WA',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
};

/** A region of the United States, whose postal codes begin with the same digit. */
interface Region extends Coordinates {
  readonly zone: string;
}

const regions: readonly Region[] = [
  { zone: 'America/New_York', lng: -71.8, lat: 42.3 },
  { zone: 'America/New_York', lng: -75.5, lat: 41.5 },
  { zone: 'America/New_York', lng: -78.7, lat: 37.6 },
  { zone: 'America/New_York', lng: -84.0, lat: 31.8 },
  { zone: 'America/New_York', lng: -84.1, lat: 40.2 },
  { zone: 'America/Chicago', lng: -93.9, lat: 44.3 },
  { zone: 'America/Chicago', lng: -92.6, lat: 39.8 },
  { zone: 'America/Chicago', lng: -96.1, lat: 32.1 },
  { zone: 'America/Denver', lng: -110.3, lat: 38.6 },
  { zone: 'America/Los_Angeles', lng: -120.1, lat: 38.9 },
];

const regionOf = (zip: string): Region => regions[Number(zip[0])]!;

/** Returns the middle of the region of a postal code. */
export function middleOf(zip: string): Coordinates {
  const { lng, lat } = regionOf(zip);
  return { lng, lat };
}

/** Returns the time zone of an address. If the service does not know the state, it is that of the region. */
export function zoneOf({ state, zip_code }: { readonly state: string; readonly zip_code: string }): string {
  const code = state.trim().toUpperCase();
  const known = Object.entries(zones).find(([, states]) => states.split(' ').includes(code));
  return known?.[0] ?? regionOf(zip_code).zone;
}

/** Returns whether appointments can have a time zone. */
export const isZone = (zone: string): boolean => Object.hasOwn(zones, zone);
