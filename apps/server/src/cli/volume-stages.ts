import type { SweepField } from '@radx/formats/cf-sweep'
import type { Tuning } from '@radx/polarimetry/bands'
import type { SweepSteps } from '@radx/polarimetry/chain'
import { CLASSES } from '@radx/polarimetry/classes'
import { METHODS } from '@radx/polarimetry/estimate'
import type { SweepRain } from '@radx/polarimetry/rain-chain'
import type { ZdrBias } from '@radx/polarimetry/zdr'

const field = (name: string, unit: string, longName: string, values: ArrayLike<number>): SweepField => ({
  name,
  unit,
  longName,
  values,
})

const codes = (names: readonly string[]): string => names.map((name, i) => `${i + 1} ${name}`).join(', ')

/** What comes after attenuation by phase: clutter, classes, the rain that is kept and its quality. */
function estimateStages(made: SweepRain): Record<string, SweepField[]> {
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
export function stagesOf(made: SweepRain, bias: ZdrBias | null): Record<string, SweepField[]> {
  const { sweep, steps } = made
  const { moments } = sweep
  const stages: Record<string, SweepField[]> = {
    moments: Object.entries(moments).map(([name, moment]) =>
      field(name, moment!.unit || '1', `${name} as measured`, moment!.values),
    ),
    rain_echo: [field('DBZH', 'dBZ', 'reflectivity where the echo is rain', steps.dbz)],
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
    stages.rain_echo.push(field('PHIDP', 'degree', 'measured phase where the echo is rain', phidpRain))
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
  stages.rain = [field('R_Z', 'mm h-1', 'rain of measured reflectivity, Z = 200 R^1.6', steps.rainZ)]
  for (const [name, longName, values] of [
    ['R_Z_CORRECTED', 'rain of corrected reflectivity, Z = 200 R^1.6', steps.rainZCorrected],
    ['R_KDP', 'rain of specific differential phase', steps.rainKdp],
    ['R_A', 'rain of specific attenuation', steps.rainA],
  ] as const)
    if (values) stages.rain.push(field(name, 'mm h-1', longName, values))
  return { ...stages, ...estimateStages(made) }
}

const maskedBy = ({ dbz }: SweepSteps, values: Float64Array): Float64Array =>
  values.map((value, k) => (Number.isFinite(dbz[k]) ? value : Number.NaN))

interface Statistics {
  valid: number
  mean: number | null
  min: number | null
  max: number | null
}

function statistics(values: ArrayLike<number>, counts: (k: number) => boolean = () => true): Statistics {
  let valid = 0
  let sum = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let k = 0; k < values.length; k++) {
    const value = values[k]
    if (!Number.isFinite(value) || !counts(k)) continue
    valid++
    sum += value
    if (value < min) min = value
    if (value > max) max = value
  }
  return valid === 0 ? { valid, mean: null, min: null, max: null } : { valid, mean: sum / valid, min, max }
}

/** Gates of each code from 1 on, by name. */
function countsOf(values: Uint8Array, names: readonly string[]): Record<string, number> {
  const counts = new Array<number>(names.length + 1).fill(0)
  for (const value of values) counts[value]++
  return Object.fromEntries(names.map((name, i) => [name, counts[i + 1]]))
}

interface Made {
  stages: Record<string, SweepField[]>
  tuning: Tuning | null
  bias: ZdrBias | null
}

/** What `steps.json` says of a sweep: counts, means and extremes by stage. */
export function reportOf({ sweep, steps, ...made }: SweepRain, { stages, tuning, bias }: Made): object {
  const { nrays, nbins, elevationDeg, datetime, rangeStepM } = sweep
  const ends = (values: Float64Array): Float64Array =>
    Float64Array.from({ length: nrays }, (_, ray) => values[(ray + 1) * nbins - 1])
  const { profile, dbz } = steps
  const extra: Record<string, object> = {}
  if (bias) extra.zdr = { bias_db: bias.biasDb, light_rain_gates: bias.gates }
  if (profile) {
    extra.phase = {
      system_phidp_deg: Number.isFinite(steps.systemPhaseDeg) ? steps.systemPhaseDeg : null,
      folded_rays: profile.folded,
      phidp_last_gate: statistics(ends(profile.phidp)),
    }
    extra.kdp = {
      kdp_where_dbz20: statistics(profile.kdp, (k) => dbz[k] >= 20),
      kdp_where_dbz40: statistics(profile.kdp, (k) => dbz[k] >= 40),
      ...(steps.fileKdp && {
        kdp_in_file: {
          correlation: steps.fileKdp.correlation,
          rms_difference: steps.fileKdp.rms,
          noise: steps.fileKdp.isNoise,
        },
      }),
    }
  }
  for (const [name, made] of [
    ['zphi_fixed', steps.zphiFixed],
    ['zphi_self', steps.zphiSelf],
  ] as const)
    if (made && tuning)
      extra[name] = {
        ...('found' in made
          ? {
              alpha: statistics(made.alpha),
              rays_searched: made.searched,
              rays_found: made.found,
            }
          : { alpha: tuning.band.alpha }),
        b: tuning.band.b,
        delta_phidp: statistics(made.deltaPhidp),
        // Rain that the phase bounds: beyond both ends nothing is known of it.
        ah: statistics(made.ah, (k) => {
          const bin = k % nbins
          const ray = (k - bin) / nbins
          return Number.isFinite(dbz[k]) && bin >= made.first[ray] && bin <= made.last[ray]
        }),
        pia_end: statistics(ends(made.pia)),
      }
  extra.clutter = { gates: made.clutter.gates, speckles: made.clutter.speckles }
  extra.corrected = { by: made.piaBy }
  extra.classes = {
    gates: countsOf(
      made.classes,
      CLASSES.map(({ short }) => short),
    ),
  }
  extra.estimate = {
    gates: countsOf(
      made.method,
      METHODS.map(({ name }) => name),
    ),
  }
  return {
    elevationDeg,
    datetime,
    rays: nrays,
    bins: nbins,
    gateM: rangeStepM,
    stages: Object.fromEntries(
      Object.entries(stages).map(([stage, fields]) => [
        stage,
        {
          ...Object.fromEntries(fields.map(({ name, values }) => [name, statistics(values)])),
          ...extra[stage],
        },
      ]),
    ),
  }
}
