export { type Consumption, consume } from './consumer.ts';
export { Intake } from './intake.ts';
export { ingestionMetrics } from './metrics.ts';
export { openRedeliveryWindow } from './redelivery-window/history.ts';
export { createRouter, defaultRoutes } from './router.ts';
export type { Tally } from './tally.ts';
