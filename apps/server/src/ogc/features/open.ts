import type { Gauge } from '@radx/contracts'
import { boundsOfPolygons } from '@radx/rainfall'
import type { FastifyRequest } from 'fastify'
import type { Catchment } from '../../config/catchments.ts'
import { Gauges } from '../../gauges/api.ts'
import type { Deps } from '../../http/app.ts'
import { allowPeriod, bearerToken } from '../../http/authorize.ts'
import { holdCatchment, readerOf } from '../../http/catchment-rights.ts'
import { NotFound, Unauthenticated } from '../../http/errors.ts'
import type { Session } from '../../http/sessions.ts'
import { findJob, jobUser } from '../../jobs/api.ts'
import { listNetworks, NETWORK, ownNetwork, toRun, versionFiles, versionRows } from '../../networks/api.ts'
import { type CatchmentLibrary, type FinishedRun, finishedRun, finishedRuns } from '../../simulation/api.ts'
import { publicAddress } from '../public-address.ts'
import type { Described } from './collections.ts'
import type { Elements, ElementsOf } from './elements.ts'
import type { Position } from './geometry.ts'
import type { Feature } from './page.ts'
import type { Time } from './query.ts'
import { elementsOfRun, groundOfRun, runFeature, timeOfRun } from './run-features.ts'

/** Newest runs that the collection of runs has, and whose own collections are listed; newest networks that are. */
const RUNS_MAX = 1_000
const RUNS_LISTED = 20
const NETWORKS_LISTED = 50

/** A collection that the caller may see. */
export interface Opened extends Described {
  /** Everyone is given the same. */
  isPublic: boolean
  items:
    | {
        kind: 'features'
        list(): Promise<{ feature: Feature; time: Time | null }[]>
        /** One of them without a look at all; null where there is none. */
        find?(id: string): Promise<Feature | null>
      }
    /** Of one time, if any. */
    | { kind: 'elements'; source: Elements }
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const RUN_ID = new RegExp(`^${UUID}$`)
const RUN = new RegExp(`^run\\.(${UUID})\\.(nodes|links|streets)$`)
const NETWORK_ID = new RegExp(`^(network|network-run)\\.(${UUID})\\.(nodes|links)$`)
const CATCHMENT = /^catchment\.([a-z][a-z0-9_-]{0,80})\.(nodes|links)$/

const ELEMENTS_FR: Record<ElementsOf, string> = {
  nodes: 'nœuds du réseau',
  links: 'conduites du réseau',
  streets: 'rues inondées',
}

/** Collections, each held against the rights and dates of who asks. */
export class OpenCollections {
  private readonly deps: Deps
  private readonly library: CatchmentLibrary
  private readonly gauges: Gauges

  constructor(deps: Deps, library: CatchmentLibrary) {
    this.deps = deps
    this.library = library
    this.gauges = new Gauges(deps)
  }

  /** Those that are told without being asked for by name. */
  async list(request: FastifyRequest): Promise<Described[]> {
    const { session } = request
    if (session === null) return [this.catchments()]
    const { db } = this.deps
    const [packages, networks, runs] = await Promise.all([
      this.library.list({ ...readerOf(session), isManager: false }),
      listNetworks(db, session.name, null, NETWORKS_LISTED),
      finishedRuns(db, session, RUNS_LISTED),
    ])
    const both = ['nodes', 'links'] as const
    return [
      this.catchments(),
      this.gaugesOf(session),
      this.runs(session, request),
      ...packages.flatMap(({ id, display }) =>
        both.map((elements) => described('catchment', id, display, elements)),
      ),
      ...networks
        .filter(({ item }) => item.crs !== null)
        .flatMap(({ item }) => both.map((elements) => described('network', item.id, item.name, elements))),
      ...runs.flatMap((run) => elementsOfRun(run).map((elements) => ofRun(run, elements))),
    ]
  }

  /** @throws NotFound, Unauthenticated, Forbidden, and what leads to a catchment, run or network throws */
  async open(request: FastifyRequest, id: string): Promise<Opened> {
    const opened = await this.find(request, id)
    request.periodChecked = true
    return opened
  }

  private async find(request: FastifyRequest, id: string): Promise<Opened> {
    if (id === 'catchments') return this.catchments()
    const { session } = request
    if (session === null) throw new Unauthenticated(bearerToken(request) !== undefined)
    if (id === 'gauges') return this.gaugesOf(session)
    if (id === 'runs') return this.runs(session, request)
    const [, catchment, ofCatchment] = CATCHMENT.exec(id) ?? []
    if (catchment) return this.catchment(session, catchment, ofCatchment as ElementsOf)
    const [, run, ofRun] = RUN.exec(id) ?? []
    if (run) return this.run(request, session, run, ofRun as ElementsOf)
    const [, kind, network, ofNetwork] = NETWORK_ID.exec(id) ?? []
    if (kind === 'network') return this.network(session, network, ofNetwork as ElementsOf)
    if (kind === 'network-run') return this.networkRun(request, session, network, ofNetwork as ElementsOf)
    throw new NotFound(`La collection « ${id.slice(0, 80)} » n’existe pas.`)
  }

  private catchments(): Opened {
    const { all } = this.deps.catchments
    const { ul, lr } = boundsOfPolygons(all.flatMap(({ polygons }) => polygons))
    return {
      id: 'catchments',
      title: 'Bassins versants',
      description: 'Contours des bassins et sous-bassins du site.',
      bbox: [ul.lng, lr.lat, lr.lng, ul.lat],
      isPublic: true,
      items: {
        kind: 'features',
        list: async () => all.map((one) => ({ feature: outline(one), time: null })),
      },
    }
  }

  private gaugesOf(session: Session): Opened {
    const list = async () =>
      (await this.gauges.visible(session)).map((gauge) => ({ feature: gaugeFeature(gauge), time: null }))
    return {
      id: 'gauges',
      title: 'Pluviomètres',
      description: 'Ceux du site que le compte peut regarder, et les siens.',
      isPublic: false,
      items: { kind: 'features', list },
    }
  }

  private runs(session: Session, request: FastifyRequest): Opened {
    const { db, config } = this.deps
    const address = publicAddress(request, config)
    const find = async (id: string) => {
      const run = RUN_ID.test(id) ? await finishedRun(db, session, id) : null
      if (run?.period) allowPeriod(request, run.period.start, run.period.end)
      return run && runFeature(run, address)
    }
    const list = async () =>
      (await finishedRuns(db, session, RUNS_MAX)).map((run) => ({
        feature: runFeature(run, address),
        time: timeOfRun(run),
      }))
    return {
      id: 'runs',
      title: 'Simulations terminées',
      description: `Emprise et chiffres clés des ${RUNS_MAX} plus récentes que le compte peut voir ; leurs nœuds, conduites et rues sont des collections à elles.`,
      isPublic: false,
      items: { kind: 'features', list, find },
    }
  }

  private async catchment(session: Session, id: string, elements: ElementsOf): Promise<Opened> {
    await holdCatchment(this.deps.db, readerOf(session), id)
    const hash = await this.library.current(id)
    if (hash === undefined) throw new NotFound(`Le bassin versant « ${id} » n’existe pas.`)
    const items = { kind: 'elements', source: { elements, of: 'catchment', id, hash } } as const
    return { ...described('catchment', id, id, elements), isPublic: false, items }
  }

  private async run(
    request: FastifyRequest,
    session: Session,
    id: string,
    elements: ElementsOf,
  ): Promise<Opened> {
    const run = await finishedRun(this.deps.db, session, id)
    if (!run) throw new NotFound('Cette simulation n’existe pas, ou elle n’est pas terminée.')
    if (run.period) allowPeriod(request, run.period.start, run.period.end)
    const items = { kind: 'elements', source: { elements, of: 'run', jobId: id } } as const
    return { ...ofRun(run, elements), isPublic: false, items }
  }

  private async network(session: Session, id: string, elements: ElementsOf): Promise<Opened> {
    const { db } = this.deps
    const { name, crs } = await ownNetwork(db, id, jobUser(session))
    const [{ version: newest }] = await versionRows(db, id)
    const version = await versionFiles(db, id, newest)
    const source = { elements, of: 'network', version, crs, jobId: null } as const
    return {
      ...described('network', id, name, elements),
      isPublic: false,
      items: { kind: 'elements', source },
    }
  }

  private async networkRun(
    request: FastifyRequest,
    session: Session,
    jobId: string,
    elements: ElementsOf,
  ): Promise<Opened> {
    const { db, jobs } = this.deps
    const row = await findJob(db, jobId)
    if (row?.kind !== NETWORK || row.status !== 'done')
      throw new NotFound('Ce calcul n’existe pas, ou il n’est pas terminé.')
    const { networkId, version: number } = toRun(row)
    const { name, crs } = await ownNetwork(db, networkId, jobUser(session))
    const period = jobs.queue().radarPeriod(row)
    if (period) allowPeriod(request, period.start, period.end)
    const version = await versionFiles(db, networkId, number)
    const source = { elements, of: 'network', version, crs, jobId } as const
    return {
      ...described('network-run', jobId, name, elements),
      time: period && { startMs: period.start.getTime(), endMs: period.end.getTime() },
      isPublic: false,
      items: { kind: 'elements', source },
    }
  }
}

const described = (of: string, id: string, name: string, elements: ElementsOf): Described => ({
  id: `${of}.${id}.${elements}`,
  title: `${name} : ${ELEMENTS_FR[elements]}`,
  description: of.endsWith('run') ? 'Maximums d’une simulation terminée.' : 'Géométrie et dimensions.',
})

function ofRun(run: FinishedRun, elements: ElementsOf): Described {
  const ground = groundOfRun(run)
  const ring = ground?.type === 'Polygon' ? ground.coordinates[0] : []
  const [lngs, lats] = [ring.map(([lng]) => lng), ring.map(([, lat]) => lat)]
  return {
    ...described('run', run.id, run.spec.title, elements),
    time: timeOfRun(run),
    ...(ring.length > 0 && {
      bbox: [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)],
    }),
  }
}

const outline = ({ key, name, parent, note, polygons }: Catchment): Feature => ({
  type: 'Feature',
  id: key,
  geometry: { type: 'MultiPolygon', coordinates: polygons as Position[][][] },
  properties: { name, parent, note },
})

const gaugeFeature = ({ id, name, owner, position, measure }: Gauge): Feature => ({
  type: 'Feature',
  id,
  geometry: { type: 'Point', coordinates: [position.lng, position.lat] },
  properties: { name, owner, measure },
})
