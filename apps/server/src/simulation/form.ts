import {
  doubleTriangleSchema,
  type LuseUpdate,
  luseConfigSchema,
  SIMULATION_FORM_KEYS,
  type SimulationFormKey,
  type SimulationInput,
  simpleTriangleSchema,
} from '@radx/contracts'
import { z } from 'zod'
import type { FormRules } from '../http/form.ts'
import { MissingFormKey, SimulationFormError } from './errors.ts'
import { EV7_RAIN, type RainInput, radarRain, virtualRainOf } from './rain/rain-input.ts'

/** Longest simulation, h: a week of radar rain. */
const MAX_HOURS = 168
const MAX_RATE_MM_H = 500
const TITLE_MAX = 200
const DESC_MAX = 4096

/** A million painted cells fit. */
export const FORM_RULES: FormRules = {
  fields: { luseUpdates: 32 * 2 ** 20, luseConfigs: 512 * 1024, virtualData: 512 * 1024 },
  grids: ['luseUpdates'],
}

export type SimulationForm = Record<SimulationFormKey, string>

/** @throws MissingFormKey for the first key that is missing */
export function completeForm(fields: ReadonlyMap<string, string>): SimulationForm {
  const missing = SIMULATION_FORM_KEYS.find((key) => !fields.has(key))
  if (missing) throw new MissingFormKey(missing)
  return Object.fromEntries(SIMULATION_FORM_KEYS.map((key) => [key, fields.get(key)])) as SimulationForm
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
  const json = <T>(key: SimulationFormKey, schema: z.ZodType<T>): T => {
    let value: unknown
    try {
      value = JSON.parse(form[key])
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
    luseConfigs: json('luseConfigs', z.array(luseConfigSchema).min(1).max(50)),
    ...rain(form, json),
  }
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

function rain(form: SimulationForm, json: <T>(key: SimulationFormKey, schema: z.ZodType<T>) => T): RainInput {
  switch (form.rainfallSelection) {
    case 'ev7':
      return EV7_RAIN
    case 'radar':
      return radar(form)
    case 'virtual':
      return virtual(form, json)
    default:
      throw new SimulationFormError(
        'rainfallSelection',
        'Choisissez une source de pluie : ev7, radar ou virtual.',
      )
  }
}

function radar(form: SimulationForm): RainInput {
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
  return radarRain(start, end)
}

function virtual(
  form: SimulationForm,
  json: <T>(key: SimulationFormKey, schema: z.ZodType<T>) => T,
): RainInput {
  const shape = form.virtualRainShape
  if (shape !== 'simple' && shape !== 'double')
    throw new SimulationFormError('virtualRainShape', 'La forme de la pluie est simple ou double.')
  const param =
    shape === 'simple'
      ? json('virtualParam', simpleTriangleSchema)
      : json('virtualParam', doubleTriangleSchema)
  const data = json('virtualData', z.array(z.number().min(0).max(MAX_RATE_MM_H)).max(MAX_HOURS * 60))
  if (!data.some((rate) => rate > 0))
    throw new SimulationFormError(
      'virtualData',
      'La pluie est nulle partout : choisissez des paramètres positifs.',
    )
  return virtualRainOf({ virtualRainShape: shape, virtualParam: param, virtualData: data })
}
