import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  OWN_RAIN_FILES_MAX,
  OWN_RAIN_RATIO_MAX,
  OWN_RAIN_UNPACKED_MAX,
} from '@radx/contracts/own-rains-constants'
import type { Rain } from '@radx/hydrology/rain/rain'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { loadConfig } from '../config/config.ts'
import { loadSite } from '../config/site.ts'
import { isZip, unzip } from '../http/unzip.ts'
import { radarOfSite } from '../ingest/api.ts'
import { type Model, rainOfPictures, readOwnPictures } from '../simulation/rain/own/pictures.ts'
import { UsageError } from './command.ts'

/**
 * Rain of radar pictures that a command names: a zip, a folder or one file.
 * @throws UsageError for what is not there, RadxError `rain.pictures` or `rain.outside`
 */
export async function picturesOn(path: string, model: Model, warn: (remark: string) => void): Promise<Rain> {
  const kind = statSync(path, { throwIfNoEntry: false })
  if (!kind) throw new UsageError(`« ${path} » n’existe pas.`)
  const { site } = await loadSite(loadConfig().siteDir)
  const settings = { radar: radarOfSite(site), polarimetry: site.polarimetry }
  const read = async (files: readonly string[]) => {
    const pictures = await readOwnPictures(files, model, settings)
    for (const remark of pictures.remarksFr) warn(remark)
    const rain = rainOfPictures(pictures, model)
    if (rain.missingShare > 0.001)
      warn(
        `${formatQuantityFr(100 * rain.missingShare, '%', 1)} des mailles et du temps sans donnée, comptés secs.`,
      )
    console.error(
      `${formatNumberFr(pictures.frames.length)} images du ${new Date(pictures.startMs).toISOString()} au ${new Date(pictures.startMs + 1000 * pictures.durationS).toISOString()}`,
    )
    return rain
  }
  if (kind.isDirectory())
    return read(
      readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map(({ name }) => join(path, name)),
    )
  if (!(await isZip(path))) return read([path])
  const dir = mkdtempSync(join(tmpdir(), 'radx-images-'))
  try {
    await unzip(path, dir, {
      files: OWN_RAIN_FILES_MAX,
      bytes: OWN_RAIN_UNPACKED_MAX,
      ratio: OWN_RAIN_RATIO_MAX,
      keep: 'Ne gardez que les images de la période à simuler.',
      refuse: (message) => new UsageError(`${basename(path)} : ${message}`),
    })
    return await read(readdirSync(dir).map((name) => join(dir, name)))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
