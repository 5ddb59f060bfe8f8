/**
 * Coefficients by wavelength. Phase and KDP need none of them; attenuation and rain from attenuation differ so much
 * from band to band (a degree of phase stands for 0.28 dB at X, 0.02 dB at S) that none is taken for another.
 */
export interface Band {
  name: 'X' | 'C' | 'S'
  /** Limits, GHz (IEEE 521). */
  fromGHz: number
  toGHz: number
  /** Taken where the band is all that is known. */
  usualGHz: number
  /** dB a degree, between attenuation and KDP. */
  alpha: number
  /** Exponent of Z in attenuation. */
  b: number
  /** R = a A^b, mm/h of dB a km (one way), at 10 degrees Celsius. */
  rainOfA: { a: number; b: number }
  /** R = a KDP^b, mm/h of degrees a km; null where R = 129 (KDP / f)^0.85 is taken. */
  rainOfKdp: { a: number; b: number } | null
  /** R = c Z^a Zdr^b, mm/h of mm6/m3 and of the linear ratio. */
  rainOfZZdr: { c: number; a: number; b: number }
  /** Differential attenuation a share of attenuation. */
  differential: number
  /**
   * One-way attenuation of reflectivity, a Z^b dB a km, and how low a and b may be taken to keep a ray within bounds;
   * null where it is too small to be read from reflectivity.
   */
  attenuationOfZ: { a: number; b: number; aMin: number; bMin: number } | null
  /** ZDR of light rain at 20, 22, 24, 26, 28 and 30 dBZ, dB. */
  zdrOfRain: readonly number[]
}

/**
 * alpha and b: X as in wradlib's recipe for ZPHI; C by Carey et al. (2000), J. Appl. Meteor. 39, 1405-1433, and Gu et
 * al. (2011), J. Appl. Meteor. Climatol. 50, 39-58; S as in Py-ART's table for ZPHI. R(A): S by Ryzhkov et al. (2014),
 * J. Atmos. Oceanic Technol. 31, 599-619, C and X by Diederich et al. (2015), J. Hydrometeor. 16, 487-502. R(KDP) at X
 * by Maki et al. (2005), J. Meteor. Soc. Japan 83, 871-893, from drops measured at the ground; the formula that scales with
 * frequency is fitted to drawn ones. ZDR of
 * light rain: Ryzhkov and Zrnic (2019), Radar Polarimetry for Weather Observations, p. 155-156. R(Z, ZDR): Bringi and
 * Chandrasekar (2001), equation 8.14 with table 8.1. Differential attenuation: Ryzhkov and Zrnic (2019). Of Z
 * alone: X by Park et al. (2005), J. Atmos. Oceanic Technol. 22, 1621-1632; C by Jacobi and Heistermann (2016).
 */
export const BANDS: readonly Band[] = [
  {
    name: 'X',
    fromGHz: 8,
    toGHz: 12,
    usualGHz: 9.4,
    alpha: 0.28,
    b: 0.78,
    rainOfA: { a: 45.5, b: 0.83 },
    rainOfKdp: { a: 19.63, b: 0.823 },
    rainOfZZdr: { c: 0.0039, a: 1.07, b: -5.97 },
    differential: 0.14,
    attenuationOfZ: { a: 1.37e-4, b: 0.779, aMin: 2e-5, bMin: 0.73 },
    zdrOfRain: [0.23, 0.28, 0.33, 0.41, 0.49, 0.58],
  },
  {
    name: 'C',
    fromGHz: 4,
    toGHz: 8,
    usualGHz: 5.6,
    alpha: 0.08,
    b: 0.8,
    rainOfA: { a: 250, b: 0.91 },
    rainOfKdp: null,
    rainOfZZdr: { c: 0.0058, a: 0.91, b: -2.09 },
    differential: 0.25,
    attenuationOfZ: { a: 1.67e-4, b: 0.7, aMin: 2.33e-5, bMin: 0.65 },
    zdrOfRain: [0.23, 0.27, 0.33, 0.4, 0.48, 0.56],
  },
  {
    name: 'S',
    fromGHz: 2,
    toGHz: 4,
    usualGHz: 2.8,
    alpha: 0.02,
    b: 0.64884,
    rainOfA: { a: 3100, b: 1.03 },
    rainOfKdp: null,
    rainOfZZdr: { c: 0.0067, a: 0.927, b: -3.43 },
    differential: 0.2,
    attenuationOfZ: null,
    zdrOfRain: [0.23, 0.27, 0.32, 0.38, 0.46, 0.55],
  },
]

/** Speed of light in GHz m. */
const LIGHT_GHZ_M = 0.299792458

/** What a sweep is corrected with. */
export interface Tuning {
  band: Band
  frequencyGHz: number
}

/** Coefficients of a wavelength; null where it is not known or of none of the three bands. */
export function tuningOf(wavelengthM: number | null): Tuning | null {
  const frequencyGHz = LIGHT_GHZ_M / (wavelengthM ?? Number.NaN)
  const band = BANDS.find(({ fromGHz, toGHz }) => frequencyGHz >= fromGHz && frequencyGHz < toGHz)
  return band ? { band, frequencyGHz } : null
}

/** Coefficients of a band whose exact wavelength nobody says; null for another name. */
export function tuningOfBand(name: string): Tuning | null {
  const band = BANDS.find((one) => one.name === name.toUpperCase())
  return band ? { band, frequencyGHz: band.usualGHz } : null
}

/** What a site sets in the place of its band's own coefficients. */
export type TuningChanges = Partial<Pick<Band, 'alpha' | 'b' | 'rainOfA'>>

/** The tuning with the coefficients that a site gives; null stays null. */
export const tunedAs = (tuning: Tuning | null, { alpha, b, rainOfA }: TuningChanges): Tuning | null =>
  tuning && {
    ...tuning,
    band: {
      ...tuning.band,
      ...(alpha !== undefined && { alpha }),
      ...(b !== undefined && { b }),
      ...(rainOfA !== undefined && { rainOfA }),
    },
  }

const french = (value: number): string => String(Math.round(value * 1e3) / 1e3).replace('.', ',')

/** What is used, or why nothing is, in French. */
export function tuningNote(tuning: Tuning | null, wavelengthM: number | null): string {
  if (tuning) {
    const { band, frequencyGHz } = tuning
    const { alpha, b, rainOfA, rainOfKdp } = band
    const byKdp = rainOfKdp
      ? `${french(rainOfKdp.a)} KDP^${french(rainOfKdp.b)}`
      : `129 (KDP / ${french(frequencyGHz)})^0,85`
    return `bande ${band.name} (${french(frequencyGHz)} GHz) : α = ${french(alpha)} dB/°, b = ${french(b)}, R = ${french(rainOfA.a)} A^${french(rainOfA.b)}, R = ${byKdp}.`
  }
  const said =
    wavelengthM === null
      ? 'le fichier ne dit pas la longueur d’onde'
      : `longueur d’onde de ${french(wavelengthM * 100)} cm, hors des bandes X, C et S`
  return `${said} : ni atténuation, ni pluie par KDP ou par A. Donnez la bande (--band X, C ou S).`
}
