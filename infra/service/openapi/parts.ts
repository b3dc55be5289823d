/** The parts of the API, as the tags of operations name them, in the order of the document. */
export const parts: Readonly<Record<string, string>> = {
  user: 'Users, their connections to providers, and their devices.',
  link: 'Connecting users with demo providers, and historical pulls on request.',
  summary: 'Data of whole days, sessions and people, such as activity, sleep and workouts.',
  timeseries: 'Samples of measurements, such as heart rate and steps, and the streams of workouts and sleeps.',
  lab_report: 'Reports of laboratories that users have uploaded, and the jobs that parse them.',
  appointment: 'The appointments at which samples of orders are taken, at home or at patient service centers.',
  unmatched_result: 'Laboratory results that the service cannot match to an order with certainty.',
  introspect: 'The state of historical pulls, and what the service has sent.',
  lab_tests: 'The catalogue of the labs: what they measure, and what teams can order.',
  order: 'Orders of lab tests, their results, and their papers.',
  organization: 'Management API: the organization, which owns teams.',
  team: 'Management API: the teams of the organization, and access tokens for them.',
  'team API key': 'Management API: the keys with which teams call the data and lab API.',
  webhook: 'Management API: the addresses to which teams have their events delivered.',
  'lab account': 'Management API: the lab accounts of the organization, and which teams can use them.',
  'data pull preference': 'Management API: how many past days the historical pulls of teams cover.',
  'team credential':
    'Management API: what teams have at providers and labs in place of the credentials of the service. Nothing is sent to providers.',
  'management key': 'Management API: the keys of the organization, and of its teams.',
  'ETL pipeline': 'Management API: the pipelines that carry the events of teams to hubs and webhook endpoints.',
  'delivery metric': 'Management API: how many events of a team were delivered.',
};
