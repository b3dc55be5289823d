import fc from 'fast-check';
import { offsetOfWallClock } from '../../../schemas/time-zones/wall-clock.fixture.ts';
import type { Person } from './local-time.model.ts';

/** Random people who travel, with devices that send zones, offsets or neither. Many of their times are close to a change of clocks. */

const DAY = 86_400;
const second = (text: string): number => Date.parse(text) / 1000;

const zones = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Africa/Casablanca',
  'America/Sao_Paulo',
  'UTC',
];
const zone = fc.constantFrom(...zones);
/** Writes an offset in one of the usual ways. */
function writtenOffset(offset: number, prefix: string, form: number): string {
  const minutes = Math.abs(offset) / 60;
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map(String) as [string, string];
  const [hours, rest] = [hour.padStart(2, '0'), minute.padStart(2, '0')];
  const whole = minute === '0' ? [hour, hours] : [];
  const forms = [`${hours}:${rest}`, `${hours}${rest}`, `${hour}:${rest}`, ...whole];
  return `${prefix}${offset < 0 ? '-' : '+'}${forms[form % forms.length]}`;
}

const unknown = 'Mars/Olympus|W. Europe Standard Time|| |+15|GMT+14:01|-12:30|+3:5|+330|+1:60|3'.split('|');
/** A name as a device sends it. `home` is the zone where the person is, and `offset` its offset as a name. */
const zoneSent = fc.record({
  name: fc.oneof(
    { weight: 6, arbitrary: fc.constant('home') },
    { weight: 2, arbitrary: fc.constant('offset') },
    fc.constantFrom(null, 'Z', 'Etc/GMT-3', 'GMT+0', ...unknown, ...zones),
  ),
  prefix: fc.constantFrom('', 'GMT', 'UTC', 'utc'),
  form: fc.nat(9),
  letters: fc.constantFrom<(name: string) => string>(
    (name) => name,
    (name) => name.toLowerCase(),
    (name) => name.toUpperCase(),
    (name) => ` ${name}  `,
    (name) => name.replaceAll('_', ' '),
  ),
});

const changes = ['2025-10-26T01:00:00Z', '2026-03-29T01:00:00Z', '2025-11-02T06:00:00Z', '2026-03-08T07:00:00Z'].map(second);
const time = fc.oneof(
  fc.integer({ min: second('2025-10-01T00:00:00Z'), max: second('2026-04-30T00:00:00Z') }),
  fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -30, max: 30 })).map(([change, steps]) => change + steps * 1800),
);
/** `true` is the offset where the person is, and null is none. */
const offsetSent = fc.oneof(
  { weight: 4, arbitrary: fc.constant(true as const) },
  { weight: 4, arbitrary: fc.constant(null) },
  fc.constantFrom(0, 3600, -18_000, 20_700),
);

const story = fc.record({
  fallback: zoneSent,
  /** The zone in which the person lives, and the journeys to other zones. */
  home: zone,
  journeys: fc.array(fc.record({ at: time, zone }), { maxLength: 3 }),
  activity: fc.array(fc.record({ at: time, zone: zoneSent, offset: offsetSent }), { maxLength: 4 }),
  sessions: fc.array(fc.record({ at: time, zone: zoneSent, isEcg: fc.boolean() }), { maxLength: 2 }),
  summaries: fc.array(fc.record({ at: time, offset: offsetSent, isWorkout: fc.boolean() }), { maxLength: 2 }),
  samples: fc.uniqueArray(fc.record({ at: time, offset: offsetSent, isFloating: fc.boolean() }), {
    maxLength: 12,
    selector: ({ at }) => at,
  }),
});

export const people = fc.array(story, { minLength: 1, maxLength: 8 }).map((stories) =>
  stories.map(({ fallback, home, journeys, activity, sessions, summaries, samples }, index): Person => {
    const travels = journeys.toSorted((a, b) => a.at - b.at);
    const at = (moment: number): string => travels.findLast((one) => one.at <= moment)?.zone ?? home;
    const zoneOf = ({ name, prefix, form, letters }: typeof fallback, moment: number): string | null => {
      if (name === null) return null;
      if (name === 'offset') return letters(writtenOffset(offsetOfWallClock(at(moment), moment), prefix, form));
      return letters(name === 'home' ? at(moment) : name);
    };
    const offsetOf = (sent: number | true | null, moment: number): number | null =>
      sent === true ? offsetOfWallClock(at(moment), moment) : sent;
    return {
      user: `person-${index}`,
      fallback: zoneOf(fallback, second('2026-01-01T00:00:00Z')),
      activity: activity.map((one) => ({
        day: Math.floor(one.at / DAY),
        zone: zoneOf(one.zone, one.at),
        offset: offsetOf(one.offset, one.at),
      })),
      sessions: sessions.map((one) => ({ ...one, zone: zoneOf(one.zone, one.at) })),
      summaries: summaries.map((one) => ({ ...one, offset: offsetOf(one.offset, one.at) })),
      // A floating sample has no offset.
      samples: samples.map((one) => {
        const offset = offsetOf(one.offset, one.at);
        return { at: one.at, offset, isFloating: one.isFloating && offset === null };
      }),
    };
  }),
);
