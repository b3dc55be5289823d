import { sampleForm } from './sample-form.ts';

/** The stage of sleep in an interval. Sleep cycles have replaced the hypnogram, which is no longer a resource of events. */
export const hypnogramForm = sampleForm({ name: 'hypnogram', shape: 'interval', unit: 'stage', isUnitOpen: true });
