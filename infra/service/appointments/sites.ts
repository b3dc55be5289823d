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

/** A patient service center: a place where patients have their samples taken. */
export interface Site {
  readonly code: string;
  readonly name: string;
  readonly address: {
    readonly first_line: string;
    readonly second_line: string | null;
    readonly city: string;
    readonly state: string;
    readonly zip_code: string;
  };
  readonly location: Coordinates;
  readonly zone: string;
}

/** The sites of the laboratory `quest`. The first one is that of orders whose appointment nobody booked. */
export const sites: readonly Site[] = [
  {
    code: 'AZ1',
    name: 'Example Patient Service Center Phoenix Downtown',
    address: { first_line: '400 Example Avenue', second_line: 'Suite 110', city: 'Phoenix', state: 'AZ', zip_code: '85004' },
    location: { lng: -112.07, lat: 33.45 },
    zone: 'America/Phoenix',
  },
  {
    code: 'AZ2',
    name: 'Example Patient Service Center Phoenix East',
    address: { first_line: '27 Sample Road', second_line: null, city: 'Phoenix', state: 'AZ', zip_code: '85016' },
    location: { lng: -112.03, lat: 33.51 },
    zone: 'America/Phoenix',
  },
  {
    code: 'NY1',
    name: 'Example Patient Service Center Manhattan',
    address: { first_line: '90 Example Street', second_line: 'Floor 2', city: 'New York', state: 'NY', zip_code: '10017' },
    location: { lng: -73.97, lat: 40.75 },
    zone: 'America/New_York',
  },
];

export const siteOf = (code: string): Site | undefined => sites.find((site) => site.code === code);

interface Search {
  readonly site_codes?: readonly string[] | null | undefined;
  readonly zip_code?: string | null | undefined;
  /** In miles. */
  readonly radius: number;
}

export interface FoundSite {
  readonly site: Site;
  /** In miles. Null: the search names no postal code. */
  readonly distance: number | null;
}

/** Returns the sites that a search is about, the nearest first. */
export function sitesOf({ site_codes, zip_code, radius }: Search): FoundSite[] {
  return sites
    .filter(({ code }) => site_codes?.includes(code) !== false)
    .map((site) => ({ site, distance: typeof zip_code === 'string' ? distanceOf(site, zip_code) : null }))
    .filter(({ distance }) => distance === null || distance <= radius)
    .sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0));
}

/**
 * Returns how far a site is from a postal code. The distance is invented: it is the difference of the last two digits if the
 * first three are the same. Other postal codes are too far.
 */
function distanceOf({ address }: Site, zip: string): number {
  if (zip.slice(0, 3) !== address.zip_code.slice(0, 3)) return Number.POSITIVE_INFINITY;
  return Math.abs(Number(zip.slice(3, 5)) - Number(address.zip_code.slice(3)));
}
