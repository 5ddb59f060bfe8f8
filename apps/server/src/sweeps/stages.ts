import type { SweepStage } from '@radx/contracts/sweep-bundle'
import type { SweepField } from '@radx/formats/cf-sweep'
import type { SweepSteps } from '@radx/polarimetry/chain'
import { CLASSES } from '@radx/polarimetry/classes'
import { METHODS } from '@radx/polarimetry/estimate'
import type { SweepRain } from '@radx/polarimetry/rain-chain'
import type { ZdrBias } from '@radx/polarimetry/zdr'

/** Fields of the stages that a sweep's moments allow. */
export type SweepStages = Partial<Record<SweepStage, SweepField[]>>

const field = (name: string, unit: string, longName: string, values: ArrayLike<number>): SweepField => ({
  name,
  unit,
  longName,
  values,
})

const codes = (names: readonly string[]): string => names.map((name, i) => `${i + 1} ${name}`).join(', ')

/** What comes after attenuation by phase: clutter, classes, the rain that is kept and its quality. */
function estimateStages(made: SweepRain): SweepStages {
  const { clutter, pia, dbz, dbzGround, classes, rate, method, quality, blockage } = made
  return {
    clutter: [
      field('CLUTTER', '1', 'likelihood of clutter', clutter.likelihood),
      field('LEFT_OUT', '1', '1 where the echo is left out as clutter or speckle', clutter.isLeftOut),
    ],
    corrected: [
      field('PIA', 'dB', 'two-way path integrated attenuation put back', pia),
      field('DBZH', 'dBZ', 'reflectivity less clutter, corrected for attenuation and blockage', dbz),
      field('DBZH_GROUND', 'dBZ', 'the same, corrected for the vertical profile', dbzGround),
      ...(blockage ? [field('BLOCKAGE', '1', 'share of the beam that ground hides', blockage)] : []),
    ],
    classes: [
      field('CLASS', '1', `hydrometeors: 0 none, ${codes(CLASSES.map(({ short }) => short))}`, classes),
    ],
    estimate: [
      field('RATE', 'mm h-1', 'rain by the best moment of each gate', rate),
      field('METHOD', '1', `0 no estimate, ${codes(METHODS.map(({ name }) => name))}`, method),
    ],
    quality: [field('QUALITY', '1', 'quality of the rain, 0 to 1', quality)],
  }
}

/** Fields of each stage, in the order in which they are made. */
export function stagesOf(made: SweepRain, bias: ZdrBias | null): SweepStages {
  const { sweep, steps } = made
  const { moments } = sweep
  const echo = [field('DBZH', 'dBZ', 'reflectivity where the echo is rain', steps.dbz)]
  const stages: SweepStages = {
    moments: Object.entries(moments).map(([name, moment]) =>
      field(name, moment!.unit || '1', `${name} as measured`, moment!.values),
    ),
    rain_echo: echo,
  }
  if (moments.ZDR && made.zdr)
    stages.zdr = [
      field(
        'ZDR',
        'dB',
        'differential reflectivity less its bias in light rain',
        moments.ZDR.values.map((value) => value - bias!.biasDb),
      ),
      field('ZDR_CORRECTED', 'dB', 'the same, 1 km mean, corrected for differential attenuation', made.zdr),
    ]
  const { profile, phidpRain } = steps
  if (profile && phidpRain) {
    echo.push(field('PHIDP', 'degree', 'measured phase where the echo is rain', phidpRain))
    stages.phase = [field('PHIDP', 'degree', 'rebuilt differential phase', profile.phidp)]
    stages.kdp = [field('KDP', 'degree km-1', 'specific differential phase', maskedBy(steps, profile.kdp))]
  }
  for (const [name, made, corrected] of [
    ['zphi_fixed', steps.zphiFixed, steps.dbzFixed],
    ['zphi_self', steps.zphiSelf, steps.dbzSelf],
  ] as const)
    if (made && corrected)
      stages[name] = [
        field('AH', 'dB km-1', 'specific attenuation', made.ah),
        field('PIA', 'dB', 'two-way path integrated attenuation', made.pia),
        field('DBZH', 'dBZ', 'reflectivity corrected for attenuation', corrected),
      ]
  const rain = [field('R_Z', 'mm h-1', 'rain of measured reflectivity, Z = 200 R^1.6', steps.rainZ)]
  for (const [name, longName, values] of [
    ['R_Z_CORRECTED', 'rain of corrected reflectivity, Z = 200 R^1.6', steps.rainZCorrected],
    ['R_KDP', 'rain of specific differential phase', steps.rainKdp],
    ['R_A', 'rain of specific attenuation', steps.rainA],
  ] as const)
    if (values) rain.push(field(name, 'mm h-1', longName, values))
  return { ...stages, rain, ...estimateStages(made) }
}

const maskedBy = ({ dbz }: SweepSteps, values: Float64Array): Float64Array =>
  values.map((value, k) => (Number.isFinite(dbz[k]) ? value : Number.NaN))
