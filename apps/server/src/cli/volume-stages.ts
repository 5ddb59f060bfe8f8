import type { Tuning } from '@radx/polarimetry/bands'
import { CLASSES } from '@radx/polarimetry/classes'
import { METHODS } from '@radx/polarimetry/estimate'
import type { SweepRain } from '@radx/polarimetry/rain-chain'
import type { ZdrBias } from '@radx/polarimetry/zdr'
import type { SweepStages } from '../sweeps/stages.ts'

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
  stages: SweepStages
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
    ...(sweep.noiseDbz !== undefined && { noiseDbz: sweep.noiseDbz }),
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
