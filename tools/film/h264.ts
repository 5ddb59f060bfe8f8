/** H.264 in MP4, in two passes of x264. Chromium's own encoder spends the same bits on a much worse picture. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'

const ORIGIN = 'https://h264.invalid'
const CORE = '@ffmpeg/core'
const VERSION = '0.12.10'

/** FFmpeg as WebAssembly runs in a worker; it takes its binary from the address behind `#`. */
const WORKER = `
import createCore from '/ffmpeg-core.js'
onmessage = async ({ data: { bytes, runs, result } }) => {
  const wasm = btoa(JSON.stringify({ wasmURL: location.origin + '/ffmpeg-core.wasm' }))
  const core = await createCore({ mainScriptUrlOrBlob: '/ffmpeg-core.js#' + wasm })
  const lines = []
  core.setLogger(({ message }) => lines.push(message))
  core.FS.writeFile('in.webm', bytes)
  for (const run of runs) {
    core.setTimeout(-1)
    if (core.exec(...run) !== 0) return postMessage({ error: lines.slice(-20).join('\\n') })
    core.reset()
  }
  postMessage({ bytes: core.FS.readFile(result) })
}`

/**
 * @param bitrate bit a second
 * @throws when FFmpeg is not installed, or with its last words when it fails
 */
export async function toH264(browser: Browser, webm: Uint8Array, bitrate: number): Promise<Buffer> {
  const dist = coreFolder()
  const page = await browser.newPage()
  try {
    await page.route(`${ORIGIN}/**`, (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname === '/ffmpeg-core.js')
        return route.fulfill({
          body: readFileSync(join(dist, 'ffmpeg-core.js')),
          contentType: 'text/javascript',
        })
      if (pathname === '/ffmpeg-core.wasm')
        return route.fulfill({
          body: readFileSync(join(dist, 'ffmpeg-core.wasm')),
          contentType: 'application/wasm',
        })
      if (pathname === '/worker.js') return route.fulfill({ body: WORKER, contentType: 'text/javascript' })
      if (pathname === '/film.webm') return route.fulfill({ body: Buffer.from(webm) })
      return route.fulfill({ body: '<!doctype html>', contentType: 'text/html' })
    })
    await page.goto(`${ORIGIN}/`)
    return Buffer.from(await page.evaluate(inWorker, passes(bitrate)), 'base64')
  } finally {
    await page.close()
  }
}

function passes(bitrate: number): string[][] {
  const common = ['-i', 'in.webm', '-an', '-c:v', 'libx264', '-preset', 'slow', '-pix_fmt', 'yuv420p']
  const pass = (n: number) => [...common, '-b:v', String(bitrate), '-pass', String(n)]
  return [
    [...pass(1), '-f', 'null', '-'],
    [...pass(2), '-movflags', '+faststart', 'out.mp4'],
  ]
}

/** In the page: the result in base64. */
async function inWorker(runs: string[][]): Promise<string> {
  const bytes = new Uint8Array(await (await fetch('/film.webm')).arrayBuffer())
  const worker = new Worker('/worker.js', { type: 'module' })
  const answer = await new Promise<{ bytes: Uint8Array; error?: string }>((done, fail) => {
    worker.onmessage = ({ data }) => done(data)
    worker.onerror = ({ message }) => fail(new Error(message))
    worker.postMessage({ bytes, runs, result: 'out.mp4' })
  })
  if (answer.error !== undefined) throw new Error(answer.error)
  let text = ''
  for (let k = 0; k < answer.bytes.length; k += 0x8000)
    text += String.fromCharCode(...answer.bytes.subarray(k, k + 0x8000))
  return btoa(text)
}

function coreFolder(): string {
  try {
    return join(fileURLToPath(import.meta.resolve(CORE)), '../../esm')
  } catch {
    throw new Error(`FFmpeg is missing. It is not among the dependencies: npm i --no-save ${CORE}@${VERSION}`)
  }
}
