/**
 * `node tools/film.ts`: makes the introduction film of the simulation screen out of a run of the demonstration
 * catchment: WebM (VP9), MP4 (H.264), poster and French captions, beside IntroVideo.tsx. Chromium draws the
 * frames and encodes VP9; H.264 comes from FFmpeg as WebAssembly, to be installed for the occasion
 * (`npm i --no-save @ffmpeg/core@0.12.10`). Half an hour where no graphics card helps to draw. To look at it
 * while changing it:
 *
 *   --still 2,16.5    writes PNG pictures of these seconds
 *   --part 12,15      makes the film of these seconds only
 *   --out DIR         writes there instead
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { openBrowser } from '../tests/browser/support.ts'
import type { FilmRun } from './film/film-run.ts'
import { toH264 } from './film/h264.ts'
import type { FilmPage } from './film/page.ts'
import { filmRun } from './film/run.ts'
import { DURATION_S, FPS, HEIGHT, POSTER_S, WIDTH, webVtt } from './film/story.ts'

declare const window: { film: FilmPage; progress(frame: number, frames: number): void }

const ROOT = resolve(import.meta.dirname, '..')
const VIDEO = join(ROOT, 'apps/web/src/features/simulation/list/video')
const FONTS = join(ROOT, 'node_modules/@expo-google-fonts/inter')
const WEIGHTS: Record<string, string> = {
  400: '400Regular',
  500: '500Medium',
  600: '600SemiBold',
  700: '700Bold',
}
const ORIGIN = 'https://film.invalid'
/** Bit a second; the file stays below 3 MB. */
const H264_BITRATE = 620_000

type Typed = 'elevationM' | 'codes' | 'depthMm' | 'maxDepthM' | 'filling' | 'overflowing'
const ARRAYS: Record<Typed, 'Float32Array' | 'Int16Array' | 'Uint16Array' | 'Uint8Array'> = {
  elevationM: 'Float32Array',
  codes: 'Int16Array',
  depthMm: 'Uint16Array',
  maxDepthM: 'Float32Array',
  filling: 'Uint8Array',
  overflowing: 'Uint8Array',
}

const { values: options } = parseArgs({
  options: { still: { type: 'string' }, part: { type: 'string' }, out: { type: 'string', default: VIDEO } },
})
const run = await filmRun()
console.log(
  `calcul : ${run.minutes} min en ${run.wallSeconds.toFixed(1)} s, bilan ${run.balance.relativeError}`,
)
const browser = await openBrowser()
try {
  const page = await openFilm(run)
  const [fromS, toS] = (options.part ?? `0,${DURATION_S}`).split(',').map(Number)
  if (options.still === undefined) await writeFilm(page, [fromS, toS])
  else
    for (const time of options.still.split(',')) {
      const picture = await page.evaluate((s) => window.film.still(s), Number(time))
      writeFileSync(join(options.out, `film-${time}.png`), bytesOf(picture))
    }
} finally {
  await browser.close()
}

async function writeFilm(page: Page, part: [fromS: number, toS: number]): Promise<void> {
  await page.exposeFunction('progress', (frame: number, frames: number) => {
    if (frame % (FPS * 5) === 0) console.log(`image ${frame} sur ${frames}`)
  })
  const { film, master } = await page.evaluate(
    (seconds) => window.film.encode(seconds, (...counts) => window.progress(...counts)),
    part,
  )
  const files: [name: string, bytes: Buffer | string][] = [
    ['introduction.webm', Buffer.from(film, 'base64')],
    ['introduction.mp4', await toH264(browser, Buffer.from(master, 'base64'), H264_BITRATE)],
    ['introduction.jpg', bytesOf(await page.evaluate((s) => window.film.poster(s), POSTER_S))],
    ['introduction.vtt', webVtt()],
  ]
  for (const [name, bytes] of files) {
    writeFileSync(join(options.out, name), bytes)
    console.log(`${name} : ${Math.round(Buffer.byteLength(bytes) / 1024)} Ko`)
  }
}

async function openFilm(film: FilmRun): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } })
  page.on('pageerror', (error) => console.error(error))
  page.on('console', (message) => console.log('page :', message.text()))
  const script = await bundle()
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    const font = /^\/inter-(\d+)\.ttf$/.exec(pathname)
    if (font) {
      const name = WEIGHTS[font[1]]
      return route.fulfill({ body: readFileSync(join(FONTS, name, `Inter_${name}.ttf`)) })
    }
    if (pathname === '/film.js') return route.fulfill({ body: script, contentType: 'text/javascript' })
    const array = pathname.slice(1) as Typed
    if (Object.hasOwn(ARRAYS, array)) {
      const { buffer, byteOffset, byteLength } = film[array]
      return route.fulfill({ body: Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength) })
    }
    return route.fulfill({ body: '<!doctype html><body style="margin:0"></body>', contentType: 'text/html' })
  })
  await page.goto(`${ORIGIN}/`)
  await page.addScriptTag({ url: `${ORIGIN}/film.js`, type: 'module' })
  await page.waitForFunction(() => window.film !== undefined)
  const plain = Object.fromEntries(Object.entries(film).filter(([key]) => !Object.hasOwn(ARRAYS, key)))
  await page.evaluate(
    async ({ plain, arrays }) => {
      const kinds = { Float32Array, Int16Array, Uint16Array, Uint8Array }
      const read = async ([name, kind]: [string, keyof typeof kinds]) => [
        name,
        new kinds[kind](await (await fetch(`/${name}`)).arrayBuffer()),
      ]
      const typed = Object.fromEntries(await Promise.all(arrays.map(read)))
      await window.film.load({ ...plain, ...typed } as FilmRun)
    },
    { plain, arrays: Object.entries(ARRAYS) as [string, 'Float32Array'][] },
  )
  return page
}

/** The page's script with everything that it imports. */
async function bundle(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2024',
      lib: { entry: join(import.meta.dirname, 'film/page.ts'), formats: ['es'] },
    },
  })
  const outputs = Array.isArray(made) ? made : [made]
  for (const one of outputs)
    if ('output' in one) for (const chunk of one.output) if (chunk.type === 'chunk') return chunk.code
  throw new Error('the bundler made nothing')
}

function bytesOf(dataAddress: string): Buffer {
  return Buffer.from(dataAddress.split(',')[1], 'base64')
}
