import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'

export interface PackagedChromium {
  executablePath: string
  args: string[]
  env: Record<string, string>
}

/**
 * The Chromium inside an npm package, for machines without one: unpacked once for this user and version, with
 * the system libraries that it brings along.
 */
export async function packagedChromium(): Promise<PackagedChromium> {
  const { default: packaged, inflate } = await import('@sparticuz/chromium')
  const require = createRequire(import.meta.url)
  const home = dirname(dirname(require.resolve('@sparticuz/chromium')))
  const { version } = require(join(home, 'package.json')) as { version: string }
  const place = join(tmpdir(), `radx-chromium-${userInfo().uid}-${version}`)
  if (!existsSync(place)) await unpack(place, join(home, 'bin'), packaged, inflate)
  if (process.getuid && statSync(place).uid !== process.getuid())
    throw new Error(`${place} belongs to another user`)
  return {
    executablePath: join(place, 'chromium'),
    args: packaged.args.filter((arg) => !arg.startsWith('--headless')),
    env: {
      LD_LIBRARY_PATH: [join(place, 'al2023', 'lib'), place].join(':'),
      FONTCONFIG_PATH: join(place, 'fonts'),
    },
  }
}

/**
 * That Chromium runs as one process, which does not outlive the end of a page: every context gets a browser of
 * its own, which ends with it.
 */
export async function openPackaged(flags: string[]): Promise<Browser> {
  const { executablePath, args, env } = await packagedChromium()
  const open = new Set<Browser>()
  const newContext = async (options?: BrowserContextOptions) => {
    const browser = await chromium.launch({
      executablePath,
      args: [...args, ...flags],
      env: { ...process.env, ...env } as Record<string, string>,
    })
    open.add(browser)
    const context = await browser.newContext(options)
    context.close = async () => {
      open.delete(browser)
      await browser.close()
    }
    return context
  }
  const close = async () => {
    await Promise.all([...open].map((browser) => browser.close()))
  }
  return {
    newContext,
    close,
    newPage: async (o: BrowserContextOptions) => (await newContext(o)).newPage(),
  } as unknown as Browser
}

type Package = typeof import('@sparticuz/chromium')

/** Unpacks beside the place and moves there at the end: runs at the same time do not meet halfway. */
async function unpack(
  place: string,
  bin: string,
  packaged: Package['default'],
  inflate: Package['inflate'],
): Promise<void> {
  const staging = mkdtempSync(join(tmpdir(), 'radx-chromium-new-'))
  const before = process.env.TMPDIR
  // The package unpacks to the temporary folder, whatever else is there.
  process.env.TMPDIR = staging
  try {
    await packaged.executablePath(bin)
    await inflate(join(bin, 'al2023.tar.br'))
    mkdirSync(join(staging, 'fonts'), { recursive: true })
    try {
      renameSync(staging, place)
    } catch (error) {
      if (!existsSync(place)) throw error
    }
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(staging, { recursive: true, force: true })
  }
}
