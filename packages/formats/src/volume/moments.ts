/** Names that files give to moments, in lower case, as ODIM names them; the first of two in a file is kept. */
const NAMES: Record<string, readonly string[]> = {
  DBZH: [
    'dbzh',
    'dbz',
    'zh',
    'reflectivity',
    'reflectivity_hh',
    'dbz_hc',
    'corrected_reflectivity',
    'reflectivity_horizontal',
    'equivalent_reflectivity_factor',
  ],
  TH: [
    'th',
    'dbuz',
    'uh',
    'uncorrected_reflectivity',
    'total_power',
    'dbzh_uncorrected',
    'uncorrected_reflectivity_horizontal',
  ],
  DBZV: ['dbzv', 'zv', 'reflectivity_vv'],
  TV: ['tv', 'dbuzv', 'uv'],
  ZDR: [
    'zdr',
    'differential_reflectivity',
    'corrected_differential_reflectivity',
    'log_differential_reflectivity_hv',
  ],
  PHIDP: [
    'phidp',
    'differential_phase',
    'uncorrected_differential_phase',
    'uphidp',
    'phi_dp',
    'differential_phase_hv',
  ],
  RHOHV: [
    'rhohv',
    'cross_correlation_ratio',
    'uncorrected_cross_correlation_ratio',
    'copolar_correlation_coefficient',
    'urhohv',
    'cross_correlation_ratio_hv',
    'cross_correlation_coefficient',
    'rho_hv',
  ],
  KDP: ['kdp', 'specific_differential_phase', 'ukdp', 'specific_differential_phase_hv'],
  VRADH: [
    'vradh',
    'vrad',
    'v',
    'vh',
    'velocity',
    'vel',
    'radial_velocity',
    'radial_velocity_of_scatterers_away_from_instrument',
  ],
  VRADV: ['vradv', 'vv'],
  WRADH: ['wradh', 'wrad', 'w', 'wh', 'spectrum_width', 'width', 'doppler_spectrum_width'],
  WRADV: ['wradv', 'wv'],
  SNRH: ['snrh', 'snr', 'signal_to_noise_ratio'],
  SQIH: ['sqih', 'sqi'],
}

const UNITS: Record<string, string> = {
  DBZH: 'dBZ',
  TH: 'dBZ',
  DBZV: 'dBZ',
  TV: 'dBZ',
  ZDR: 'dB',
  PHIDP: 'deg',
  RHOHV: '1',
  KDP: 'deg/km',
  VRADH: 'm/s',
  VRADV: 'm/s',
  WRADH: 'm/s',
  WRADV: 'm/s',
  SNRH: 'dB',
  SQIH: '1',
}

const RANK = new Map(
  Object.entries(NAMES).flatMap(([moment, names]) =>
    names.map((name, rank): [string, { moment: string; rank: number }] => [name, { moment, rank }]),
  ),
)

/**
 * Moment of each of the names of one file. Where two names mean the same moment, the one listed first above takes
 * it and the other keeps its own name; so does a name that nobody here knows.
 */
export function momentNames(names: readonly string[]): Map<string, string> {
  const best = new Map<string, { name: string; rank: number }>()
  for (const name of names) {
    const known = RANK.get(name.toLowerCase())
    if (known && !(best.get(known.moment)! && best.get(known.moment)!.rank <= known.rank))
      best.set(known.moment, { name, rank: known.rank })
  }
  return new Map(
    names.map((name) => {
      const known = RANK.get(name.toLowerCase())
      return [name, known && best.get(known.moment)!.name === name ? known.moment : name]
    }),
  )
}

/** Whether a name, in whatever case, stands for a moment. */
export const isMomentName = (name: string): boolean => RANK.has(name.toLowerCase())

export const unitOf = (moment: string): string => UNITS[moment] ?? ''

/** Whether a gate of this moment can be known to hold no echo. */
export const isReflectivity = (moment: string): boolean => UNITS[moment] === 'dBZ'
