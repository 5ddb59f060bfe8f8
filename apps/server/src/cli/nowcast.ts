import { resolve } from 'node:path'
import type { Window } from '@radx/motion/scores/deterministic'
import { METHODS, type Method } from '../nowcast/files/methods.ts'
import { type NowcastRunOptions, runNowcast } from '../nowcast/files/run.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { checkOutFolder } from './given-paths.ts'

const DEFAULT_LEADS = '5,10,15,20,25,30,35,40,45,50,55,60'

export const command = defineCommand({
  name: 'nowcast',
  summary: 'prévoit la pluie des deux prochaines heures depuis des fichiers et note la prévision',
  description: [
    'Lit des images de pluie (ODIM HDF5, produits Rainbow 5, netCDF-4) sur leur propre grille, suit la pluie, prévoit, et compare aux',
    'images qui suivent. Écrit dans le dossier de sortie scores.json, run.json (instants sans prévision et pourquoi, temps de',
    'calcul) et un fichier CF-netCDF par instant et méthode. Ni base de données ni serveur ne sont nécessaires.',
    'Méthodes : persistence (rien ne bouge), lk (la pluie se déplace), sprog (les petites échelles s’effacent comme mesuré, la',
    'distribution de la dernière image reste, comme dans pysteps), sprog-trend (de plus, la pluie croît ou décroît par endroit comme',
    'dans la dernière demi-heure), steps (ensemble). Les heures sont en UTC.',
  ].join('\n'),
  options: {
    out: { type: 'string', short: 'o', value: 'DOSSIER', help: 'dossier de sortie, créé au besoin' },
    method: { type: 'string', value: 'M,...', help: `parmi ${METHODS.join(', ')} (persistence,lk,sprog)` },
    leads: { type: 'string', value: 'MIN,...', help: `échéances en minutes (${DEFAULT_LEADS})` },
    thresholds: { type: 'string', value: 'MM/H,...', help: 'seuils des notes (0.1,1,5)' },
    issues: { type: 'string', value: 'all|HH:MM,...', help: 'instants de départ, tous par défaut' },
    members: { type: 'string', value: 'N', help: 'membres de l’ensemble (20)' },
    seed: { type: 'string', value: 'N', help: 'graine de l’ensemble (1)' },
    window: {
      type: 'string',
      value: 'L,C,NL,NC',
      help: 'note seulement NL lignes et NC colonnes depuis (L, C)',
    },
    'keep-members': { type: 'boolean', help: 'écrit aussi chaque membre' },
    'scores-only': { type: 'boolean', help: 'n’écrit pas les champs prévus' },
  },
  positionals: {
    label: 'FICHIER',
    help: 'images de pluie, ou dossiers qui en contiennent',
    min: 1,
    max: Infinity,
  },
  async run({ values, positionals }) {
    if (!values.out) throw new UsageError('il manque --out DOSSIER. radx nowcast --help donne le détail.')
    await checkOutFolder(resolve(values.out))
    const leadsMin = numbers('leads', values.leads ?? DEFAULT_LEADS, 0.5, 360)
    const abort = new AbortController()
    const onSignal = () => abort.abort()
    process.once('SIGINT', onSignal)
    process.once('SIGTERM', onSignal)
    try {
      const options: NowcastRunOptions = {
        paths: positionals.map((path) => resolve(path)),
        out: resolve(values.out),
        methods: methodsOf(values.method ?? 'persistence,lk,sprog'),
        leadsMin: [...new Set(leadsMin)].sort((a, b) => a - b),
        thresholdsMmH: [...new Set(numbers('thresholds', values.thresholds ?? '0.1,1,5', 0.001, 1000))],
        issues: issuesOf(values.issues ?? 'all'),
        members: whole('members', values.members ?? '20', 1, 200),
        seed: whole('seed', values.seed ?? '1', 0, Number.MAX_SAFE_INTEGER),
        window: values.window === undefined ? undefined : windowOf(values.window),
        fields: !values['scores-only'],
        keepMembers: values['keep-members'] ?? false,
        signal: abort.signal,
        onProgress: process.stderr.isTTY ? showProgress : undefined,
        onWarning: (text) => console.error(`Attention : ${text}`),
      }
      const { reports } = await runNowcast(options)
      const made = reports.filter(({ leads_min }) => leads_min.length > 0)
      for (const { issue, reason } of reports) if (reason) console.error(`${issue} : ${reason}.`)
      console.log(
        `${made.length} prévision${made.length > 1 ? 's' : ''} sur ${reports.length} instant${reports.length > 1 ? 's' : ''}. Résultats dans ${options.out}.`,
      )
      return EXIT.ok
    } catch (error) {
      if (!abort.signal.aborted) throw error
      console.error('Interrompu : les notes n’ont pas été écrites.')
      return EXIT.interrupted
    } finally {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    }
  },
})

function numbers(option: string, text: string, least: number, most: number): number[] {
  const out = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (out.some((value) => !(value >= least && value <= most)))
    throw new UsageError(
      `--${option} vaut « ${text} » : donnez des nombres de ${least} à ${most}, séparés par des virgules.`,
    )
  return out
}

function whole(option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > most || text.trim() === '')
    throw new UsageError(`--${option} vaut « ${text} » : donnez un entier de ${least} à ${most}.`)
  return value
}

function methodsOf(text: string): Method[] {
  const names = text.split(',').map((name) => name.trim())
  const wrong = names.find((name) => !(METHODS as readonly string[]).includes(name))
  if (wrong !== undefined)
    throw new UsageError(`--method : « ${wrong} » est inconnue. Méthodes : ${METHODS.join(', ')}.`)
  return [...new Set(names)] as Method[]
}

function issuesOf(text: string): 'all' | string[] {
  if (text === 'all') return 'all'
  const moments = text.split(',').map((moment) => moment.trim())
  const wrong = moments.find((moment) => !isMoment(moment))
  if (wrong !== undefined)
    throw new UsageError(`--issues : « ${wrong} » n'est pas une heure. Donnez all, ou HH:MM en UTC.`)
  return moments
}

/** `HH:MM`, or ISO in UTC; both must be on the clock and the calendar. */
function isMoment(text: string): boolean {
  const parts = /^(\d{4}-\d\d-\d\dT)?([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?Z?$/.exec(text)
  if (!parts) return false
  const day = parts[1]?.slice(0, 10)
  const ms = Date.parse(`${day}T00:00:00Z`)
  return day === undefined || (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day))
}

function windowOf(text: string): Window {
  const parts = text.split(',').map(Number)
  const [row, col, nrows, ncols] = parts
  if (
    parts.length !== 4 ||
    !parts.every((value) => Number.isInteger(value) && value >= 0) ||
    nrows < 1 ||
    ncols < 1
  )
    throw new UsageError(
      `--window vaut « ${text} » : donnez ligne, colonne, nombre de lignes et de colonnes, séparés par des virgules.`,
    )
  return { row, col, nrows, ncols }
}

function showProgress(done: number, all: number): void {
  process.stderr.write(`\r${done} / ${all}${done === all ? '\n' : ''}`)
}
