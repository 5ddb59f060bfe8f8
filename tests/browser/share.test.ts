import { readFileSync } from 'node:fs'
import type { Browser, Download, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FixtureServer, startFixtureServer } from './fixture-server.ts'
import { axe, DIST, type OpenPage, openBrowser, openPage, waitForFrame } from './support.ts'

// What leaves the live page as a file, and what other sites may show of it.

const NEWEST = Date.UTC(2026, 10, 21, 2, 42, 10)
const FRAMES = 6

let browser: Browser
let server: FixtureServer
let home: OpenPage

beforeAll(async () => {
  browser = await openBrowser()
  server = await startFixtureServer({ dist: DIST, frames: FRAMES, newest: NEWEST })
  home = await openPage(browser, server.url)
  await waitForFrame(home.page)
  await home.page.getByRole('button', { name: 'Partager cette vue' }).click()
  await home.page.getByRole('tab', { name: 'Image' }).waitFor()
})
afterAll(async () => {
  await home?.close()
  await browser?.close()
  await server?.close()
})

async function saved(page: Page, button: RegExp): Promise<{ name: string; bytes: Buffer }> {
  const coming: Promise<Download> = page.waitForEvent('download', { timeout: 110_000 })
  await page.getByRole('button', { name: button }).click()
  const download = await coming
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

test('the view leaves as a picture with its legend, and the dialog can be read by everybody', async () => {
  const { page } = home
  const { name, bytes } = await saved(page, /Enregistrer l/)
  expect(name).toMatch(/-radar-.*-20261121T0242Z\.png$/)
  const picture = PNG.sync.read(bytes)
  expect(picture.width).toBeGreaterThan(300)
  const colors = new Set<string>()
  for (let k = 0; k < picture.data.length; k += 4) colors.add(picture.data.subarray(k, k + 3).toString('hex'))
  // Classes of the legend that no cell of the fixture has.
  for (const color of ['8b0000', 'ff1fd1', '0b3aa8']) expect(colors, color).toContain(color)
  expect((await axe(page).include('[role=dialog]').analyze()).violations).toEqual([])
}, 120_000)

test.each(['MP4', 'WebM', 'GIF'])(
  'the images of the window leave as %s, which a browser plays',
  async (format) => {
    const { page } = home
    await page.getByRole('tab', { name: 'Animation' }).click()
    await page.getByLabel(format, { exact: true }).check()
    const { name, bytes } = await saved(page, /Faire l/)
    expect(name).toMatch(new RegExp(`\\.${format.toLowerCase()}$`))
    const data = bytes.toString('base64')
    // A page without a policy of its own may play what it is given; one of a site reads pictures.
    const player = format === 'GIF' ? home : await openPage(browser, 'about:blank')
    const seen = await player.page.evaluate(
      async ({ data, format }) => {
        const raw = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
        if (format === 'GIF') {
          const decoder = new ImageDecoder({ data: raw, type: 'image/gif' })
          await decoder.tracks.ready
          const count = decoder.tracks.selectedTrack!.frameCount
          const { image } = await decoder.decode({ frameIndex: count - 1 })
          return { width: image.displayWidth, height: image.displayHeight, count, seconds: null }
        }
        const video = document.createElement('video')
        video.src = `data:video/${format.toLowerCase()};base64,${data}`
        await new Promise((done, fail) => {
          video.onloadeddata = done
          video.onerror = () => fail(new Error(video.error?.message))
        })
        const { videoWidth: width, videoHeight: height, duration: seconds } = video
        return { width, height, count: null, seconds }
      },
      { data, format },
    )
    if (player !== home) await player.close()
    expect(seen).toMatchObject({ width: 1280, height: 720 })
    if (format === 'GIF') expect(seen.count).toBe(FRAMES)
    else expect(seen.seconds).toBeCloseTo(FRAMES / 10, 1)
  },
  120_000,
)

test('an animation under way is cancelled, and says so', async () => {
  const { page } = home
  await page.getByLabel('1920 × 1080', { exact: true }).check()
  await page.getByRole('button', { name: /Faire l/ }).click()
  await page.getByRole('button', { name: 'Annuler' }).click()
  await page.getByText('L’animation est annulée.').waitFor()
  await page.getByLabel('1280 × 720', { exact: true }).check()
})

test('the code for another site leads to a view that uses no session, whoever is signed in', async () => {
  const { page } = home
  await page.getByRole('tab', { name: 'Intégrer' }).click()
  const code = await page.getByLabel('Code à coller').inputValue()
  const src = /src="([^"]+)"/.exec(code)?.[1] ?? ''
  expect(src).toBe(`${server.url}/embed/direct`)
  const session = {
    ...{ name: 'demo', token: 'secret', roles: [], avatar: null, shapefiles: [], csv: 'semicolon' },
    ...{ restriction: { start: null, end: null }, expiresIn: 3_600_000, expiration: Date.now() + 3_600_000 },
  }
  const framed = await openPage(browser, 'about:blank', {
    storage: { 'radx-session': JSON.stringify(session) },
  })
  const sent: string[] = []
  framed.page.on('request', (request) => {
    if (request.headers().authorization !== undefined) sent.push(request.url())
  })
  await framed.page.goto(src)
  await waitForFrame(framed.page)
  expect(await framed.page.getByTestId('clock').textContent()).toBe('21/11/2026 - 03:42:10 (UTC+1)')
  await framed.page.getByRole('button', { name: /^Image précédente/ }).click()
  await expect
    .poll(() => framed.page.getByTestId('clock').textContent())
    .toBe('21/11/2026 - 03:38:44 (UTC+1)')
  expect(await framed.page.getByRole('link', { name: /^Ouvrir dans/ }).getAttribute('target')).toBe('_blank')
  expect(await framed.page.getByRole('banner').count()).toBe(0)
  await framed.page.goto(`${server.url}/embed/analyse?v=1`)
  await framed.page.getByText(/demande une connexion/).waitFor()
  expect(sent).toEqual([])
  expect(framed.errors).toEqual([])
  await framed.close()
}, 60_000)
