import type { CalibrationResult } from '@radx/contracts/calibration'
import type { LandUseClass } from '@radx/contracts/landuse'
import { shareOf } from '@radx/hydrology/calibration/search'
import { formatNumberFr } from '@radx/locale/format-fr'
import { parameterFr } from './parameters.ts'

/** A score is told to differ from another by this much. */
const NOTED = 0.02
/** Validation this far below calibration says that the fit does not carry over. */
const GAP = 0.2
/** A fit this bad is told. */
const POOR = 0.5
/** A value this near its bound, as a share of the way between both, stands at it. */
const AT_BOUND = 0.01
/** Good trials over more than this share of the bounds say that the measurements do not tell the parameter. */
const WIDE = 0.6

const NAME = { nse: 'NSE', kge: 'KGE' } as const

/** What whoever uses a fitted set has to know, French; what weighs most first. */
export function warningsOf(result: CalibrationResult, classes: readonly LandUseClass[]): string[] {
  const { before, after, objective, failed, trials, parameters } = result
  const name = NAME[objective]
  const said = (value: number) => formatNumberFr(value, 2)
  const warnings: string[] = []
  if (after.validation === null)
    warnings.push(
      'Aucun épisode de validation : rien ne dit que ce jeu vaut pour d’autres pluies que celles du calage.',
    )
  else {
    if (before.validation !== null && after.validation < before.validation - NOTED)
      warnings.push(
        `Le calage dégrade la validation : ${name} de ${said(before.validation)} avant à ${said(after.validation)} après sur les épisodes que le calage n’a pas vus. Ne pas employer ce jeu sans comprendre pourquoi.`,
      )
    if (after.calibration !== null && after.calibration - after.validation > GAP)
      warnings.push(
        `La validation reste loin du calage (${name} ${said(after.validation)} contre ${said(after.calibration)}) : le jeu suit les épisodes de calage plus que le bassin.`,
      )
  }
  for (const { use, event, series, before: was, after: is } of result.scores) {
    const [old, now] = [was?.[objective] ?? null, is?.[objective] ?? null]
    if (
      use === 'validation' &&
      old !== null &&
      now !== null &&
      now < old - NOTED &&
      after.validation !== null
    )
      warnings.push(
        `Validation, ${event}, ${series} : ${name} de ${said(old)} avant à ${said(now)} après le calage.`,
      )
  }
  if (after.calibration !== null && after.calibration < POOR)
    warnings.push(
      `Même calé, le modèle suit mal les mesures (${name} ${said(after.calibration)}) : vérifier la pluie, les dates, les unités et le lieu des mesures avant les paramètres.`,
    )
  if (
    after.calibration !== null &&
    before.calibration !== null &&
    after.calibration - before.calibration < NOTED
  )
    warnings.push(
      `Le calage n’apporte presque rien (${name} de ${said(before.calibration)} à ${said(after.calibration)}).`,
    )
  for (const parameter of parameters) {
    const share = shareOf(parameter, parameter.value)
    if (share < AT_BOUND || share > 1 - AT_BOUND)
      warnings.push(
        `${parameterFr(parameter, classes)} : la valeur trouvée est à la borne ${share < 0.5 ? 'basse' : 'haute'} ; le modèle compense peut-être autre chose.`,
      )
    if (parameter.before < parameter.min || parameter.before > parameter.max)
      warnings.push(
        `${parameterFr(parameter, classes)} : la valeur du bassin est hors des bornes ; le calage est parti de la borne la plus proche.`,
      )
    const width = shareOf(parameter, parameter.high) - shareOf(parameter, parameter.low)
    if (width > WIDE)
      warnings.push(
        `${parameterFr(parameter, classes)} : les mesures ne le déterminent pas, de bons essais couvrent ${Math.round(100 * width)} % des bornes.`,
      )
  }
  const silent = result.scores.filter(({ before: was }) => was === null || was.nse === null)
  for (const { event, series } of silent)
    warnings.push(
      `${event}, ${series} : trop peu de mesures, ou qui ne varient pas ; la série ne compte pas.`,
    )
  if (failed > 0) warnings.push(`${failed} essais sur ${trials} n’ont pu être calculés.`)
  return warnings
}
