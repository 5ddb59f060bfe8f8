import {
  ENSEMBLE_LIMITS,
  EQUATIONS,
  type Equations,
  ensembleSchema,
  type GaugeRainRef,
  gaugeRainRefSchema,
  type LuseUpdate,
  luseConfigSchema,
  SIMULATION_FORM_KEYS,
  type SimpleTriangle,
  type SimulationFormKey,
  type SimulationInput,
  SOIL_CHOICES,
  SOIL_LIMITS,
  transpositionSchema,
  VIRTUAL_MAX_MIN,
  type VirtualParams,
  type VirtualShape,
  virtualParamSchemas,
  virtualShapeSchema,
} from '@radx/contracts'
import { formatNumberFr } from '@radx/locale/format-fr'
import { MAX_RATE_MM_H } from '@radx/rainfall/storms/design-choice'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import { z } from 'zod'
import type { FormRules } from '../http/form.ts'
import { MissingFormKey, SimulationFormError } from './errors.ts'
import { EV7_RAIN, type RainInput, radarRain, virtualRainOf } from './rain/rain-input.ts'

/** A row of the land-use table whose soil values can be. */
const soilWithinLimits = luseConfigSchema.superRefine((config, context) => {
  for (const [name, [least, most]] of Object.entries(SOIL_LIMITS)) {
    const value = config[name as keyof typeof SOIL_LIMITS]
    if (value >= least && value <= most) continue
    const range = `de ${formatNumberFr(least, 3, true)} à ${formatNumberFr(most, 3, true)}`
    context.addIssue({ code: 'custom', path: [name], message: `${range} (${config.title})` })
  }
})
/** Longest simulation, h: a week of radar rain. */
const MAX_HOURS = VIRTUAL_MAX_MIN / 60
const SOURCE_MAX = 300
const TITLE_MAX = 200
const DESC_MAX = 4096

/** A million painted cells fit. */
export const FORM_RULES: FormRules = {
  fields: { luseUpdates: 32 * 2 ** 20, luseConfigs: 512 * 1024, virtualData: 512 * 1024 },
  grids: ['luseUpdates'],
}

/** Keys that a form may have beside those of the specification. */
const OPTIONAL_KEYS = [
  'virtualSource',
  'transposition',
  'soilBefore',
  'ensemble',
  'equations',
  'gaugeRain',
  'ownRain',
  'parameterSet',
] as const

type FormKey = SimulationFormKey | (typeof OPTIONAL_KEYS)[number]
type Json = <T>(key: FormKey, schema: z.ZodType<T>) => T

export type SimulationForm = Record<SimulationFormKey, string> &
  Partial<Record<(typeof OPTIONAL_KEYS)[number], string>>

/** @throws MissingFormKey for the first key that is missing */
export function completeForm(fields: ReadonlyMap<string, string>): SimulationForm {
  const missing = SIMULATION_FORM_KEYS.find((key) => !fields.has(key))
  if (missing) throw new MissingFormKey(missing)
  const given = OPTIONAL_KEYS.filter((key) => fields.has(key))
  return Object.fromEntries(
    [...SIMULATION_FORM_KEYS, ...given].map((key) => [key, fields.get(key)]),
  ) as SimulationForm
}

/**
 * Checks every value of the form and turns it into the input of a run. What needs the catchment or the
 * archive (codes, masks, frames of the period) is checked by the service.
 * @throws SimulationFormError naming the field
 */
export function parseForm(form: SimulationForm): SimulationInput {
  const title = form.title.trim()
  if (title === '') throw new SimulationFormError('title', 'Ce champ est requis')
  if (title.length > TITLE_MAX)
    throw new SimulationFormError('title', `Le titre ne peut dépasser ${TITLE_MAX} caractères.`)
  if (form.luseDesc.length > DESC_MAX)
    throw new SimulationFormError('luseDesc', `Le commentaire ne peut dépasser ${DESC_MAX} caractères.`)
  const flag = (key: SimulationFormKey): 'true' | 'false' => {
    const value = form[key]
    if (value === 'true' || value === 'false') return value
    throw new SimulationFormError(key, `« ${key} » doit être true ou false.`)
  }
  const json: Json = (key, schema) => {
    let value: unknown
    try {
      value = JSON.parse(form[key] ?? '')
    } catch {
      throw new SimulationFormError(key, `« ${key} » n’est pas du JSON valide.`)
    }
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new SimulationFormError(
      key,
      `« ${key} » est mal formé (${issue.path.join('.') || 'valeur'} : ${issue.message}).`,
    )
  }
  return {
    title,
    catchmentId: form.catchmentId,
    catchmentDisplay: form.catchmentDisplay,
    caseStudyId: none(form.caseStudyId),
    barrier: flag('barrier'),
    barrierHeight: form.barrierHeight,
    bassin: flag('bassin'),
    bassinDepth: form.bassinDepth,
    greenRoof: flag('greenRoof'),
    soilModule: flag('soilModule'),
    drainageModule: flag('drainageModule'),
    luseId: form.luseId,
    luseIdSource: none(form.luseIdSource) || form.luseId,
    luseDesc: form.luseDesc.trim(),
    luseUpdates: paintedCells(form.luseUpdates),
    luseConfigs: json('luseConfigs', z.array(soilWithinLimits).min(1).max(50)),
    ...withEnsemble(rain(form, json), form.ensemble ?? ''),
    ...soilBefore(form),
    equations: equations(form),
  }
}

const { members, alpha, alphaFromOne, c1, seed, hours } = ENSEMBLE_LIMITS

/** What each number of an ensemble may be, in French. */
const ENSEMBLE_FR: Record<string, string> = {
  members: `Le nombre de membres est entier, de ${members.min} à ${members.max}.`,
  alpha: `alpha est de ${formatNumberFr(alpha.min, 1)} à ${alpha.max}, à ${formatNumberFr(alphaFromOne, 2)} au moins de 1.`,
  c1: `C1 est de ${formatNumberFr(c1.min, 3)} à ${formatNumberFr(c1.max, 1)}.`,
  seed: `La graine est un nombre entier, de ${seed.min} à ${seed.max}.`,
}

/** The ensemble that a form asks for, with its rain. */
function withEnsemble(rain: RainInput, text: string): RainInput {
  if (none(text) === '') return rain
  const refuse = (message: string) => new SimulationFormError('ensemble', message)
  if (rain.rainfallSelection === 'virtual')
    throw refuse('Une pluie de projet est la même partout : seule une pluie de radar se désagrège.')
  if (rain.simulationDuration > hours)
    throw refuse(`Un ensemble dure ${hours} h au plus : choisissez une période plus courte.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse('« ensemble » n’est pas du JSON valide.')
  }
  const parsed = ensembleSchema.safeParse(value)
  if (parsed.success) return { ...rain, ensemble: parsed.data }
  throw refuse(ENSEMBLE_FR[String(parsed.error.issues[0].path[0])] ?? '« ensemble » est mal formé.')
}

/** What the archive says of the days before is found by the service. */
function soilBefore({ soilBefore: choice = '' }: SimulationForm): Pick<SimulationInput, 'soilBefore'> {
  if (none(choice) === '') return {}
  const known = z.enum(SOIL_CHOICES).safeParse(choice)
  if (!known.success)
    throw new SimulationFormError('soilBefore', `L’état du sol est ${SOIL_CHOICES.join(', ')}.`)
  const state = known.data === 'archive' ? 'mean' : known.data
  return { soilBefore: { choice: known.data, state, depthMm: null, knownShare: null, end: null } }
}

/** What a form that says nothing leaves to the computation. */
function equations({ equations: choice = '' }: SimulationForm): Equations {
  if (none(choice) === '') return 'auto'
  const known = z.enum(EQUATIONS).safeParse(choice)
  if (known.success) return known.data
  throw new SimulationFormError('equations', `Les équations de la surface sont ${EQUATIONS.join(', ')}.`)
}

/** As `luseUpdateSchema` has them; looked at by hand, since a schema takes seconds over a million. */
function paintedCells(text: string): LuseUpdate[] {
  const refuse = () => new SimulationFormError('luseUpdates', '« luseUpdates » est mal formé.')
  let cells: unknown
  try {
    cells = JSON.parse(text)
  } catch {
    throw new SimulationFormError('luseUpdates', '« luseUpdates » n’est pas du JSON valide.')
  }
  if (!Array.isArray(cells)) throw refuse()
  return cells.map((cell: Partial<LuseUpdate> | null) => {
    const { i, j, value } = cell ?? {}
    if (!Number.isInteger(i) || !Number.isInteger(j) || !Number.isInteger(value)) throw refuse()
    return { i, j, value } as LuseUpdate
  })
}

/** How forms of browsers write "nothing". */
const none = (value: string): string => (['', 'null', 'undefined'].includes(value.trim()) ? '' : value.trim())

function rain(form: SimulationForm, json: Json): RainInput {
  switch (form.rainfallSelection) {
    case 'ev7':
      return EV7_RAIN
    case 'radar':
      return none(form.ownRain ?? '') === '' ? radar(form, json) : pictures(form)
    case 'virtual':
      return none(form.gaugeRain ?? '') === ''
        ? virtual(form, json, form.virtualSource?.trim() ?? '')
        : gauge(json('gaugeRain', gaugeRainRefSchema))
    default:
      throw new SimulationFormError(
        'rainfallSelection',
        'Choisissez une source de pluie : ev7, radar ou virtual.',
      )
  }
}

/** Pictures of one's own: when they begin and end is found by the service, with their name. */
function pictures({ ownRain = '', ensemble = '', transposition = '' }: SimulationForm): RainInput {
  if (!z.uuid().safeParse(ownRain).success)
    throw new SimulationFormError('ownRain', 'Choisissez une de vos pluies d’images radar.')
  if (none(ensemble) !== '' || none(transposition) !== '')
    throw new SimulationFormError(
      none(ensemble) !== '' ? 'ensemble' : 'transposition',
      'Vos propres images radar se simulent telles quelles : ni transposées, ni désagrégées.',
    )
  return { ...radarRain(0, 3_600_000), ownRain: { id: ownRain, name: '' } }
}

/** What a gauge measured is found by the service; minutes that a form sends of it are not looked at. */
function gauge(gaugeRain: GaugeRainRef): RainInput {
  const minutes = (Date.parse(gaugeRain.end) - Date.parse(gaugeRain.start)) / 60_000
  if (!(minutes >= 1))
    throw new SimulationFormError(
      'gaugeRain',
      'La fin de la pluie doit suivre son début d’une minute au moins.',
    )
  if (minutes + gaugeRain.calmAfter > VIRTUAL_MAX_MIN)
    throw new SimulationFormError('gaugeRain', `La période ne peut dépasser ${MAX_HOURS / 24} jours.`)
  return { ...virtualRainOf({ virtualRainShape: 'series', virtualParam: null, virtualData: [] }), gaugeRain }
}

function radar(form: SimulationForm, json: Json): RainInput {
  const instant = (key: 'rainfallStart' | 'rainfallEnd'): number => {
    const parsed = z.iso.datetime({ offset: true }).safeParse(form[key])
    if (!parsed.success)
      throw new SimulationFormError(key, `« ${key} » doit être un instant ISO 8601, avec Z ou un décalage.`)
    return Date.parse(parsed.data)
  }
  const [start, end] = [instant('rainfallStart'), instant('rainfallEnd')]
  const hours = (end - start) / 3_600_000
  if (hours <= 0) throw new SimulationFormError('rainfallEnd', 'La fin de la pluie doit suivre son début.')
  if (hours > MAX_HOURS)
    throw new SimulationFormError('rainfallEnd', `La période ne peut dépasser ${MAX_HOURS / 24} jours.`)
  const moved = none(form.transposition ?? '') !== ''
  return {
    ...radarRain(start, end),
    ...(moved && { transposition: json('transposition', transpositionSchema) }),
  }
}

function virtual(form: SimulationForm, json: Json, source: string): RainInput {
  const known = virtualShapeSchema.safeParse(form.virtualRainShape)
  if (!known.success)
    throw new SimulationFormError(
      'virtualRainShape',
      `La forme de la pluie est ${virtualShapeSchema.options.join(', ')}.`,
    )
  const shape = known.data
  const param = json('virtualParam', virtualParamSchemas[shape] as z.ZodType<VirtualParams[VirtualShape]>)
  const data = json('virtualData', z.array(z.number().min(0).max(MAX_RATE_MM_H)).max(MAX_HOURS * 60))
  if (!data.some((rate) => rate > 0))
    throw new SimulationFormError(
      'virtualData',
      'La pluie est nulle partout : choisissez des paramètres positifs.',
    )
  if (shape === 'simple' && (param as SimpleTriangle).t > (param as SimpleTriangle).d)
    throw new SimulationFormError('virtualParam', 'La pointe t vient avant la fin d de la pluie.')
  if (shape === 'chicago' || shape === 'uniform') {
    const drawn = virtualRain(shape, param as never)
    const same = drawn.length === data.length && drawn.every((rate, k) => Math.abs(rate - data[k]) <= 1e-6)
    if (!same)
      throw new SimulationFormError(
        'virtualData',
        'La pluie n’est pas celle de ses paramètres : reprenez-la dans le formulaire.',
      )
  }
  return virtualRainOf({
    virtualRainShape: shape,
    virtualParam: param,
    virtualData: data,
    ...(source !== '' && { virtualSource: source.slice(0, SOURCE_MAX) }),
  })
}
