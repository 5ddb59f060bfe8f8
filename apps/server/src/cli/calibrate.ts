import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parameterKey } from '@radx/contracts/calibration'
import { RadxError } from '@radx/contracts/errors'
import type { Rain } from '@radx/hydrology/rain/rain'
import { formatNumberFr } from '@radx/locale/format-fr'
import { fitTaskOf, parseCalibration, readNamed } from '../simulation/calibration/config.ts'
import { CALIBRATION_OUTPUT, calibrationFiles, scoreLinesFr } from '../simulation/calibration/files.ts'
import { calibrate, type Fit } from '../simulation/calibration/fit.ts'
import { TrialJournal, taskHash } from '../simulation/calibration/journal.ts'
import { figureFr, parameterFr } from '../simulation/calibration/parameters.ts'
import { type CatchmentPackage, readCatchmentPackage } from '../simulation/catchment/catchment-package.ts'
import { loadRain, type RainSource } from '../simulation/rain/rain-source.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'

/** Trials under way, in the folder of results until these stand. */
const JOURNAL = 'trials.jsonl'

export const command = defineCommand({
  name: 'calibrate',
  summary: 'cale des paramètres d’un bassin versant sur des mesures',
  description: [
    'CALAGE.json dit le bassin (« catchment »), les paramètres et leurs bornes (« parameters » : roughness, kh, imperviousness,',
    'gullyEfficiency, sewerRoughness, avec « code » pour une classe d’occupation des sols), et les épisodes (« events ») : pluie, début, mesures,',
    'et « use », calibration ou validation. Les chemins partent de son dossier. docs/formats.md en donne un exemple entier.',
    'La recherche (CMA-ES, graine « seed ») ne voit jamais les épisodes de validation. Même fichier, même résultat, quel que soit --threads.',
    'Écrit parameters.json, trials.csv, scores.json, bands.csv et run.json. Ctrl-C garde les essais faits ; la même commande avec --resume continue.',
  ].join('\n'),
  options: {
    out: { type: 'string', value: 'DOSSIER', help: 'dossier des résultats, absent ou vide (obligatoire)' },
    resume: { type: 'boolean', help: 'continue un calage interrompu dans ce dossier' },
    threads: { type: 'string', value: 'N', help: 'fils d’exécution (tous les cœurs par défaut)' },
  },
  positionals: { label: 'CALAGE.json', help: 'ce qui est calé, sur quoi', min: 1, max: 1 },
  async run({ values, positionals: [file] }) {
    if (!values.out) throw new UsageError('donner le dossier des résultats avec --out.')
    const out = resolve(values.out)
    const journal = new TrialJournal(join(out, JOURNAL))
    checkOut(values.out, out, journal, values.resume === true)
    const threads = values.threads === undefined ? undefined : Number(values.threads)
    if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1 && threads <= 64))
      throw new UsageError('--threads attend un entier entre 1 et 64.')
    const bytes = await readNamed(file)
    const config = parseCalibration(new TextDecoder().decode(bytes), basename(file))
    const catchment = await readCatchmentPackage(resolve(dirname(resolve(file)), config.catchment))
    const { task, remarksFr } = await fitTaskOf(
      { ...config, ...(threads && { threads }) },
      file,
      catchment,
      rainOn,
    )
    for (const remark of remarksFr) console.error(`remarque : ${remark}`)
    const hash = taskHash(task)
    const known = journal.exists ? journal.read(hash) : []
    mkdirSync(out, { recursive: true })
    if (!journal.exists) journal.begin(hash)
    if (known.length > 0) console.error(`Reprise : ${known.length} essais déjà faits.`)
    const stop = new AbortController()
    const interrupt = () => stop.abort()
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
    const started = performance.now()
    try {
      const found = await calibrate(task, {
        known,
        keep: (trials) => journal.add(trials),
        onProgress: progressLine(),
        signal: stop.signal,
      })
      const seconds = (performance.now() - started) / 1000
      const about = { title: basename(file, '.json'), catchment: catchment.catchment.id }
      const run = {
        task: hash,
        threads: task.threads,
        wallSeconds: seconds,
        resumedFrom: known.length,
        config,
      }
      for (const [name, text] of Object.entries(calibrationFiles(found, about, run)))
        put(join(out, name), text)
      rmSync(join(out, JOURNAL))
      report(found, catchment, values.out, seconds)
      return EXIT.ok
    } catch (error) {
      if (!stop.signal.aborted) {
        forget(out, journal, hash)
        throw error
      }
      console.error(
        `\nInterrompu : les essais faits sont gardés dans ${values.out}. Continuer avec --resume.`,
      )
      return EXIT.interrupted
    } finally {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    }
  },
})

/** A folder whose only content is a journal without trials is as good as none. */
function forget(out: string, journal: TrialJournal, hash: string): void {
  if (!journal.exists || journal.read(hash).length > 0) return
  rmSync(join(out, JOURNAL))
  if (readdirSync(out).length === 0) rmSync(out, { recursive: true })
}

function checkOut(told: string, out: string, journal: TrialJournal, resume: boolean): void {
  const names = existsSync(out) ? readdirSync(out) : []
  if (resume) {
    if (journal.exists) return
    throw new RadxError(
      'calibration.output',
      409,
      names.includes(CALIBRATION_OUTPUT.parameters)
        ? `Le calage de ${told} est terminé : rien à reprendre.`
        : `${told} n’a pas de calage interrompu : retirer --resume.`,
    )
  }
  if (names.length === 0) return
  throw new RadxError(
    'calibration.output',
    409,
    journal.exists
      ? `${told} tient un calage interrompu : --resume le continue, ou donner un autre dossier.`
      : `Le dossier ${told} contient déjà des fichiers. Donner un autre dossier, ou vider celui-ci.`,
  )
}

/** Whole or not at all. */
function put(path: string, text: string): void {
  writeFileSync(`${path}.part`, text)
  renameSync(`${path}.part`, path)
}

/** Radar rain comes from the archive of DATA_DIR; other rain needs no database. */
async function rainOn({ elevation, catchment }: CatchmentPackage, source: RainSource): Promise<Rain> {
  if (source.kind !== 'radar' && source.kind !== 'event')
    return loadRain(source, elevation, catchment.crs, null)
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

function progressLine(): ((done: number, of: number, best: number | null) => void) | undefined {
  if (!process.stderr.isTTY) return undefined
  return (done, of, best) => {
    const told = best === null ? '' : `, meilleur score ${formatNumberFr(best, 3)}`
    process.stderr.write(`\rCalage : ${done} essais sur ${of}${told}   ${done === of ? '\n' : ''}`)
  }
}

function report({ result }: Fit, { classes }: CatchmentPackage, out: string, seconds: number): void {
  const { parameters, before, after, objective, trials, failed, good, warnings, scores } = result
  const said = (value: number | null) => (value === null ? '–' : formatNumberFr(value, 3))
  const name = objective.toUpperCase()
  console.log(
    [
      `${trials} essais en ${formatNumberFr(seconds, 1)} s${failed > 0 ? `, ${failed} sans résultat` : ''} ; ${good} bons essais (GLUE)`,
      ...parameters.map(
        (one) =>
          `${parameterKey(one)} : ${figureFr(one.value)} (bande ${figureFr(one.low)} à ${figureFr(one.high)} ; avant ${figureFr(one.before)}) – ${parameterFr(one, classes)}`,
      ),
      `${name} calage : ${said(before.calibration)} avant, ${said(after.calibration)} après`,
      `${name} validation : ${said(before.validation)} avant, ${said(after.validation)} après`,
      ...scoreLinesFr(scores, 'after'),
      `Résultats : ${out}`,
    ].join('\n'),
  )
  for (const warning of warnings) console.error(`attention : ${warning}`)
}
