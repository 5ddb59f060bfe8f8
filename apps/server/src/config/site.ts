import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { catchmentsSchema, type PublicSite, RADX_VERSION, type Site, siteSchema } from '@radx/contracts'
import { withVolumes } from '@radx/demo/volume-product'
import { lawIssues } from '@radx/rainfall/storms/montana'
import type { z } from 'zod'
import { Catchments } from './catchments.ts'
import { ConfigError } from './config-error.ts'
import { describeIssue } from './issue.ts'

export interface LoadedSite {
  site: Site
  catchments: Catchments
}

/**
 * Reads `site.json` and `catchments.geojson` of a site folder.
 * @param demo whether the demonstration feeds it: then there is the product of its polar volumes as well
 * @throws ConfigError naming the file and, where one is wrong, the field
 */
export async function loadSite(siteDir: string, demo = false): Promise<LoadedSite> {
  const sitePath = join(siteDir, 'site.json')
  const site = parse(sitePath, siteSchema, await readJson(sitePath))
  checkMontana(sitePath, site)
  const catchmentsPath = join(siteDir, 'catchments.geojson')
  const catchments = new Catchments(parse(catchmentsPath, catchmentsSchema, await readJson(catchmentsPath)))
  if (site.defaultCatchment !== null && !catchments.find(site.defaultCatchment))
    throw new ConfigError(
      'site',
      `Fichier ${sitePath}, champ defaultCatchment : le bassin « ${site.defaultCatchment} » n'est pas dans ${catchmentsPath}.`,
      { file: sitePath, field: 'defaultCatchment' },
    )
  return { site: demo ? withVolumes(site) : site, catchments }
}

/** Holds the tables of return periods against what Montana's law allows. @throws ConfigError naming the line */
function checkMontana(sitePath: string, { montana }: Site): void {
  montana.forEach(({ laws, id }, k) => {
    const [issue] = lawIssues(laws)
    if (!issue) return
    const field = `montana.${k}.laws.${issue.index}.${issue.field}`
    throw new ConfigError('site', `Fichier ${sitePath}, champ ${field} (${id}) : ${issue.messageFr}`, {
      file: sitePath,
      field,
    })
  })
}

/** What the browser gets of the site. */
export function publicSite(site: Site, demo: boolean): PublicSite {
  const { id, name, timeZone, radar, map, tiles, products, towns, rivers, analytics } = site
  return {
    id,
    name,
    version: RADX_VERSION,
    timeZone,
    demo,
    radar,
    map,
    tiles: publicTiles(tiles),
    products,
    defaultProduct: site.defaultProduct,
    defaultCatchment: site.defaultCatchment,
    hasStation: site.station !== null,
    microRainRadar: site.microRainRadar && {
      name: site.microRainRadar.name,
      position: site.microRainRadar.position,
    },
    towns,
    rivers,
    analytics,
    embedding: site.embed.origins.length > 0,
  }
}

/** A base map that lies in the site folder goes out below `/site/`. */
function publicTiles(tiles: Site['tiles']): Site['tiles'] {
  if (tiles.kind !== 'pmtiles') return tiles
  const address = (path: string) => (/^https?:/.test(path) ? path : `/site/${path.replace(/^\.?\//, '')}`)
  return { ...tiles, path: address(tiles.path), glyphs: tiles.glyphs && address(tiles.glyphs) }
}

async function readJson(path: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    throw new ConfigError(
      'site',
      code === 'ENOENT'
        ? `Le fichier ${path} n'existe pas. SITE_DIR désigne le dossier de la configuration du site.`
        : `Le fichier ${path} ne peut pas être lu (${code}).`,
      { file: path },
      cause,
    )
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigError(
      'site',
      `Le fichier ${path} n'est pas un JSON valide : ${(cause as Error).message}.`,
      { file: path },
      cause,
    )
  }
}

function parse<S extends z.ZodType>(path: string, schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.map(describeIssue)
  const shown = issues.slice(0, 10).map(({ field, message }) => `\n  ${field || '(racine)'} : ${message}`)
  const more = issues.length > 10 ? `\n  et ${issues.length - 10} de plus` : ''
  throw new ConfigError('site', `Le fichier ${path} est refusé :${shown.join('')}${more}`, {
    file: path,
    issues,
  })
}
