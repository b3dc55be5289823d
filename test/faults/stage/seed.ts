/** Where the seeds of the cases begin; the soak gives others. */
export const SEED = Number(process.env.AORTA_SEED ?? 1);
