/**
 * One model of what a weather radar measures, whatever file it came in. Names of moments are those of ODIM
 * (`DBZH`, `TH`, `ZDR`, `PHIDP`, `RHOHV`, `KDP`, `VRADH`, `WRADH`, `SNRH`, `DBZV`...).
 */
export interface RadarMoment {
  /** `dBZ`, `dB`, `deg`, `deg/km`, `m/s`, `1`; empty where nobody says. */
  unit: string
  /**
   * `[ray * nbins + bin]`. -Infinity in a reflectivity is a gate that was measured and has no echo; NaN is a gate
   * without a value.
   */
  values: Float32Array
}

/** One turn of the antenna at one elevation. */
export interface RadarSweep {
  /** Time at which the sweep began, ISO 8601 UTC. */
  datetime: string
  elevationDeg: number
  nrays: number
  nbins: number
  /** Middle of each ray, clockwise from north, [0, 360), rising. */
  azimuthDeg: Float64Array
  /** Distance from the radar to the near edge of the first gate, along the beam. */
  rangeStartM: number
  rangeStepM: number
  /** Reflectivity that the receiver's noise would be at 1 km, dBZ; left out where the file does not say. */
  noiseDbz?: number
  moments: Partial<Record<string, RadarMoment>>
}

export interface RadarVolume {
  format: 'rainbow5' | 'odim' | 'gamic' | 'cfradial'
  site: { name: string; lat: number | null; lon: number | null; altitudeM: number | null }
  wavelengthM: number | null
  /** Width of the beam between half powers, degrees; left out where the file does not say. */
  beamWidthDeg?: number | null
  /** In the order of the file. */
  sweeps: RadarSweep[]
  /** What was recognised and set right or left out, in French, for people. */
  notes: string[]
}
