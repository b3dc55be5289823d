import { type EventFacts, type Field, fieldsOf, type Type } from './catalogue.ts';
import { rawEventTypes, retiredEventTypes } from './event-types.ts';

/**
 * An event format that differs from the OpenAPI file, but occurs in older events or in the service's own examples. `of` returns
 * the facts of an event in this format, or undefined if the format does not apply to the event.
 */
export interface OldShape {
  readonly name: string;
  readonly of: (facts: EventFacts) => EventFacts | undefined;
}

type Change = (fields: readonly Field[]) => readonly Field[] | undefined;

/** Applies `change` to the object at `path`. Returns undefined if there is no such object or nothing to change. */
function changed(fields: readonly Field[], path: readonly string[], change: Change): readonly Field[] | undefined {
  const [member, ...rest] = path;
  if (member === undefined) return change(fields);
  const field = fields.find(({ name }) => name === member);
  const type = field?.types[0];
  if (field === undefined || type === undefined) return undefined;
  const altered = changedType(type, rest, change);
  return altered && fields.map((other) => (other === field ? { ...field, types: [altered, ...field.types.slice(1)] } : other));
}

function changedType(type: Type, path: readonly string[], change: Change): Type | undefined {
  if (type.kind === 'list') {
    const items = changedType(type.items.types[0]!, path, change);
    return items && { ...type, items: { ...type.items, types: [items] } };
  }
  if (type.kind !== 'object') return undefined;
  const fields = changed(type.fields, path, change);
  return fields && { ...type, fields };
}

const shape = (name: string, path: readonly string[], change: Change, concerns = (_: string) => true): OldShape => ({
  name,
  of: (facts) => {
    const fields = concerns(facts.type) ? changed(facts.fields, path, change) : undefined;
    return fields && { ...facts, fields };
  },
});

const without =
  (...names: readonly string[]): Change =>
  (fields) =>
    fields.some(({ name }) => names.includes(name)) ? fields.filter(({ name }) => !names.includes(name)) : undefined;

const withFields =
  (added: Readonly<Record<string, string>>): Change =>
  (fields) => {
    const names = Object.keys(added);
    return [...fields.filter(({ name }) => !names.includes(name)), ...fieldsOf(added)];
  };

const daily = (type: string): boolean => type.startsWith('daily.data.');
/** Whether the event's data is a batch of samples. */
const samplesOf = (facts: EventFacts): boolean => {
  const data = facts.fields.find(({ name }) => name === 'data')!.types[0]!;
  const batch = data.kind === 'object' ? data.fields.find(({ name }) => name === 'data')?.types[0] : undefined;
  return batch?.kind === 'list';
};

export const oldShapes: readonly OldShape[] = [
  shape('source as name, slug and logo', ['data', 'source'], () => fieldsOf({ name: 'text', slug: 'text', logo: 'text' }), daily),
  {
    name: 'batch with user_id, source_id and provider in it',
    of: (facts) => {
      if (!samplesOf(facts)) return undefined;
      const fields = changed(facts.fields, ['data'], (data) => {
        const added = withFields({ user_id: 'uuid', source_id: 'integer', provider: 'ClientFacingProvider' })(data);
        return changed(added!, ['source'], () => fieldsOf({ name: 'text', slug: 'text', logo: 'text' }));
      });
      return fields && { ...facts, fields };
    },
  },
  shape('interval samples without timestamp', ['data', 'data'], (fields) =>
    fields.some(({ name }) => name === 'start') ? without('timestamp')(fields) : undefined,
  ),
  shape('summary without created_at and updated_at', ['data'], without('created_at', 'updated_at'), daily),
  shape('without is_final', ['data'], without('is_final')),
  shape('is_final false', ['data'], (fields) =>
    fields.some(({ name }) => name === 'is_final') ? withFields({ is_final: '= false' })(fields) : undefined,
  ),
  shape('sport without slug', ['data', 'sport'], without('slug')),
  shape('connection without provider', ['data'], without('provider'), (type) => type === 'provider.connection.created'),
  shape('connection without source', ['data'], without('source'), (type) => type === 'provider.connection.created'),
  shape('meal without energy, macros and micros', ['data'], without('energy', 'macros', 'micros')),
  {
    name: 'identifiers in the data only',
    of: (facts) => {
      const data = facts.fields.find(({ name }) => name === 'data')!.types[0]!;
      if (data.kind !== 'object' || !data.fields.some(({ name }) => name === 'user_id')) return undefined;
      return { ...facts, fields: without('user_id', 'team_id', 'client_user_id')(facts.fields)! };
    },
  },
];

const envelope = { user_id: 'uuid', client_user_id: 'uuid', team_id: 'uuid' };
const hypnogram = { source: 'ClientFacingSource', data: 'list of ClientFacingHypnogramTimeseries' };

/** The data shapes of retired event types. The service no longer describes these types, so their successors' shapes are used. */
const retiredData: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  'daily.data.active_energy_burned.created': 'GroupedCaloriesActive',
  'daily.data.active_energy_burned.updated': 'GroupedCaloriesActive',
  'daily.data.basal_energy_burned.created': 'GroupedCaloriesBasal',
  'daily.data.basal_energy_burned.updated': 'GroupedCaloriesBasal',
  'daily.data.device.created': 'ClientFacingDevice',
  'daily.data.device.updated': 'ClientFacingDevice',
  'daily.data.distance_running_walking.created': 'GroupedDistance',
  'daily.data.distance_running_walking.updated': 'GroupedDistance',
  'daily.data.hypnogram.created': hypnogram,
  'daily.data.hypnogram.updated': hypnogram,
  'daily.data.workout_stream.unavailable': 'ClientFacingShallowWorkoutStream',
  'daily.workout_stream.created': 'ClientFacingShallowWorkoutStream',
  'historical.data.device.created': 'HistoricalPullCompleted',
  'historical.data.hypnogram.created': 'HistoricalPullCompleted',
  'labtest.appointment.update': 'ClientFacingAppointment',
  'provider.connection.updated': 'ProviderConnectionError',
  'testkit.order.updated': 'ClientFacingOrder',
};

/** The retired event types, and the raw event types with arbitrary data. */
export const retiredEvents: readonly EventFacts[] = [
  ...retiredEventTypes.map((type): EventFacts => {
    const data = retiredData[type]!;
    if (typeof data === 'string') return { type, fields: fieldsOf({ ...envelope, data }) };
    const batch: Field = {
      name: 'data',
      types: [{ kind: 'object', fields: fieldsOf(data) }],
      nullable: false,
      optional: false,
      deprecated: false,
    };
    return { type, fields: [...fieldsOf(envelope), batch] };
  }),
  ...rawEventTypes.map((type): EventFacts => ({ type, fields: fieldsOf({ ...envelope, data: 'map of any' }) })),
];
