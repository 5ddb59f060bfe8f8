import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Job, SimulationInput, UsedParameters } from '@radx/contracts'
import { coveredShare } from '@radx/rainfall/storms/moved-cover'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Deps } from '../http/app.ts'
import { NotFound } from '../http/errors.ts'
import { holdQuota } from '../http/quota.ts'
import type { Session } from '../http/sessions.ts'
import type { JobUser } from '../jobs/api.ts'
import { storeOf } from '../store/open-store.ts'
import { checkFits } from './calibration/parameters.ts'
import type { Calibrations } from './calibration/service.ts'
import type { CatchmentPackage } from './catchment/catchment-package.ts'
import { placeOf } from './catchment/grid-place.ts'
import type { CatchmentLibrary } from './catchment/library.ts'
import { checkDrains } from './catchment/measures.ts'
import { SimulationFormError } from './errors.ts'
import { completeForm, parseForm } from './form.ts'
import {
  codesOf,
  findLuseFile,
  insertLuseFile,
  isOutdated,
  keptLandUses,
  type LuseRow,
} from './land-use/luse-files.ts'
import { withMarket } from './land-use/market.ts'
import { changedProperties, checkConfigs, checkNewCodes, paint } from './land-use/paint.ts'
import { MULTIHYDRO } from './multihydro.ts'
import { gaugeRainInput } from './rain/gauge-rain.ts'
import { OwnRains } from './rain/own/own-rains.ts'
import { type RainInput, radarRain } from './rain/rain-input.ts'
import { daysBefore, soilBeforeOf } from './rain/soil-before.ts'
import type { RunInput } from './run-spec.ts'

/** Who submits, and what holds rain against the account's dates. */
export interface Submitter {
  user: JobUser
  session: Session
  allowPeriod(start: Date, end: Date): void
}

/** A form that was checked, on its way to a run. */
export interface Prepared {
  catchmentId: string
  /** Writes what the run needs in the transaction that submits it, and gives its input. */
  complete(trx: Kysely<Database>): Promise<RunInput>
}

/** Turns the form into a run. */
export class Submissions {
  private readonly deps: Deps
  private readonly library: CatchmentLibrary
  private readonly calibrations: Pick<Calibrations, 'setFor'>

  constructor(deps: Deps, library: CatchmentLibrary, calibrations: Pick<Calibrations, 'setFor'>) {
    this.deps = deps
    this.library = library
    this.calibrations = calibrations
  }

  /**
   * Checks the whole form, keeps a painted land use as a file of its own and submits the run. A form that comes again
   * with its key is the run that it became.
   */
  async submit(fields: ReadonlyMap<string, string>, by: Submitter, key: string | null = null): Promise<Job> {
    const { complete } = await this.prepare(fields, by)
    return this.deps.jobs
      .queue()
      .submit(MULTIHYDRO, complete, by.user, key === null ? null : { key, hash: hashOfForm(fields) })
  }

  /** Checks the whole form. @throws SimulationFormError naming the field, Forbidden for rain outside the account's dates */
  async prepare(fields: ReadonlyMap<string, string>, by: Submitter): Promise<Prepared> {
    const { user, allowPeriod } = by
    const input = parseForm(completeForm(fields))
    const catchment = await this.catchmentOf(input, user)
    const source = await this.sourceFile(input)
    checkConfigs(input.luseConfigs)
    const [unknownDrain] = checkDrains(input.luseConfigs, catchment.network)
    if (unknownDrain) throw new SimulationFormError('luseConfigs', unknownDrain)
    if (!user.isManager && changedProperties(input.luseConfigs, source.configs))
      throw new SimulationFormError(
        'luseConfigs',
        'Seuls les gestionnaires peuvent modifier les propriétés des codes.',
      )
    if (!user.isManager) {
      const known = withMarket(source.configs, catchment.catchment.permanentWaterCode)
      checkNewCodes(input.luseConfigs, source.configs, known)
    }
    await this.checkRain(input, catchment, fields.get('product') ?? null, allowPeriod)
    const gauge = input.gaugeRain ? await gaugeRainInput(this.deps, input.gaugeRain, by) : {}
    const soil = await this.soilBefore(input, catchment, fields.get('product') ?? null, allowPeriod)
    const parameterSet = await this.parameterSet(fields.get('parameterSet') ?? '', input, catchment, user)
    const painted = await this.painted(input, source, catchment)
    const { luseUpdates: _painted, luseConfigs: _table, ...kept } = input
    const ofArchive = input.rainfallSelection === 'radar' && !input.ownRain
    const complete = (luseId: string): RunInput => ({
      ...kept,
      ...gauge,
      ...soil,
      ...(parameterSet && { parameterSet }),
      catchmentDisplay: catchment.catchment.display,
      luseId,
      luseIdSource: source.id,
      product: ofArchive ? (fields.get('product') ?? this.deps.site.defaultProduct) : input.product,
    })
    return {
      catchmentId: input.catchmentId,
      complete: async (trx) => {
        await this.hold(trx, input.catchmentId)
        const own = input.ownRain ? await this.ownRain(trx, input.ownRain.id, input.catchmentId, user) : {}
        const luseId = painted
          ? await this.keep(trx, painted, input, catchment, source.catchment_hash, user)
          : source.id
        return { ...complete(luseId), ...own }
      },
    }
  }

  /** What a run says of pictures of one's own, held until it is submitted. */
  private async ownRain(
    trx: Kysely<Database>,
    id: string,
    catchmentId: string,
    user: JobUser,
  ): Promise<RainInput> {
    const rain = await new OwnRains(trx).hold(trx, id, catchmentId, user).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error
      throw new SimulationFormError(
        'ownRain',
        'Cette pluie d’images radar n’existe pas ou plus, ou elle est d’un autre bassin versant. Choisissez-en une autre.',
      )
    })
    return {
      ...radarRain(Date.parse(rain.start), Date.parse(rain.end)),
      ownRain: { id, name: rain.name },
    }
  }

  private async catchmentOf(input: SimulationInput, user: JobUser): Promise<CatchmentPackage> {
    const known = (await this.library.list(user)).find(({ id }) => id === input.catchmentId)
    if (!known) throw noCatchment(input.catchmentId)
    const found = await this.library.get(known.id)
    if (input.caseStudyId !== '' && !found.masks.has(input.caseStudyId))
      throw new SimulationFormError(
        'caseStudyId',
        `Ce bassin n’a pas de cas d’étude « ${input.caseStudyId} ».`,
      )
    // As its owner calls it now.
    return { ...found, catchment: { ...found.catchment, display: known.display } }
  }

  /** The fitted set that the form names, with its values as they are now; undefined without one. */
  private async parameterSet(
    id: string,
    input: SimulationInput,
    catchment: CatchmentPackage,
    user: JobUser,
  ): Promise<UsedParameters | undefined> {
    if (id === '' || id === 'none') return undefined
    const set = await this.calibrations.setFor(user, id, input.catchmentId)
    checkFits(set.values, { catchment, classes: input.luseConfigs })
    return set
  }

  /** Keeps a catchment from being deleted until the run on it is submitted. */
  private async hold(trx: Kysely<Database>, id: string): Promise<void> {
    const row = await trx
      .selectFrom('catchment')
      .select('id')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forKeyShare()
      .executeTakeFirst()
    if (!row) throw noCatchment(id)
  }

  private async sourceFile(input: SimulationInput): Promise<LuseRow> {
    const id = input.luseIdSource || input.luseId
    const file = /^[0-9a-f-]{36}$/.test(id) ? await findLuseFile(this.deps.db, id).catch(() => null) : null
    if (!file || file.catchment_id !== input.catchmentId)
      throw new SimulationFormError('luseId', 'Choisissez une carte d’occupation des sols de ce bassin.')
    const current = (await this.library.current(input.catchmentId)) ?? null
    if (isOutdated(file.catchment_hash, current))
      throw new SimulationFormError(
        'luseId',
        'Cette carte appartient à une version précédente du bassin versant. Choisissez-en une de la version actuelle.',
      )
    return file
  }

  private async checkRain(
    input: SimulationInput,
    { elevation, catchment: { crs } }: CatchmentPackage,
    productName: string | null,
    allowPeriod: (start: Date, end: Date) => void,
  ): Promise<void> {
    // A gauge's rain is held where it is read; pictures of one's own are not of the archive.
    if (input.rainfallSelection === 'virtual' || input.ownRain) return
    const [start, end] = [new Date(input.rainfallStart), new Date(input.rainfallEnd)]
    allowPeriod(start, end)
    const { index, catalog } = await storeOf(this.deps)
    const name = input.product ?? productName ?? this.deps.site.defaultProduct
    const product = catalog.products.get(name)
    if (!product) throw new SimulationFormError('product', `Le produit radar « ${name} » n’existe pas.`)
    const move = input.transposition
    if (move && coveredShare(placeOf(elevation, crs).corners, product.bounds, move) === 0)
      throw new SimulationFormError(
        'transposition',
        'La pluie transposée ne couvre plus le bassin versant : il n’y aurait aucune donnée. Rapprochez-la.',
      )
    const frames = await index.count(product, { startMs: start.getTime(), endMs: end.getTime() })
    if (frames === 0)
      throw new SimulationFormError(
        'rainfallStart',
        'L’archive n’a aucune image radar pour cette période. Choisissez-en une autre.',
      )
  }

  /** The wetness that the archive tells, where that was chosen; its days are within the account's dates. */
  private async soilBefore(
    input: SimulationInput,
    catchment: CatchmentPackage,
    productName: string | null,
    allowPeriod: (start: Date, end: Date) => void,
  ): Promise<Pick<RunInput, 'soilBefore'>> {
    if (input.soilBefore?.choice !== 'archive') return {}
    const span = daysBefore(input, this.deps.clock.now())
    allowPeriod(new Date(span.startMs), new Date(span.endMs))
    const store = await storeOf(this.deps)
    const name = input.product ?? productName ?? this.deps.site.defaultProduct
    const product = store.catalog.products.get(name)
    if (!product) throw new SimulationFormError('product', `Le produit radar « ${name} » n’existe pas.`)
    return { soilBefore: await soilBeforeOf(store, product, catchment, span) }
  }

  /** Codes of the run's own land use; null where it is the source's, and so is the table. */
  private async painted(
    input: SimulationInput,
    source: LuseRow,
    catchment: CatchmentPackage,
  ): Promise<Int16Array | null> {
    // Deeply: the database keeps the keys of its documents in an order of its own.
    const sameTable = isDeepStrictEqual(input.luseConfigs, source.configs)
    if (input.luseUpdates.length === 0 && sameTable) return null
    const { ncols, nrows } = catchment.landUse
    const mask = input.caseStudyId === '' ? null : (catchment.masks.get(input.caseStudyId) ?? null)
    const codes = paint(input.luseUpdates, {
      codes: await codesOf(source),
      ncols,
      nrows,
      configs: input.luseConfigs,
      mask,
    })
    const known = new Set(input.luseConfigs.map(({ code }) => code))
    const missing = codes.find((code) => code > 0 && !known.has(code))
    if (missing !== undefined)
      throw new SimulationFormError(
        'luseConfigs',
        `Le code ${missing} est sur la carte mais pas dans la table.`,
      )
    return codes
  }

  /** Keeps painted codes as a file of the user's. @throws QuotaReached @returns its id */
  private async keep(
    trx: Kysely<Database>,
    codes: Int16Array,
    input: SimulationInput,
    { landUse: { ncols, nrows } }: CatchmentPackage,
    catchmentHash: string | null,
    user: JobUser,
  ): Promise<string> {
    const { landUses, bytes } = this.deps.config.quotas
    holdQuota('carte', await keptLandUses(trx, user.name), { count: landUses, bytes })
    return insertLuseFile(trx, {
      catchmentId: input.catchmentId,
      catchmentHash,
      username: user.name,
      description: input.luseDesc,
      configs: input.luseConfigs,
      codes,
      ncols,
      nrows,
      edit: input.luseUpdates,
    })
  }
}

const noCatchment = (id: string) =>
  new SimulationFormError('catchmentId', `Le bassin versant « ${id} » n’existe pas.`)

/** SHA-256 of a form, whatever the order of its fields. */
export function hashOfForm(fields: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const [name, value] of [...fields].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${name.length}:${value.length}:${name}${value}`)
  return hash.digest('hex')
}
