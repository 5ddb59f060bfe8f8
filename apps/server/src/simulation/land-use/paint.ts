import { GULLY_CODE, LAND_USE_NODATA, type LuseConfig, type LuseUpdate } from '@radx/contracts'
import { SimulationFormError } from '../errors.ts'

export interface PaintOn {
  codes: Int16Array
  ncols: number
  nrows: number
  configs: readonly LuseConfig[]
  /** 1 = may be edited; null without a case study. */
  mask: Uint8Array | null
}

/**
 * Land use after painting. The rules of the editor hold on the server too: gullies and empty cells stay,
 * a mask bounds what may change, every code has its row in the table.
 * @throws SimulationFormError
 */
export function paint(
  updates: readonly LuseUpdate[],
  { codes, ncols, nrows, configs, mask }: PaintOn,
): Int16Array {
  const known = new Set(configs.map(({ code }) => code))
  const painted = codes.slice()
  const refuse = (messageFr: string, update: LuseUpdate) =>
    new SimulationFormError('luseUpdates', messageFr, { ...update })
  for (const update of updates) {
    const { i, j, value } = update
    if (i < 0 || j < 0 || i >= nrows || j >= ncols)
      throw refuse(`La cellule (${i}, ${j}) est hors de la grille de ${nrows} × ${ncols}.`, update)
    const cell = i * ncols + j
    if (codes[cell] === LAND_USE_NODATA)
      throw refuse(`La cellule (${i}, ${j}) est hors du bassin et ne peut être peinte.`, update)
    if (codes[cell] === GULLY_CODE)
      throw refuse(`La cellule (${i}, ${j}) porte un avaloir et ne peut être peinte.`, update)
    if (mask && mask[cell] !== 1)
      throw refuse(`La cellule (${i}, ${j}) est hors de la zone d’étude et ne peut être peinte.`, update)
    if (!known.has(value) || value === GULLY_CODE)
      throw refuse(`Le code ${value} n’est pas dans la table d’occupation des sols.`, update)
    painted[cell] = value
  }
  return painted
}

/** @throws SimulationFormError for a code twice or a colour that is none; soil values were held by the form */
export function checkConfigs(configs: readonly LuseConfig[]): void {
  const codes = new Set<number>()
  for (const config of configs) {
    const refuse = (messageFr: string) =>
      new SimulationFormError('luseConfigs', `${config.title} : ${messageFr}`)
    if (codes.has(config.code)) throw refuse(`le code ${config.code} est donné deux fois.`)
    codes.add(config.code)
    if (!/^#[0-9a-f]{6}$/i.test(config.color)) throw refuse('la couleur doit être de la forme #rrggbb.')
  }
}

const PROPERTIES = ['kh', 'capsh', 'soilmd', 'nmanningov', 'interceptionclass'] as const

/**
 * A code that is new to a file may bring no property that no ground of the known tables has.
 * @param known tables of the file and of the platform
 * @throws SimulationFormError
 */
export function checkNewCodes(
  configs: readonly LuseConfig[],
  own: readonly LuseConfig[],
  known: readonly LuseConfig[],
): void {
  const codes = new Set(own.map(({ code }) => code))
  for (const config of configs) {
    if (codes.has(config.code)) continue
    for (const key of PROPERTIES) {
      const values = known.map((each) => each[key])
      const [least, most] = [Math.min(...values), Math.max(...values)]
      if (!(config[key] >= least && config[key] <= most))
        throw new SimulationFormError(
          'luseConfigs',
          `${config.title} : ${key} doit être entre ${least} et ${most}, comme dans la table. Seuls les gestionnaires peuvent en sortir.`,
        )
    }
  }
}

/** Whether a property that only managers may change differs from the file's own table. */
export function changedProperties(configs: readonly LuseConfig[], own: readonly LuseConfig[]): boolean {
  const byCode = new Map(own.map((config) => [config.code, config]))
  return configs.some((config) => {
    const before = byCode.get(config.code)
    if (!before) return false
    return (
      PROPERTIES.some((key) => before[key] !== config[key]) || before.measure?.kind !== config.measure?.kind
    )
  })
}
