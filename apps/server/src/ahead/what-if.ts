import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { type LiveSetting, RadxError, type SewerLink, type WhatIf, type WhatIfBody } from '@radx/contracts'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import type { Deps } from '../http/app.ts'
import { BadRequest } from '../http/errors.ts'
import { findJob, type JobUser, jobOutput, type Submission } from '../jobs/api.ts'
import {
  CatchmentLibrary,
  findLuseFile,
  MULTIHYDRO,
  ownLandUse,
  RAIN_FILE,
  type RunInput,
} from '../simulation/api.ts'
import { storeOf } from '../store/open-store.ts'
import type { Cycle } from './cycles.ts'
import type { CycleInput } from './steps.ts'

/** There is nothing to begin with any more, or not yet. */
class NothingToTry extends RadxError {
  constructor(messageFr: string) {
    super('ahead.whatIf', 409, messageFr)
  }
}

/** Runs from a forecast's state: one as it is, one with what somebody would change now. */
export class WhatIfs {
  private readonly deps: Deps
  private readonly library: CatchmentLibrary

  constructor(deps: Deps) {
    this.deps = deps
    this.library = new CatchmentLibrary(deps.db, deps.config)
  }

  /**
   * Submits both; the unchanged one is the account's own of that forecast, made once.
   *
   * @throws NothingToTry, BadRequest, QuotaReached, TooManyJobs
   */
  async submit(cycle: Cycle, body: WhatIfBody, user: JobUser, again: Submission | null): Promise<WhatIf> {
    const { display, links, version } = await this.town(cycle)
    const begin = await this.begin(cycle)
    checkSettings(body.settings, links)
    const own = await ownLandUse(this.deps.db, cycle.catchment_id, version)
    if (!own) throw new NothingToTry('L’occupation des sols de ce bassin n’est plus là.')
    const file = body.luseId === null ? own : await this.landUse(body.luseId, cycle)
    if (body.settings.length === 0 && file.id === own.id)
      throw new BadRequest('settings', 'settings', 'Changez au moins un réglage ou l’occupation des sols.')
    const { timeZone } = this.deps.site
    const when = formatDateTimeFr(cycle.issued, timeZone)
    const input = (luse: typeof own, settings: readonly LiveSetting[], title: string): RunInput => ({
      ...PLAIN,
      ...{ title: title.slice(0, 200), catchmentId: cycle.catchment_id, catchmentDisplay: display },
      ...{ luseId: luse.id, luseIdSource: luse.id, luseDesc: luse.description },
      ...{ rainfallStart: cycle.issued.toISOString(), rainfallEnd: begin.until, product: begin.product },
      simulationDuration: (Date.parse(begin.until) - cycle.issued.getTime()) / 3_600_000,
      live: {
        ...{ issued: cycle.issued.toISOString(), stateJob: begin.stateJob, rainJob: begin.rainJob },
        settings: [...settings],
      },
    })
    const changes = [
      ...body.settings.map((setting) => settingFr(setting, links.get(setting.name)!)),
      ...(file.id === own.id ? [] : [`sol « ${file.description || 'sans description'} »`]),
    ]
    const title = body.title || `Et si, ${when}\u00a0: ${changes.join(', ')}`
    const unchanged = await this.unchanged(
      cycle,
      input(own, [], `Sans changement, prévision de ${when}`),
      user,
    )
    try {
      const changed = await this.deps.jobs
        .queue()
        .submit(MULTIHYDRO, input(file, body.settings, title), user, again)
      return { changed: changed.id, unchanged: unchanged.id }
    } catch (error) {
      // Alone it is of no use.
      if (unchanged.isNew)
        await this.deps.jobs
          .queue()
          .cancel(unchanged.id, user)
          .catch(() => undefined)
      throw error
    }
  }

  private async town({ catchment_id: id, catchment_hash: version }: Cycle) {
    const { catchment, network } = await this.library.version(id, version)
    return {
      display: catchment.display,
      links: new Map(network.links.map((link) => [link.name, link])),
      version,
    }
  }

  private async begin(cycle: Cycle) {
    const { db } = this.deps
    if (cycle.status !== 'done') throw new NothingToTry('Cette prévision n’est pas terminée.')
    if (cycle.dry)
      throw new NothingToTry(
        'La ville est sèche et aucune pluie n’est prévue : rien ne changerait. Essayez lors de la prochaine pluie.',
      )
    const gone = new NothingToTry(
      'L’état de cette prévision n’est plus gardé : il l’est une heure environ. Repartez de la plus récente.',
    )
    const { state_job: stateJob, result_job: rainJob } = cycle
    if (stateJob === null || rainJob === null) throw gone
    const { files } = await storeOf(this.deps)
    const dirs = await Promise.all([stateJob, rainJob].map((job) => files.folder(jobOutput(job))))
    const isThere = await access(join(dirs[1] ?? '', RAIN_FILE)).then(
      () => true,
      () => false,
    )
    const row = await findJob(db, rainJob)
    if (dirs.includes(null) || !isThere || !row) throw gone
    const { product, until } = row.input as CycleInput
    return { stateJob, rainJob, product, until }
  }

  private async landUse(id: string, { catchment_id, catchment_hash }: Cycle) {
    const file = await findLuseFile(this.deps.db, id)
    if (file.catchment_id !== catchment_id || (file.catchment_hash ?? catchment_hash) !== catchment_hash)
      throw new BadRequest(
        'luseId',
        'luseId',
        'Cette occupation des sols n’est pas de ce bassin, ou d’une autre version de lui.',
      )
    return file
  }

  /** The run without a change; one that failed or was cancelled is made anew. */
  private async unchanged(
    cycle: Cycle,
    input: RunInput,
    user: JobUser,
  ): Promise<{ id: string; isNew: boolean }> {
    for (let k = 0; ; k++) {
      const again = { key: `what-if ${cycle.id} ${k}`, hash: cycle.id }
      const job = await this.deps.jobs.queue().submit(MULTIHYDRO, input, user, again)
      if (job.status !== 'error') return { id: job.id, isNew: job.status === 'pending' }
    }
  }
}

/** What every such run has in common with live forecasts: soil and drainage, local inertia. */
const PLAIN = {
  ...{ caseStudyId: '', barrier: 'false', barrierHeight: '', bassin: 'false', bassinDepth: '' },
  ...{ greenRoof: 'false', soilModule: 'true', drainageModule: 'true' },
  ...{ rainfallSelection: 'radar', virtualRainShape: null, virtualParam: null, virtualData: [] },
  equations: 'inertial',
} satisfies Partial<RunInput>

/** @throws BadRequest for a link that is not there, twice there, or cannot be set so */
function checkSettings(settings: readonly LiveSetting[], links: ReadonlyMap<string, SewerLink>): void {
  const seen = new Set<string>()
  for (const { name, setting } of settings) {
    const refuse = (why: string) => new BadRequest('settings', 'settings', why)
    const link = links.get(name)
    if (!link) throw refuse(`Le réseau n’a pas d’élément « ${name} ».`)
    if (seen.has(name)) throw refuse(`« ${name} » est réglé deux fois.`)
    seen.add(name)
    if (link.kind === 'conduit' && setting !== 0 && setting !== 1)
      throw refuse(`La conduite « ${name} » est ouverte ou fermée.`)
    if (link.kind !== 'pump' && setting > 1) throw refuse(`« ${name} » s’ouvre à 100\u202f% au plus.`)
  }
}

const KINDS: Record<SewerLink['kind'], string> = {
  conduit: 'conduite',
  pump: 'pompe',
  orifice: 'vanne',
  weir: 'seuil',
  outlet: 'ouvrage',
}

function settingFr({ name, setting }: LiveSetting, { kind }: SewerLink): string {
  const percent = `${formatNumberFr(100 * setting, 0)}\u202f%`
  if (kind === 'pump')
    return `pompe ${name} ${setting === 0 ? 'arrêtée' : setting === 1 ? 'en marche' : `à ${percent}`}`
  const isFeminine = kind === 'conduit' || kind === 'orifice'
  const ending = isFeminine ? 'e' : ''
  return `${KINDS[kind]} ${name} ${setting === 0 ? `fermé${ending}` : setting === 1 ? `ouvert${ending}` : `à ${percent}`}`
}
