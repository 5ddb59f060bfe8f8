import { floodedArea, floodRain, lightTheme } from '@radx/charts'
import {
  ANTECEDENT_DAYS,
  BALANCE_PARTS,
  type Ensemble,
  type EnsembleAnswer,
  type Equations,
  type FloodCourse,
  MEASURE_PARTS,
  type MontanaTable,
  RADX_VERSION,
  type RarePlace,
  type Report,
  type ReportBlock,
  runStartMs,
  type SoilBefore,
  type SoilState,
  type Transposition,
} from '@radx/contracts'
import { formatDuration } from '@radx/locale/duration'
import { countFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { isoSeconds } from '@radx/locale/time'
import {
  adjustedFr,
  CatchmentLibrary,
  codesOf,
  findLuseFile,
  type MultihydroResult,
  quantile,
  Results,
  type RunInput,
  Runs,
} from '../simulation/api.ts'
import { openFileStore } from '../store/file-store.ts'
import { RAIN_METHOD_FR } from '../store/moved/moved-rain.ts'
import { rareDepths } from '../storms/api.ts'
import type { AnswerContext } from '../threads/answers.ts'
import { CHART_SIZE, chart, heading, periodFr, table, text } from './blocks.ts'
import { depthMap } from './depth-map.ts'
import { powerFr } from './power-fr.ts'
import { rarity } from './rarity.ts'

const theme = { ...lightTheme, fontFamily: 'Inter' }
const BALANCE_FR: Record<(typeof BALANCE_PARTS)[number] | (typeof MEASURE_PARTS)[number], string> = {
  rainM3: 'Pluie',
  interceptedM3: 'Interceptée',
  infiltratedM3: 'Infiltrée',
  surfaceM3: 'En surface à la fin',
  waterM3: 'Plans d’eau',
  edgeOutM3: 'Sortie par les bords',
  sewerM3: 'Dans le réseau à la fin',
  outfallM3: 'Aux exutoires',
  measuresStoredM3: 'Dans les ouvrages à la fin',
  measuresInfiltratedM3: 'Infiltrée par les ouvrages',
  measuresEvaporatedM3: 'Évaporée des ouvrages',
}
const ROAD_CODE = 2
/** Depths from which water in a street is counted, m: a kerb, a car that floats. */
const STREET_LIMITS_M = [0.1, 0.3, 0.5]
const MOST_LINKS = 20
const m3 = (value: number) => formatQuantityFr(value, 'm³', 0)
const ha = (m2: number) => formatQuantityFr(m2 / 10_000, 'ha', 2)

/** Report of a finished run, its rain held against a table of return periods. @throws JobNotFound, OutputMissing */
export async function runReport(
  { db, config, site }: Pick<AnswerContext, 'db' | 'config' | 'site'>,
  jobId: string,
  montana: MontanaTable | null,
): Promise<Report> {
  const library = new CatchmentLibrary(db, config)
  const runs = new Runs(db)
  const results = new Results(runs, library, openFileStore(config))
  const row = await runs.run(jobId)
  const input = row.input as RunInput
  const { course } = await results.course(jobId)
  const result = row.result as MultihydroResult
  const { balance, run } = result
  const { grid } = await results.maxDepth(jobId)
  const codes = await codesOf(await findLuseFile(db, input.luseId))
  const notes = await runs.comment(jobId)
  const startMs = runStartMs(input)
  const elapsed = input.rainfallSelection === 'virtual'
  const period = elapsed
    ? `${formatDuration(3_600_000 * input.simulationDuration)} de pluie de projet`
    : periodFr(Date.parse(input.rainfallStart), Date.parse(input.rainfallEnd), site.timeZone)
  return {
    title: `Rapport de simulation – ${input.title}`,
    subtitle: `${input.catchmentDisplay}. ${period}.`,
    fileName: `rapport-simulation-${jobId.slice(0, 8)}.pdf`,
    dated: isoSeconds((row.finished_at ?? row.created_at).getTime()),
    blocks: [
      ...about(input, period, result),
      ...(notes.trim() === '' ? [] : [heading('Notes'), text(notes)]),
      ...rainAndBalance(course, balance, { startMs, elapsed, timeZone: site.timeZone }),
      ...rarityOf(input, course, montana),
      heading('Hauteurs d’eau'),
      depthMap(grid),
      ...flooded(course, { startMs, elapsed, timeZone: site.timeZone }),
      ...streets(grid, codes),
      ...pipes(await results.surcharged(jobId)),
      ...(input.ensemble ? members(await results.ensemble(jobId)) : []),
      heading('Provenance'),
      table(
        'D’où viennent ces chiffres',
        ['Élément', 'Valeur'],
        [
          ['Simulation', jobId],
          ['Utilisateur', row.username],
          ['Logiciel', `RadX ${RADX_VERSION}, noyau ${run.kernel}`],
          ['Pas de calcul', formatNumberFr(run.steps)],
          ['Maille', formatQuantityFr(grid.cellSize, 'm', 1, true)],
        ],
      ),
    ],
  }
}

/**
 * Return periods of what fell on the catchment: virtual rain minute by minute, measured rain between the moments of
 * the run, within which nothing is known.
 */
function rarityOf(input: RunInput, course: FloodCourse, montana: MontanaTable | null): ReportBlock[] {
  const virtual = input.rainfallSelection === 'virtual'
  const rain = virtual
    ? {
        edgesMin: Array.from({ length: input.virtualData.length + 1 }, (_, k) => k),
        ratesMmH: input.virtualData,
      }
    : { edgesMin: course.timesS.map((timeS) => timeS / 60), ratesMmH: course.rainMmH.slice(1) }
  const steps = rain.ratesMmH.map((_, k) => rain.edgesMin[k + 1] - rain.edgesMin[k])
  const longest = steps.reduce((a, b) => Math.max(a, b), 0)
  const place: RarePlace = {
    kind: 'zone',
    name: input.catchmentDisplay,
    totalMm: rain.ratesMmH.reduce((sum, rate, k) => sum + (rate * steps[k]) / 60, 0),
    missingSeconds: 0,
    depths: rareDepths(rain, runStartMs(input), montana?.laws ?? [], longest - 1e-6),
  }
  return rarity([place], montana)
}

const RAIN_FR: Record<RunInput['rainfallSelection'], string> = {
  radar: 'Radar',
  ev7: 'Événement 7 (radar)',
  virtual: 'Pluie de projet',
}
const flag = (value: string) => (value === 'true' ? 'activé' : 'désactivé')

const EQUATIONS_FR: Record<Equations, string> = {
  auto: 'choix automatique',
  inertial: 'inertie locale',
  'full-1': 'complètes, ordre 1',
  'full-2': 'complètes, ordre 2',
}

const SOIL_FR: Record<SoilState, string> = { dry: 'sec', mean: 'moyen', wet: 'humide' }

const soilFr = (soil: SoilBefore | undefined): string =>
  SOIL_FR[soil?.state ?? 'mean'] +
  (soil?.depthMm == null
    ? ''
    : ` (${formatQuantityFr(soil.depthMm, 'mm', 1)} dans les ${ANTECEDENT_DAYS} jours d’avant${soil.method ? ` ; ${RAIN_METHOD_FR[soil.method]}` : ''})`)

const movedFr = ({ eastM, northM, shiftMinutes, factor }: Transposition): string =>
  [
    `${formatQuantityFr(eastM / 1000, 'km', 1)} vers l’est, ${formatQuantityFr(northM / 1000, 'km', 1)} vers le nord`,
    ...(shiftMinutes === 0
      ? []
      : [`décalée de ${shiftMinutes < 0 ? '−' : ''}${formatDuration(60_000 * Math.abs(shiftMinutes))}`]),
    ...(factor === 1 ? [] : [`multipliée par ${formatNumberFr(factor, 2, true)}`]),
  ].join(', ')

const ensembleFr = ({ members, alpha, c1, seed }: Ensemble): string =>
  `${countFr(members, 'membre')}, alpha ${formatNumberFr(alpha, 3, true)}, C1 ${formatNumberFr(c1, 3, true)}, graines ${seed} à ${seed + members - 1}`

function about(
  input: RunInput,
  period: string,
  { rainMethod, rainAdjusted }: MultihydroResult,
): ReportBlock[] {
  return [
    heading('Simulation'),
    table(
      'Données d’entrée',
      ['Élément', 'Valeur'],
      [
        ['Bassin versant', input.catchmentDisplay],
        ['Pluie', RAIN_FR[input.rainfallSelection]],
        ['Période', period],
        ...(input.virtualSource ? [['Origine de la pluie', input.virtualSource]] : []),
        ...(input.product ? [['Produit radar', input.product]] : []),
        ...(rainMethod ? [['Entre les images', RAIN_METHOD_FR[rainMethod]]] : []),
        ...(rainAdjusted ? [['Ajustement aux pluviomètres', adjustedFr(rainAdjusted)]] : []),
        ...(input.transposition ? [['Pluie transposée', movedFr(input.transposition)]] : []),
        ...(input.ensemble ? [['Ensemble', ensembleFr(input.ensemble)]] : []),
        ['Équations de la surface', EQUATIONS_FR[input.equations ?? 'inertial']],
        ['Module sol', flag(input.soilModule)],
        ...(input.soilModule === 'true' ? [['Sol avant la pluie', soilFr(input.soilBefore)]] : []),
        ['Module réseau', flag(input.drainageModule)],
      ],
    ),
  ]
}

/** What the members of an ensemble agree on: the least, the middle and the most of each figure, 10 to 90 %. */
function members({ members: all, control }: EnsembleAnswer): ReportBlock[] {
  const row = (
    name: string,
    of: (one: EnsembleAnswer['control']) => number,
    show: (value: number) => string,
  ) => {
    const sorted = all.map(of).sort((a, b) => a - b)
    return [name, ...[0.1, 0.5, 0.9].map((share) => show(quantile(sorted, share))), show(of(control))]
  }
  return [
    heading('Ensemble'),
    text(
      `${countFr(all.length, 'membre')} : la même pluie par maille du radar et par image, répartie autrement à l’échelle de la rue. Les autres chiffres de ce rapport sont ceux du calcul sans désagrégation.`,
    ),
    table(
      'Membres : 10 %, médiane et 90 %',
      ['Grandeur', '10 %', '50 %', '90 %', 'Sans désagrégation'],
      [
        row(
          'Pluie sur le bassin',
          (one) => one.rainMm,
          (value) => formatQuantityFr(value, 'mm', 2),
        ),
        row(
          'Plus forte intensité d’une maille',
          (one) => one.cellMaxMmH,
          (value) => formatQuantityFr(value, 'mm/h', 1),
        ),
        row('Plus grande surface sous 10 cm et plus', (one) => one.floodedM2, ha),
        row('Plus grand volume en surface', (one) => one.surfaceM3, m3),
        row('Volume aux exutoires', (one) => one.outfallM3, m3),
        row(
          'Plus grande hauteur',
          (one) => 100 * one.maxDepthM,
          (value) => formatQuantityFr(value, 'cm', 1),
        ),
      ],
    ),
  ]
}

interface When {
  startMs: number
  elapsed: boolean
  timeZone: string
}

function rainAndBalance(
  course: FloodCourse,
  balance: MultihydroResult['balance'],
  when: When,
): ReportBlock[] {
  const most = Math.max(...course.rainMmH)
  return [
    heading('Pluie'),
    chart(floodRain({ ...when, course }, theme, CHART_SIZE), CHART_SIZE, {
      caption: 'Pluie moyenne sur le bassin, mm/h.',
      alt: `Hyétogramme de la simulation ; la plus forte intensité moyenne est ${formatQuantityFr(most, 'mm/h', 1)}.`,
    }),
    heading('Bilan en eau'),
    table(
      'Où est allée la pluie',
      ['Part', 'Volume', 'Part de la pluie'],
      [
        ...[...BALANCE_PARTS, ...MEASURE_PARTS].flatMap((part) => {
          const volume = balance[part]
          const share = (of: number) =>
            balance.rainM3 > 0 ? formatQuantityFr((100 * of) / balance.rainM3, '%', 1) : '–'
          return volume === undefined ? [] : [[BALANCE_FR[part], m3(volume), share(volume)]]
        }),
        ['Erreur de bilan', m3(balance.errorM3), powerFr(balance.relativeError)],
      ],
    ),
  ]
}

function flooded(course: FloodCourse, when: When): ReportBlock[] {
  const rows = course.limitsM.map((limit, l) => [
    `Au moins ${formatQuantityFr(100 * limit, 'cm', 0)}`,
    ha(Math.max(...course.floodedM2[l])),
  ])
  return [
    table('Plus grande surface en eau au même moment', ['Hauteur', 'Surface'], rows),
    chart(floodedArea({ ...when, course, fromCm: 10 }, theme, CHART_SIZE), CHART_SIZE, {
      caption: 'Surface sous au moins 10 cm d’eau pendant la simulation.',
      alt: `Surfaces en eau : ${rows.map(([depth, area]) => `${depth.toLowerCase()}, au plus ${area}`).join(' ; ')}.`,
    }),
  ]
}

function streets(
  { data, cellSize }: { data: ArrayLike<number>; cellSize: number },
  codes: Int16Array,
): ReportBlock[] {
  const areas = STREET_LIMITS_M.map((limit) => {
    let cells = 0
    for (let k = 0; k < codes.length; k++) if (codes[k] === ROAD_CODE && data[k] >= limit) cells++
    return cells * cellSize ** 2
  })
  const roads = codes.reduce((count, code) => count + (code === ROAD_CODE ? 1 : 0), 0) * cellSize ** 2
  return [
    heading('Voirie touchée'),
    text(
      `Mailles de voirie (code ${ROAD_CODE} de l’occupation des sols, ${ha(roads)} en tout) par hauteur maximale. Le bassin ne porte pas de noms de rues.`,
    ),
    table(
      'Voirie sous l’eau',
      ['Hauteur maximale', 'Surface', 'Part de la voirie'],
      STREET_LIMITS_M.map((limit, k) => [
        `Au moins ${formatQuantityFr(100 * limit, 'cm', 0)}`,
        ha(areas[k]),
        roads > 0 ? formatQuantityFr((100 * areas[k]) / roads, '%', 1) : '–',
      ]),
    ),
  ]
}

function pipes(links: Awaited<ReturnType<Results['surcharged']>>): ReportBlock[] {
  if (links === null)
    return [
      heading('Réseau'),
      text('Cette simulation n’a pas calculé de réseau : aucune conduite n’est jugée.'),
    ]
  if (links.length === 0) return [heading('Réseau'), text('Aucune conduite n’a coulé pleine.')]
  const shown = links.slice(0, MOST_LINKS)
  return [
    heading('Réseau'),
    text(
      `${countFr(links.length, 'conduite a coulé pleine', 'conduites ont coulé pleines')} à un moment au moins.`,
    ),
    table(
      links.length > shown.length
        ? `Conduites en charge, les ${shown.length} plus longtemps`
        : 'Conduites en charge',
      ['Conduite', 'Durée en charge', 'Débit maximal'],
      shown.map(({ name, surchargedS, maxFlowM3S }) => [
        name,
        formatDuration(1000 * surchargedS),
        formatQuantityFr(maxFlowM3S, 'm³/s', 3),
      ]),
    ),
  ]
}
