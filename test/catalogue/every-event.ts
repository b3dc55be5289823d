import { describedEvents } from './catalogue.ts';
import { branchesOf, fullEvent, type GeneratedEvent, minimalEvent, nullsEvent } from './generate.ts';
import { oldShapes, retiredEvents } from './old-shapes.ts';

/** Returns every event of the service: with all fields, with the required ones, with nulls, and in its old forms. */
export function everyEvent(): GeneratedEvent[] {
  const events: GeneratedEvent[] = [];
  for (const facts of [...describedEvents, ...retiredEvents]) {
    for (let branch = 0; branch < branchesOf(facts); branch++)
      events.push(fullEvent(facts, events.length, branch === 0 ? 'full' : `full ${branch + 1}`, branch));
    events.push(minimalEvent(facts, events.length));
    events.push(nullsEvent(facts, events.length));
    for (const { name, of } of oldShapes) {
      const old = of(facts);
      if (old !== undefined) events.push(fullEvent(old, events.length, name));
    }
  }
  return events;
}
