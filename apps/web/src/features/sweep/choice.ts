import type { RadarVolumeAnswer, RadarVolumeStages, SweepFieldName } from '@radx/contracts/radar-volumes'
import { SWEEP_STAGES } from '@radx/contracts/sweep-bundle'
import type { SweepAddress } from './address.ts'

/** Fields of a sweep, what was measured first; those of the corrections once they are known. */
export function fieldsOf(
  volume: RadarVolumeAnswer,
  stages: RadarVolumeStages | undefined,
  sweep: number,
): SweepFieldName[] {
  const fields = [...volume.sweeps[sweep].fields, ...(stages?.sweeps[sweep]?.fields ?? [])]
  return SWEEP_STAGES.flatMap((stage) => fields.filter((field) => field.stage === stage))
}

/** Measured quantities in the order in which one is shown by itself. */
const FIRST = ['DBZH', 'TH']

/** The field that an address asks for, or the one to show instead. @returns null while it may still come */
export function fieldShown(
  fields: readonly SweepFieldName[],
  { stage, name }: Pick<SweepAddress, 'stage' | 'name'>,
  mayCome: boolean,
): SweepFieldName | null {
  const asked = fields.find((field) => field.name === name && field.stage === stage)
  if (asked) return asked
  if (mayCome && stage !== 'moments') return null
  const measured = fields.filter((field) => field.stage === 'moments')
  const usual = [name, ...FIRST].map((one) => measured.find((field) => field.name === one))
  return usual.find((field) => field !== undefined) ?? measured[0] ?? null
}

/** Numbers of the sweeps, from 0 on, from the lowest elevation to the highest. */
export function byElevation({ sweeps }: Pick<RadarVolumeAnswer, 'sweeps'>): number[] {
  return sweeps.map((_, n) => n).sort((a, b) => sweeps[a].elevationDeg - sweeps[b].elevationDeg || a - b)
}
