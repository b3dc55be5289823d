/** Name of the topic in all cases. */
export const TOPIC = 'health-events';
