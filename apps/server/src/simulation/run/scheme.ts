import type { Equations } from '@radx/contracts'
import { GRAVITY } from '@radx/contracts/constants'
import { HydrologyError } from '@radx/hydrology/errors'
import type { Stateful, StateVisitor } from '@radx/hydrology/state/state'
import type { Scheme } from '@radx/hydrology/surface/types'

/** What a caller may ask for. */
export const SCHEMES = ['inertial', 'full', 'auto'] as const
export type SchemeChoice = (typeof SCHEMES)[number]

/** What the form's choice means for a run: the scheme, and its order where that was chosen. */
export function schemeAsked(equations: Equations = 'inertial'): { scheme: SchemeChoice; order?: 1 | 2 } {
  if (equations === 'full-1') return { scheme: 'full', order: 1 }
  if (equations === 'full-2') return { scheme: 'full', order: 2 }
  return { scheme: equations }
}

/** Which scheme has run and why, French, as run.json tells it. */
export interface SchemeTaken {
  scheme: Scheme
  /** Of the full scheme. */
  order?: 1 | 2
  schemeReason: string
  froude?: FroudeShares
}

/** Of the water deeper than 5 cm, by cells and moments looked at: share that flows faster than a Froude number. */
export interface FroudeShares {
  looked: number
  above05: number
  above1: number
}

/** Thinner water flows by friction, which both schemes have, m. */
const FROM_M = 0.05
/** Local inertia errs by per cents up to Froude 0.5 and cannot pass 1 (de Almeida and Bates 2013). */
const MOST_ABOVE_05 = 0.05
const MOST_ABOVE_1 = 0.01
/** So many looks before a run is given up for the other scheme. */
const ENOUGH = 2000

/** Raised by a run with local inertia that had better be one with the full equations. */
export class NeedsFullScheme extends Error {
  readonly froude?: FroudeShares
  /** @param froude what was measured; without it, local inertia could not go on */
  constructor(froude?: FroudeShares) {
    super('flow too fast for local inertia')
    this.froude = froude
  }
}

/**
 * What a failed run with local inertia asks for: where its steps became too short, speeds ran away that it cannot hold (water
 * that falls from a dam), which the full equations may well hold.
 */
export function needsFullScheme(error: unknown): unknown {
  return error instanceof HydrologyError && error.code === 'surface.step' ? new NeedsFullScheme() : error
}

/** Measures Froude numbers of a run with local inertia. */
export class FroudeWatch implements Stateful {
  private looked = 0
  private fast = 0
  private faster = 0

  /** Sees one cell's water: depth, m, and speed, m/s. */
  see(depthM: number, speedMS: number): void {
    if (!(depthM > FROM_M)) return
    const froude2 = (speedMS * speedMS) / (GRAVITY * depthM)
    this.looked++
    if (froude2 > 0.25) this.fast++
    if (froude2 > 1) this.faster++
  }

  /** After a look at all cells. @throws NeedsFullScheme once enough has been seen that is too fast */
  decide(): void {
    if (this.looked >= ENOUGH) this.judge()
  }

  visit(state: StateVisitor): void {
    this.looked = state.number('looked', this.looked)
    this.fast = state.number('fast', this.fast)
    this.faster = state.number('faster', this.faster)
  }

  /** What was seen so far. */
  shares(): FroudeShares {
    const share = (count: number) => (this.looked > 0 ? count / this.looked : 0)
    return { looked: this.looked, above05: share(this.fast), above1: share(this.faster) }
  }

  /** @throws NeedsFullScheme when too much is too fast */
  judge(): FroudeShares {
    const froude = this.shares()
    if (froude.above05 > MOST_ABOVE_05 || froude.above1 > MOST_ABOVE_1) throw new NeedsFullScheme(froude)
    return froude
  }
}

/** The scheme of a run and why it was taken, French. */
export const schemeFr = ({ scheme, order, schemeReason }: SchemeTaken): string =>
  `${scheme === 'full' ? `complètes, ordre ${order}` : 'inertie locale'} ; ${schemeReason}`

const percent = (share: number) =>
  `${(100 * share).toLocaleString('fr-FR', { maximumFractionDigits: 1 })}\u00a0%`

/** Why `auto` took which scheme; without shares, local inertia could not go on. */
export function reasonOf(scheme: Scheme, froude?: FroudeShares): string {
  if (!froude)
    return 'choix automatique : l’eau s’emballe avec l’inertie locale, qui ne peut continuer ; équations complètes.'
  const { above05, above1, looked } = froude
  const measured = `${percent(above05)} des mailles sous plus de 5 cm d’eau dépassent le nombre de Froude 0,5 et ${percent(above1)} le nombre 1`
  if (looked === 0) return 'choix automatique : nulle part plus de 5 cm d’eau, l’inertie locale suffit.'
  return scheme === 'full'
    ? `choix automatique : ${measured} (limites 5 % et 1 %) ; équations complètes.`
    : `choix automatique : ${measured} (limites 5 % et 1 %) ; l’inertie locale suffit.`
}
