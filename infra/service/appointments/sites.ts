import type { Coordinates } from './places.ts';

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
