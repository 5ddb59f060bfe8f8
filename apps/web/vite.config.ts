import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const COMPRESSIBLE = /\.(?:js|css|html|svg|json)$/

/** Writes a `.br` and a `.gz` beside every text file, so that the server compresses nothing at run time. */
function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'radx-precompress',
    apply: 'build',
    configResolved: (config) => {
      outDir = join(config.root, config.build.outDir)
    },
    writeBundle: () => {
      for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        const path = join(outDir, name)
        if (!COMPRESSIBLE.test(name) || !statSync(path).isFile()) continue
        const bytes = readFileSync(path)
        if (bytes.length < 1024) continue
        writeFileSync(
          `${path}.br`,
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        )
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  plugins: [react(), precompress()],
  worker: { format: 'es' },
  build: { target: 'es2024', chunkSizeWarningLimit: 1200, assetsInlineLimit: 0 },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/images', '/site', '/socket.io'].map((path) => [
        path,
        { target: process.env.RADX_SERVER ?? 'http://127.0.0.1:3000', ws: path === '/socket.io' },
      ]),
    ),
  },
})
