import { readFile } from 'node:fs/promises'
import { ROLES } from '@radx/contracts'
import { civilDayRange } from '@radx/locale/time'
import { avatarDataUrl } from '../accounts/avatar.ts'
import type { AccountSettings } from '../accounts/service.ts'
import { UsageError } from './command.ts'

export const SETTING_OPTIONS = {
  role: { type: 'string', value: 'RÔLES', help: `rôles, séparés par des virgules (${ROLES.join(', ')})` },
  from: { type: 'string', value: 'DATE', help: "début de l'accès aux données (AAAA-MM-JJ ou instant ISO)" },
  to: { type: 'string', value: 'DATE', help: "fin de l'accès, exclue (AAAA-MM-JJ ou instant ISO)" },
  avatar: { type: 'string', value: 'FICHIER', help: 'image PNG, JPEG ou WebP, 64 kio au plus' },
  shapefile: { type: 'string', value: 'NOMS', help: 'couches du compte, séparées par des virgules' },
} as const

type Values = Partial<Record<keyof typeof SETTING_OPTIONS, string>>

/**
 * What was given on the command line; an empty value such as `--from ''` takes a setting away.
 * @param timeZone zone in which a bare date begins
 */
export async function settingsFrom(values: Values, timeZone: string): Promise<AccountSettings> {
  return {
    ...(values.role === undefined ? {} : { roles: list(values.role) }),
    ...(values.from === undefined ? {} : { restrictionStart: instant('--from', values.from, timeZone) }),
    ...(values.to === undefined ? {} : { restrictionEnd: instant('--to', values.to, timeZone) }),
    ...(values.avatar === undefined ? {} : { avatar: await avatar(values.avatar) }),
    ...(values.shapefile === undefined ? {} : { shapefiles: list(values.shapefile) }),
  }
}

const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

/** @throws UsageError */
export function instant(option: string, text: string, timeZone: string): Date | null {
  if (text === '') return null
  try {
    const date = ISO.test(text) ? new Date(text) : new Date(civilDayRange(text, timeZone).startMs)
    if (Number.isNaN(date.getTime())) throw new RangeError(text)
    return date
  } catch {
    throw new UsageError(
      `${option} « ${text} » n'est pas une date. Attendu : 2026-03-01, ou 2026-03-01T06:00:00Z.`,
    )
  }
}

async function avatar(path: string): Promise<string | null> {
  if (path === '') return null
  return avatarDataUrl(await readFileOrRefuse(path))
}

/** @throws UsageError naming the file */
export async function readFileOrRefuse(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      code === 'ENOENT'
        ? `le fichier ${path} n'existe pas.`
        : `le fichier ${path} ne peut pas être lu (${code}).`,
    )
  }
}
