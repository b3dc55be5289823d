/** Name of the topic that all cases read. */
export const TOPIC = 'health-events';
