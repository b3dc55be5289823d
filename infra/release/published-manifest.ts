/** The members of a package.json that the release build reads. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export type PublishedManifest = Omit<Manifest, 'private' | 'devDependencies' | 'exports'> & {
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
};

/**
 * Creates the package.json of a built package, whose exports point to JavaScript and declarations. Exports that were not built are
 * dropped, because only the repository's own tests and scripts use them. `isBuilt` receives paths such as `./path.js`.
 */
export function publishedManifest(
  { private: _private, devDependencies: _development, exports, ...kept }: Manifest,
  isBuilt: (file: string) => boolean,
): PublishedManifest {
  const built = Object.entries(exports).flatMap(([entry, file]) => {
    const path = file.replace(/\.ts$/, '');
    return isBuilt(`${path}.js`) ? [[entry, { types: `${path}.d.ts`, default: `${path}.js` }] as const] : [];
  });
  return { ...kept, exports: Object.fromEntries(built) };
}
