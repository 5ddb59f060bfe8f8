/**
 * Codes of land use for the 23 classes of the OSO map (CES OSO, Theia, nomenclature of 2018 and later). Dense and industrial
 * built-up count as houses, diffuse built-up as gardens, on which buildings are burnt in.
 */
const OSO: Record<number, number> = {
  1: 4,
  2: 3,
  3: 4,
  4: 2,
  16: 1,
  17: 1,
  19: 1,
  20: 2,
  23: 6,
}
const OSO_CLASSES = 23
/** Crops, meadows, vineyards, orchards, lawns, beaches, ice. */
const OSO_OTHERS = 3

/** @returns code by value of an OSO raster, its open water as told */
export function osoCodes(waterCode: number): Map<number, number> {
  const codes = new Map<number, number>()
  for (let value = 1; value <= OSO_CLASSES; value++) codes.set(value, OSO[value] ?? OSO_OTHERS)
  codes.set(23, waterCode)
  return codes
}
