/** The first seed of the cases. The soak test sets other seeds. */
export const SEED = Number(process.env.AORTA_SEED ?? 1);
