/** Rain from one gate's moment, mm/h; NaN in, NaN out. */

/** Z = a R^b inverted. @param dbz dBZ; -Infinity is no rain */
export const rainFromReflectivity = (dbz: number, a = 200, b = 1.6): number =>
  (10 ** (dbz / 10) / a) ** (1 / b)

/** dBZ of a rate. @param mmH mm/h */
export const reflectivityOfRain = (mmH: number, a = 200, b = 1.6): number => 10 * Math.log10(a * mmH ** b)

/**
 * Bringi and Chandrasekar (2001), equation 8.16: R = 129 (|KDP| / f)^0.85 with the sign of KDP.
 * @param kdp degrees a km, one way
 * @param frequencyGHz 9.3 at X band, 5.6 at C, 2.8 at S
 */
export const rainFromKdp = (kdp: number, frequencyGHz: number): number =>
  Math.sign(kdp) * 129 * (Math.abs(kdp) / frequencyGHz) ** 0.85

/**
 * R(A) = a A^b.
 * @param ah dB a km, one way
 * @param law of the band, `bands.ts`
 */
export const rainFromAttenuation = (ah: number, { a, b }: { a: number; b: number }): number => a * ah ** b

/**
 * Depolarization ratio of simultaneous transmission, dB (Melnikov and Matrosov 2013; Kilambi et al. 2018).
 * @param zdr dB
 * @param rho correlation, 0 to 1
 */
export function depolarization(zdr: number, rho: number): number {
  const ratio = 10 ** (zdr / 10)
  const cross = 2 * rho * Math.sqrt(ratio)
  return 10 * Math.log10((1 + ratio - cross) / (1 + ratio + cross))
}
