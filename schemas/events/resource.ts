/** The resource that an event type names: `heartrate` of `daily.data.heartrate.created`; undefined where it names none. */
export function resourceOf(eventType: string): string | undefined {
  const parts = eventType.split('.');
  return parts.length >= 4 && parts[1] === 'data' && parts[2] !== '' ? parts[2] : undefined;
}

/** A timeseries resource of the service (service-facts §2.4). */
export interface TimeseriesResource {
  /** Event segment. */
  readonly resource: string;
  readonly stream: 'timeseries' | 'blood_pressure';
  readonly form: 'discrete' | 'interval';
  /** Unit that the service declares; a sample's own unit is kept beside it. */
  readonly unit: string;
  /** Ending of the value's column name in the resource's view. */
  readonly suffix: string;
  /** One moment holds several values, told apart by the sample's type. */
  readonly typeIsKey?: true;
}

export const timeseriesResources: readonly TimeseriesResource[] = [
  { resource: 'blood_pressure', stream: 'blood_pressure', form: 'discrete', unit: 'mmHg', suffix: 'mmhg' },
  { resource: 'glucose', stream: 'timeseries', form: 'discrete', unit: 'mmol/L', suffix: 'mmol_l' },
  { resource: 'heartrate', stream: 'timeseries', form: 'discrete', unit: 'bpm', suffix: 'bpm' },
  { resource: 'steps', stream: 'timeseries', form: 'interval', unit: 'count', suffix: 'count' },
];
