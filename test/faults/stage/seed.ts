/** The base seed. Each case adds its own number to it. The soak test sets a different base seed for each round. */
export const SEED = Number(process.env.AORTA_SEED ?? 1);
