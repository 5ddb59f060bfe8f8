import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, normalizePath, type Plugin } from 'vite'
import { english } from './english-plugin.ts'
import { guidePages } from './guide-plugin.ts'

const COMPRESSIBLE = /\.(?:m?js|css|html|svg|json|wasm)$/

/** Writes a `.br` and a `.gz` beside every text file, so that the server compresses nothing at run time. */
function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'radx-precompress',
    apply: 'build',
    configResolved: (config) => {
      outDir = join(config.root, config.build.outDir)
    },
    writeBundle: (_, bundle) => {
      for (const name of Object.keys(bundle)) {
        const path = join(outDir, bundle[name].fileName)
        if (!COMPRESSIBLE.test(path)) continue
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

/** Parts of the first page in the order in which they are wanted, each with the modules that it starts from. */
const FIRST_PAGE = {
  live: ['src/features/live/LiveScreen.tsx'],
  map: ['src/features/live/LiveMap.tsx'],
  column: [
    'src/features/live/ColumnContent.tsx',
    'src/map/controls/Attribution.tsx',
    'src/map/controls/Geolocate.tsx',
    'src/features/live/LiveButtons.tsx',
    'src/map/controls/Scale.tsx',
  ],
} as const
type Part = keyof typeof FIRST_PAGE

/** Files of some hundred bytes that every screen takes along: their names in the first page's script cost it more than that. */
const TINY = /\/(?:Icon[A-Z]|use-|create-|get-|noop-|px-|clamp-|to-int-)[^/]*\.js$/

/** Indexes of whole libraries, through which a module would seem to need every icon and query of every screen. */
const INDEXES = /\/tabler-icons-react\.mjs$|\/@tanstack\/(?:react-query|query-core)\/.*\/index\.js$/

/**
 * Gathers what the first page needs into few files. A module that two screens share would be a file of its own, some
 * of a hundred bytes, and over a line every one of them waits its turn.
 */
function gatherFirstPage() {
  const parts = new Map<string, Part>()
  const plugin: Plugin = {
    name: 'radx-first-page',
    apply: 'build',
    buildEnd() {
      const gather = (id: string, part: Part) => {
        if (parts.has(id)) return
        parts.set(id, part)
        const module = this.getModuleInfo(id)
        // A comment may tell of a module that the code does not use.
        const code = module?.code?.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '') ?? ''
        for (const imported of module?.importedIds ?? [])
          if (!INDEXES.test(imported)) gather(imported, part)
          else
            for (const member of this.getModuleInfo(imported)?.importedIds ?? [])
              if (new RegExp(`\\b${basename(member).replace(/\.m?js$/, '')}\\b`, 'i').test(code))
                gather(member, part)
      }
      for (const [part, starts] of Object.entries(FIRST_PAGE))
        for (const start of starts) gather(normalizePath(join(import.meta.dirname, start)), part as Part)
    },
    // The server tells them with the page, so that the browser need not run the entry to learn of them.
    generateBundle(_options, bundle) {
      const links = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' && (file.name === 'live' || file.name === 'map')
          ? [
              `</${file.fileName}>; rel=modulepreload`,
              ...[...(file.viteMetadata?.importedCss ?? [])].map(
                (css) => `</${css}>; rel=preload; as=style; crossorigin`,
              ),
            ]
          : [],
      )
      this.emitFile({ type: 'asset', fileName: '.first-page', source: links.join(', ') })
      const later = Object.values(bundle).find(({ name }) => name === 'later-screens')
      if (later === undefined) this.error('there is no file that names the other screens')
      this.emitFile({
        type: 'asset',
        fileName: '.other-pages',
        source: `</${later.fileName}>; rel=modulepreload`,
      })
    },
  }
  return { plugin, isOf: (part: Part) => (id: string) => parts.get(id) === part }
}

const firstPage = gatherFirstPage()

export default defineConfig(({ mode }) => {
  const inEnglish = mode === 'english'
  return {
    plugins: [inEnglish && english(), react(), guidePages(inEnglish), precompress(), firstPage.plugin],
    worker: { format: 'es' },
    build: {
      target: 'es2024',
      modulePreload: { resolveDependencies: (_, files) => files.filter((file) => !TINY.test(file)) },
      chunkSizeWarningLimit: 1200,
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'base', tags: ['$initial'], priority: 3 },
              { name: 'live', test: firstPage.isOf('live'), priority: 2 },
              { name: 'map', test: firstPage.isOf('map'), priority: 1 },
              { name: 'column', test: firstPage.isOf('column') },
            ],
          },
        },
      },
    },
    server: {
      proxy: Object.fromEntries(
        ['/api', '/images', '/site', '/socket.io'].map((path) => [
          path,
          { target: process.env.RADX_SERVER ?? 'http://127.0.0.1:3000', ws: path === '/socket.io' },
        ]),
      ),
    },
  }
})
