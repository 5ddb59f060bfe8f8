import { existsSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SOIL_STATES, type SoilState } from '@radx/contracts/simulation-constants'
import type { Rain } from '@radx/hydrology/rain/rain'
import { countFr } from '@radx/locale/format-fr'
import { loadConfig } from '../config/config.ts'
import { type CatchmentPackage, readCatchmentPackage } from '../simulation/catchment/catchment-package.ts'
import type { RainSource } from '../simulation/rain/rain-source.ts'
import { loadRain, parseRadar, parseUniform, parseVirtual } from '../simulation/rain/rain-source.ts'
import { MAX_THREADS } from '../simulation/run/kernel.ts'
import { OUTPUT } from '../simulation/run/outputs.ts'
import type { SimulationResult } from '../simulation/run/run.ts'
import { boundariesFr, measuresFr, runSimulation } from '../simulation/run/run.ts'
import type { SchemeChoice } from '../simulation/run/scheme.ts'
import { SCHEMES, schemeFr } from '../simulation/run/scheme.ts'
import type { RunOptions } from '../simulation/run-spec.ts'
import { openStateFile, readStateFile } from '../simulation/state/state-file.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { isWithoutGround, simulateNetwork } from './simulate-network.ts'

const SOURCES = {
  uniform: parseUniform,
  virtual: parseVirtual,
  rain: (path: string): RainSource => ({ kind: 'file', path }),
  radar: parseRadar,
  event: (event: string): RainSource => ({ kind: 'event', event }),
  frames: (path: string): PicturesSource => ({ kind: 'pictures', path }),
} as const

/** Radar pictures beside the archive: a zip, a folder or one file. */
interface PicturesSource {
  kind: 'pictures'
  path: string
}

/** Options that mean nothing where water runs off subcatchments of a network alone. */
const OF_THE_SURFACE = [
  'modules',
  'soil-before',
  'scheme',
  'order',
  'interval',
  'save-state',
  'at',
  'from-state',
  'threads',
  'netcdf',
] as const

export const command = defineCommand({
  name: 'simulate',
  summary: 'simule le ruissellement, l’infiltration et le réseau d’un bassin versant',
  description: [
    'Une seule source de pluie parmi --uniform, --virtual, --rain, --radar, --event et --frames.',
    'Les résultats sont écrits d’un bloc à la fin ; Ctrl-C ne laisse rien derrière lui.',
    'Un bassin sans elevation.asc ni luse.asc est calculé par les bassins versants de son network.inp, comme par radx sewer.',
    'Un calcul coupé par --save-state et --at, puis repris par --from-state avec la même pluie, donne les mêmes résultats au bit près.',
  ].join('\n'),
  options: {
    uniform: { type: 'string', value: 'MM_H:MINUTES', help: 'pluie constante' },
    virtual: {
      type: 'string',
      value: 'FORME:PARAMÈTRES',
      help: 'simple:d,t,iMax,calme ou double:t1,t2,t3,iMax,i2,calme (min, mm/h)',
    },
    rain: {
      type: 'string',
      value: 'FICHIER.csv',
      help: 'série « date ; mm/h » ou « date ; mm » : virgule ou point, dates françaises ou ISO, pas égaux ou non',
    },
    frames: {
      type: 'string',
      value: 'ZIP|DOSSIER',
      help: 'images radar ODIM HDF5 ou Rainbow 5, coupées au bassin ; rien n’entre dans l’archive',
    },
    radar: { type: 'string', value: 'PRODUIT,DÉBUT,FIN', help: 'pluie radar de l’archive' },
    event: { type: 'string', value: 'NOM', help: 'évènement du site, par exemple ev7' },
    modules: { type: 'string', value: 'LISTE', help: 'soil,drainage par défaut ; none pour aucun' },
    'soil-before': {
      type: 'string',
      value: 'ÉTAT',
      help: 'humidité du sol avant la pluie : dry (sec), mean (moyen, celle de la table, par défaut) ou wet (humide)',
    },
    scheme: {
      type: 'string',
      value: 'NOM',
      help: 'équations de la surface : inertial (inertie locale), full (complètes) ou auto ; auto par défaut',
    },
    order: {
      type: 'string',
      value: '1|2',
      help: 'ordre des équations complètes (2 par défaut, 1 quand auto les choisit)',
    },
    interval: {
      type: 'string',
      value: 'SECONDES',
      help: 'pas des séries et des cartes écrites (celui de la pluie par défaut)',
    },
    'save-state': {
      type: 'string',
      value: 'FICHIER',
      help: 'garde l’état du calcul à sa fin, pour le reprendre plus tard',
    },
    at: {
      type: 'string',
      value: 'SECONDES',
      help: 'avec --save-state : instant où le calcul s’arrête, fin d’un pas des résultats (fin de la pluie par défaut)',
    },
    'from-state': {
      type: 'string',
      value: 'FICHIER',
      help: 'reprend un calcul à l’instant de cet état ; la pluie reste celle de tout le calcul',
    },
    threads: {
      type: 'string',
      value: 'N',
      help: 'fils d’exécution (1 par défaut) ; le résultat n’en dépend pas',
    },
    netcdf: {
      type: 'boolean',
      help: 'écrit aussi results.nc : cartes et hauteurs au cours du temps en CF-netCDF',
    },
    out: { type: 'string', value: 'DOSSIER', help: 'dossier des résultats, absent ou vide (obligatoire)' },
  },
  positionals: {
    label: 'BASSIN',
    help: 'dossier d’un bassin versant, ou son identifiant dans DATA_DIR/catchments',
    min: 1,
    max: 1,
  },
  async run({ values, positionals }) {
    const given = (Object.keys(SOURCES) as (keyof typeof SOURCES)[]).filter(
      (key) => values[key] !== undefined,
    )
    if (given.length !== 1)
      throw new UsageError(
        'donner une source de pluie et une seule : --uniform, --virtual, --rain, --radar, --event ou --frames.',
      )
    if (!values.out) throw new UsageError('donner le dossier des résultats avec --out.')
    const source = SOURCES[given[0]](values[given[0]]!)
    const folder = catchmentFolder(positionals[0])
    if (isWithoutGround(folder)) {
      const alien = OF_THE_SURFACE.find((name) => values[name] !== undefined)
      if (alien !== undefined)
        throw new UsageError(
          `« ${positionals[0]} » n’a pas de terrain : --${alien} ne s’applique qu’à une surface calculée.`,
        )
      if (source.kind === 'pictures')
        throw new UsageError(
          `« ${positionals[0]} » n’a pas de terrain : --frames n’a pas de mailles où tomber.`,
        )
      return simulateNetwork(folder, source, values.out)
    }
    const options = { ...parseModules(values.modules), soilState: parseSoil(values['soil-before']) }
    const threads = parseThreads(values.threads)
    const goesOn = values['from-state'] !== undefined
    // A state has its own.
    const scheme = goesOn && values.scheme === undefined ? undefined : parseScheme(values.scheme)
    const order = values.order === undefined ? undefined : parseOrder(values.order)
    const untilS = parseAt(values.at, values['save-state'])
    const intervalS = parseInterval(values.interval)

    const catchment = await readCatchmentPackage(folder)
    for (const warning of catchment.warnings) console.error(`attention : ${warning}`)
    const rain = await rainOn(catchment, source)
    const from = values['from-state'] === undefined ? undefined : readStateFile(values['from-state'])
    const kept = values['save-state'] === undefined ? undefined : openStateFile(values['save-state'])
    const stop = new AbortController()
    const interrupt = () => stop.abort()
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
    try {
      const result = await runSimulation({
        catchment,
        rain,
        options,
        threads,
        scheme,
        order,
        intervalS,
        untilS,
        from,
        onState: kept && ((state) => kept.write(state)),
        outDir: values.out,
        onWarning: (warning) => console.error(`attention : ${warning}`),
        onProgress: progressLine(),
        signal: stop.signal,
      })
      kept?.keep()
      if (values.netcdf) await writeNetcdf(values.out, catchment)
      report(result, values.out)
      if (kept) console.log(`État à ${result.run.simulatedSeconds} s : ${values['save-state']}`)
      return EXIT.ok
    } catch (error) {
      if (!stop.signal.aborted) throw error
      console.error('\nInterrompu : rien n’a été écrit.')
      return EXIT.interrupted
    } finally {
      kept?.close()
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    }
  },
})

/** Beside the other results, whole or not at all. */
async function writeNetcdf(out: string, { elevation, catchment, network }: CatchmentPackage): Promise<void> {
  const { runNetcdf } = await import('../simulation/result/netcdf.ts')
  const { startEpochS } = network.options
  const bytes = await runNetcdf(out, {
    elevation,
    crs: catchment.crs,
    startMs: startEpochS > 0 ? startEpochS * 1000 : null,
    attributes: { title: catchment.display, catchment: catchment.id },
  })
  const temporary = join(out, `.${OUTPUT.netcdf}.tmp`)
  writeFileSync(temporary, bytes)
  renameSync(temporary, join(out, OUTPUT.netcdf))
}

/** Radar rain comes from the archive of DATA_DIR; everything else needs no database. */
async function rainOn(
  { elevation, catchment }: CatchmentPackage,
  source: RainSource | PicturesSource,
): Promise<Rain> {
  const warn = (...remarks: string[]) => {
    for (const remark of remarks) console.error(`attention : ${remark}`)
  }
  if (source.kind === 'pictures') {
    const { picturesOn } = await import('./own-pictures.ts')
    return picturesOn(source.path, { grid: elevation, crs: catchment.crs }, warn)
  }
  if (source.kind !== 'radar' && source.kind !== 'event')
    return loadRain(source, elevation, catchment.crs, null, warn)
  // Loaded on use: other rain needs neither the database nor its libraries.
  const [{ StoredRain }, { openStore }, { withDatabase }] = await Promise.all([
    import('../simulation/rain/radar-rain.ts'),
    import('../store/open-store.ts'),
    import('./with-database.ts'),
  ])
  let rain: Rain | undefined
  await withDatabase(async ({ db, config, site, catchments }) => {
    const archive = new StoredRain(await openStore({ db, config, site, catchments }), site.events)
    rain = await loadRain(source, elevation, catchment.crs, archive)
    return EXIT.ok
  })
  return rain as Rain
}

function catchmentFolder(name: string): string {
  if (existsSync(join(name, 'catchment.json'))) return name
  if (/^[a-z][a-z0-9_-]*$/.test(name)) {
    const folder = join(loadConfig().dataDir, 'catchments')
    const versions = (existsSync(folder) ? readdirSync(folder) : [])
      .filter((entry) => entry.replace(/-[0-9a-f]{16}$/, '') === name)
      .map((entry) => join(folder, entry))
      .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    if (versions.length > 0) return versions[0]
  }
  throw new UsageError(
    `« ${name} » n’est ni un dossier de bassin versant (catchment.json) ni un bassin connu.`,
  )
}

function parseModules(text = 'soil,drainage'): RunOptions {
  const names = text === 'none' || text === '' ? [] : text.split(',')
  const unknown = names.find((name) => name !== 'soil' && name !== 'drainage')
  if (unknown !== undefined) throw new UsageError(`module « ${unknown} » inconnu : soil, drainage ou none.`)
  return { soil: names.includes('soil'), drainage: names.includes('drainage') }
}

function parseSoil(text = 'mean'): SoilState {
  const state = SOIL_STATES.find((known) => known === text)
  if (!state) throw new UsageError(`--soil-before « ${text} » inconnu : ${SOIL_STATES.join(', ')}.`)
  return state
}

function parseThreads(text = '1'): number {
  const threads = Number(text)
  if (!Number.isInteger(threads) || threads < 1 || threads > MAX_THREADS)
    throw new UsageError(`--threads attend un entier entre 1 et ${MAX_THREADS}.`)
  return threads
}

function parseScheme(text = 'auto'): SchemeChoice {
  const scheme = SCHEMES.find((known) => known === text)
  if (!scheme) throw new UsageError(`--scheme « ${text} » inconnu : inertial, full ou auto.`)
  return scheme
}

function parseOrder(text: string): 1 | 2 {
  if (text === '1') return 1
  if (text === '2') return 2
  throw new UsageError('--order attend 1 ou 2.')
}

function parseInterval(text?: string): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (!(seconds > 0 && seconds <= 86_400))
    throw new UsageError('--interval attend un nombre de secondes, plus de 0 et au plus 86400.')
  return seconds
}

function parseAt(text: string | undefined, state: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (state === undefined) throw new UsageError('--at va avec --save-state.')
  const seconds = Number(text)
  if (text.trim() === '' || !(seconds >= 0 && Number.isFinite(seconds)))
    throw new UsageError('--at attend un nombre de secondes depuis le début de la pluie.')
  return seconds
}

/** Progress on a terminal only: a log file gets the result, not the way there. */
function progressLine(): ((progress: { doneS: number; totalS: number }) => void) | undefined {
  if (!process.stderr.isTTY) return undefined
  let shown = -1
  return ({ doneS, totalS }) => {
    const percent = Math.floor((100 * doneS) / totalS)
    if (percent === shown) return
    shown = percent
    process.stderr.write(`\rSimulation : ${percent} %${percent === 100 ? '\n' : ''}`)
  }
}

function report({ balance, run }: SimulationResult, out: string): void {
  const number = (value: number, digits = 0) =>
    value.toLocaleString('fr-FR', { maximumFractionDigits: digits })
  console.log(
    [
      `${number((run.simulatedSeconds - (run.fromS ?? 0)) / 3600, 2)} h simulées en ${number(run.wallSeconds, 2)} s (${number(run.steps)} pas, noyau ${run.kernel}, ${countFr(run.threads, 'fil')})`,
      `Équations : ${schemeFr(run)}`,
      `Pluie ${number(balance.rainM3)} m³ : interceptée ${number(balance.interceptedM3)}, infiltrée ${number(balance.infiltratedM3)}, en surface ${number(balance.surfaceM3)}, plans d’eau ${number(balance.waterM3)}, bords ${number(balance.edgeOutM3)}, réseau ${number(balance.sewerM3)}, exutoires ${number(balance.outfallM3)}`,
      ...boundariesFr(balance, run),
      ...measuresFr(balance),
      `Erreur de bilan ${balance.relativeError.toExponential(1)}`,
      `Résultats : ${out}`,
    ].join('\n'),
  )
}
