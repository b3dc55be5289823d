import { dayText } from './calendar.ts';
import { type Member, memberOf } from './connection.ts';
import { type PeopleOptions, type Settings, settle } from './options.ts';

/** Information about a synthetic person, for example to choose one for a demo. */
export interface PersonDescription {
  user_id: string;
  client_user_id: string;
  team_id: string;
  time_zone: string;
  partition: number;
  /** slugs of the connected providers */
  providers: string[];
  /** resources that at least one of the providers has */
  resources: string[];
  /** first and last local day (`YYYY-MM-DD`) with live data from midnight to midnight on every connection */
  first_whole_day: string | null;
  last_whole_day: string | null;
  /** number of times that a connection broke */
  breaks: number;
}

function describe(member: Member, settings: Settings): PersonDescription {
  const { person, connections } = member;
  const begun = Math.max(...connections.map(({ periods }) => periods[0]?.from ?? Number.POSITIVE_INFINITY));
  const breaks = connections.flatMap(({ periods }) => periods).filter(({ until }) => Number.isFinite(until));
  const first = person.zone.localDay(begun) + 1;
  const broken = breaks.map(({ until }) => person.zone.localDay(until) - 1);
  // The last day of the recording stays incomplete, because the final version of a day is sent on the next day.
  const last = Math.min(settings.firstDay + settings.days - 2, ...broken);
  const whole = first <= last;
  return {
    user_id: person.userId,
    client_user_id: person.clientUserId,
    team_id: person.teamId,
    time_zone: person.zone.name,
    partition: person.partition,
    providers: connections.map(({ provider }) => provider.slug),
    resources: [...new Set(connections.flatMap(({ provider }) => provider.resources))],
    first_whole_day: whole ? dayText(first) : null,
    last_whole_day: whole ? dayText(last) : null,
    breaks: breaks.length,
  };
}

/** Describes the person with the given number, from 0 to `people` - 1. */
export function describePerson(options: PeopleOptions, index: number): PersonDescription {
  const settings = settle(options);
  if (!Number.isInteger(index) || index < 0 || index >= settings.people)
    throw new RangeError(`index must be a whole number from 0 to ${settings.people - 1}`);
  return describe(memberOf(settings, index), settings);
}

export function people(options: PeopleOptions): PersonDescription[] {
  const settings = settle(options);
  return Array.from({ length: settings.people }, (_, index) => describe(memberOf(settings, index), settings));
}

/**
 * Returns the person to show in the demo. This is the person with the most complete days of data, where eight days count as
 * enough. Ties are broken by the number of resources, and then by the total number of complete days.
 */
export function showcase(options: PeopleOptions): PersonDescription {
  const days = (one: PersonDescription) =>
    one.first_whole_day === null || one.last_whole_day === null
      ? 0
      : (Date.parse(one.last_whole_day) - Date.parse(one.first_whole_day)) / 86_400_000;
  const week = (one: PersonDescription) => Math.min(7, days(one));
  return people(options).reduce((best, one) => {
    const better = week(one) - week(best) || one.resources.length - best.resources.length || days(one) - days(best);
    return better > 0 ? one : best;
  });
}
