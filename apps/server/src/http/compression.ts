import zlib from 'node:zlib'
import compress from '@fastify/compress'
import type { App } from './app.ts'

const { constants } = zlib

/**
 * Negotiated compression of text answers. Streams are flushed at each chunk, so that a long answer
 * shows as it is made. Answers that carry their own `content-encoding` pass through.
 */
export async function installCompression(app: App): Promise<void> {
  await app.register(compress, {
    global: true,
    encodings: ['zstd', 'br', 'gzip'],
    threshold: 1_024,
    customTypes: /^text\/(?!event-stream)|[+/](json|xml|javascript|wasm)(;|$)/,
    brotliOptions: {
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
    },
    // The plugin gives zstd the options of gzip, whose flush codes mean something else there.
    zlib: {
      ...zlib,
      createGzip: () => zlib.createGzip({ level: 6, flush: constants.Z_SYNC_FLUSH }),
      createZstdCompress: () =>
        zlib.createZstdCompress({
          flush: constants.ZSTD_e_flush,
          params: { [constants.ZSTD_c_compressionLevel]: 3 },
        }),
      gzipSync: (data: zlib.InputType) => zlib.gzipSync(data, { level: 6 }),
      zstdCompressSync: (data: zlib.InputType) =>
        zlib.zstdCompressSync(data, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
    },
  })
}
