import {
  CALIBRATED_FR,
  type CalibrationParameter,
  type ParameterValue,
  parameterKey,
} from '@radx/contracts/calibration'
import { RadxError } from '@radx/contracts/errors'
import type { LandUseClass } from '@radx/contracts/landuse'
import type { SewerNetwork } from '@radx/contracts/sewer'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'

class ParameterError extends RadxError {
  override readonly name = 'ParameterError'
  constructor(messageFr: string) {
    super('calibration.parameter', 422, messageFr)
  }
}

/** What parameters change of a run. */
export interface Parametered {
  catchment: CatchmentPackage
  classes: readonly LandUseClass[]
}

type Named = Pick<ParameterValue, 'kind' | 'code'>

/** In words, with the class where it is one's: « rugosité de Manning, Route (code 2) ». */
export function parameterFr({ kind, code }: Named, classes: readonly LandUseClass[]): string {
  if (code === undefined)
    return kind === 'roughness' || kind === 'kh'
      ? `${CALIBRATED_FR[kind]}, facteur sur toutes les classes`
      : kind === 'sewerRoughness'
        ? `${CALIBRATED_FR[kind]}, facteur`
        : CALIBRATED_FR[kind]
  const title = classes.find((entry) => entry.code === code)?.title
  return `${CALIBRATED_FR[kind]}, ${title ? `${title} (code ${code})` : `code ${code}`}`
}

/**
 * What the parameters are without a fit: the class's own value, a factor of 1, no imperviousness, gullies that take all.
 * @throws ParameterError where a parameter can change nothing in such a run
 */
export function valueBefore(
  named: Named,
  parts: Parametered,
  options: { soil: boolean; drainage: boolean },
): number {
  const { kind, code } = named
  const refuse = (why: string) => {
    throw new ParameterError(`${parameterKey(named)} : ${why}`)
  }
  const { catchment, classes } = parts
  const entry = classOf(named, parts)
  const soil = kind === 'kh' || kind === 'imperviousness'
  if (soil && !options.soil) refuse('le module de sol est coupé, rien ne s’infiltre.')
  if (soil && entry?.measure) refuse('la classe est un ouvrage de stockage, qui n’a pas ce sol.')
  if (kind === 'imperviousness' && entry && !(entry.kh > 0))
    refuse('cette classe ne laisse déjà rien s’infiltrer (kh vaut 0).')
  if (kind === 'kh' && code === undefined && !classes.some(({ kh }) => kh > 0))
    refuse('aucune classe ne s’infiltre, un facteur n’y change rien.')
  if (kind === 'gullyEfficiency' && catchment.gullies.length === 0) refuse('le bassin n’a pas d’avaloir.')
  if (kind === 'gullyEfficiency' && !options.drainage) refuse('le module de drainage est coupé.')
  if (kind === 'sewerRoughness' && !catchment.network.links.some((link) => link.kind === 'conduit'))
    refuse('le bassin n’a pas de conduite.')
  if (kind === 'imperviousness') return 0
  if (entry) return kind === 'roughness' ? entry.nmanningov : entry.kh
  return 1
}

/** @throws ParameterError for a code that the table lacks, or that is open water */
function classOf({ kind, code }: Named, { catchment, classes }: Parametered): LandUseClass | null {
  if (code === undefined) return null
  const entry = classes.find((known) => known.code === code)
  if (!entry || code === catchment.catchment.permanentWaterCode)
    throw new ParameterError(
      `${parameterKey({ kind, code })} : le code ${code} ${entry ? 'est celui de l’eau' : 'n’est pas dans la table d’occupation des sols'}. Codes possibles : ${classes
        .filter((known) => known.code !== catchment.catchment.permanentWaterCode)
        .map((known) => `${known.code} (${known.title})`)
        .join(', ')}.`,
    )
  return entry
}

/**
 * A run's parts with the values of parameters. Factors come after the values of single classes. An impervious share p of a class
 * lets in what the rest of its ground does: kh and the moisture deficit times 1 - p, which in Green and Ampt's law
 * f = kh (1 + psi dtheta / F) gives (1 - p) f, whatever F.
 *
 * @throws ParameterError for a code that the table lacks
 */
export function withParameters<T extends Parametered>(parts: T, values: readonly ParameterValue[]): T {
  for (const value of values) classOf(value, parts)
  const of = (kind: ParameterValue['kind'], code?: number) =>
    values.find((value) => value.kind === kind && value.code === code)?.value
  const [nFactor, khFactor] = [of('roughness') ?? 1, of('kh') ?? 1]
  const classes = parts.classes.map((entry) => {
    const { code } = entry
    const pervious = 1 - (of('imperviousness', code) ?? 0)
    return {
      ...entry,
      nmanningov: (of('roughness', code) ?? entry.nmanningov) * nFactor,
      kh: (of('kh', code) ?? entry.kh) * khFactor * pervious,
      soilmd: entry.soilmd * pervious,
    }
  })
  const [efficiency, conduits] = [of('gullyEfficiency'), of('sewerRoughness')]
  const { gullies, network } = parts.catchment
  const catchment: CatchmentPackage = {
    ...parts.catchment,
    ...(efficiency !== undefined && { gullies: gullies.map((gully) => ({ ...gully, efficiency })) }),
    ...(conduits !== undefined && { network: roughened(network, conduits) }),
  }
  return { ...parts, catchment, classes }
}

const roughened = (network: SewerNetwork, factor: number): SewerNetwork => ({
  ...network,
  links: network.links.map((link) =>
    link.kind === 'conduit' ? { ...link, roughness: link.roughness * factor } : link,
  ),
})

/** @throws ParameterError where a set names a class that a run's table lacks */
export function checkFits(values: readonly ParameterValue[], parts: Parametered): void {
  for (const value of values) classOf(value, parts)
}

/** Which set a run has, in a line of its log. */
export function parametersFr(
  { name, values }: { name: string; values: readonly ParameterValue[] },
  classes: readonly LandUseClass[],
): string {
  const told = values.map((one) => `${parameterFr(one, classes)} ${figureFr(one.value)}`)
  return `Jeu de paramètres « ${name} » : ${told.join(' ; ')}`
}

/** Four figures that count, small numbers with their power of ten. */
export const figureFr = (value: number): string =>
  (value !== 0 && Math.abs(value) < 1e-3
    ? value.toExponential(3)
    : String(Number(value.toPrecision(4)))
  ).replace('.', ',')

/** @throws ParameterError for one that comes twice */
export function checkParameters(parameters: readonly CalibrationParameter[]): void {
  const keys = parameters.map(parameterKey)
  const twice = keys.find((key, k) => keys.indexOf(key) !== k)
  if (twice !== undefined) throw new ParameterError(`Le paramètre ${twice} est donné deux fois.`)
}
