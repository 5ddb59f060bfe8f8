import { defaultConfigs } from '../catchment/library.ts'
import type { LuseRow } from './luse-files.ts'
import { MARKET } from './market-classes.ts'

/** The file's own table, then the classes of the default table that it lacks, not selected. */
export function withMarket(
  own: LuseRow['configs'],
  permanentWaterCode: number | undefined,
): LuseRow['configs'] {
  const codes = new Set(own.map(({ code }) => code))
  const titles = new Set(own.map(({ title }) => title))
  const others = [...defaultConfigs(permanentWaterCode), ...MARKET].filter(
    ({ code, title }) => !codes.has(code) && !titles.has(title),
  )
  return [
    ...own.map((c) => ({ ...c, isSelected: true })),
    ...others.map((c) => ({ ...c, isSelected: false })),
  ]
}
