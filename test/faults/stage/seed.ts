/** The first seed of the cases; the soak test sets others. */
export const SEED = Number(process.env.AORTA_SEED ?? 1);
