import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Compression } from '../client.ts';
import type { Encoder, Library } from './internals.ts';

interface Codec {
  compress(records: Encoder): Promise<Buffer>;
  decompress(records: Buffer): Promise<Buffer>;
}

const require = createRequire(import.meta.url);

const zstd: Codec = {
  compress: async ({ buffer }) => await promisify(zstdCompress)(buffer),
  decompress: async (records) => await promisify(zstdDecompress)(records),
};

function lz4(): Codec {
  const { lz4Compress, lz4Decompress } = require('@platformatic/wasm-utils') as typeof import('@platformatic/wasm-utils');
  return {
    compress: async ({ buffer }) => lz4Compress(buffer),
    decompress: async (records) => lz4Decompress(records),
  };
}

/** Registers codecs; kafkajs itself supports only gzip. A missing codec ends a consumer permanently at the first batch that needs it. */
export function registerCodecs({ CompressionCodecs, CompressionTypes }: Library): void {
  let wasm: Codec | undefined;
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstd;
  CompressionCodecs[CompressionTypes.LZ4] = () => {
    wasm ??= lz4();
    return wasm;
  };
  // This codec reads both framings: raw snappy, and the framing that the Java library writes.
  CompressionCodecs[CompressionTypes.Snappy] = require('kafkajs-snappy') as () => Codec;
}

export function compressionType({ CompressionTypes }: Library, compression: Compression): number {
  const types = { none: 'None', gzip: 'GZIP', snappy: 'Snappy', lz4: 'LZ4', zstd: 'ZSTD' } as const;
  return CompressionTypes[types[compression]];
}
