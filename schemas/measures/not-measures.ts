/** Resources whose samples are not measures, each with the reason. */
export const resourcesWithoutMeasure: Readonly<Record<string, string>> = {
  hypnogram: 'The value is a code for a sleep stage.',
  note: 'The value is a text.',
};

/** Columns with numbers that are no measure, with the reason. The key is `column`, or `table.column` for a single table. */
export const columnsWithoutMeasure: Readonly<Record<string, string>> = {
  timezone_offset_s: 'It belongs to the time of the row.',
  sample_id: 'It is an identifier.',
  data_source_id: 'It has no meaning.',
  lab_id: 'It is an identifier.',
  'timeseries.value': 'Its meaning depends on the resource, and each resource has a measure.',
  'activity.daily_movement_m': 'The service has replaced it with `distance_m`.',
  'electrocardiogram.voltage_sample_count': 'It describes the recording, not the user.',
  'electrocardiogram.sampling_frequency_hz': 'It describes the recording, not the user.',
  'lab_orders.lab_test_price': 'It describes the laboratory, not the user.',
  'lab_orders.lab_test_common_tat_days': 'It describes the laboratory, not the user.',
  'lab_orders.lab_test_worst_case_tat_days': 'It describes the laboratory, not the user.',
  'meal.priority_id': 'It has no meaning.',
  'meal.source_id': 'It has no meaning.',
  'workouts.sport_id': 'It is an identifier.',
};
