/**
 * What a column is by its plain heading: rain in mm, in mm/h or in tips; rain, or a rate of rain, without a unit; rain
 * in a unit that is not read; or no rain.
 */
export type RainHeading = 'mm' | 'mm/h' | 'tips' | 'bare' | 'bareRate' | 'otherUnit' | null

const NAMES =
  /^(rr\d*|rain|rainfall|prcp|precip|precipitations?|pluie|pluies|pluviometrie|amount|depth|value|valeur|cumul|cumule|intensite|hauteur|lame|total)$/
const TIPS = /^(tips?|basculements?|impulsions?|augets?|counts?)$/
/** Letters that are rain only where their unit says so. */
const LETTERS = /^[rpi]$/
/** Words beside the name. */
const BESIDE =
  /^(amount|depth|rate|intensity|accumulation|accumulated|total|tot|sum|cumul|cumulee?|count|precipitee?s?|de|d|la|pluie|eau|rain|en|par|\d{1,4} ?mi?n|\d{1,4} ?h)$/
const MM_H = /^mm ?(\/ ?h(r|eure|our)?|h( 1)?|par h(eure)?)$/

/**
 * Reads a heading as `plainHeading` gives it: "RR6 (mm)", "Hauteur précipitée", "Rain_mm_Tot", "Intensité mm/h".
 * Tenths of a millimetre, inches and the like are `otherUnit`.
 */
export function rainHeading(plain: string): RainHeading {
  if (plain === 'mm') return 'mm'
  if (MM_H.test(plain)) return 'mm/h'
  const [name, ...rest] = plain.split(' ')
  const [isRain, isTips, isLetter] = [NAMES, TIPS, LETTERS].map((of) => of.test(name))
  if (!isRain && !isTips && !isLetter) return null
  const words = rest.join(' ')
  if (/^count$/.test(words) || (isTips && words === '')) return 'tips'
  const unit = /(^| )(mm ?(\/ ?h\w*|h( 1)?(?= |$)|par h\w*)?)( |$)/.exec(words)
  const others = (unit ? words.replace(unit[2], ' ') : words).replace(/(\d{1,4}) (mi?n|h)\b/g, '$1$2').trim()
  const isPlain = others.split(/ +/).every((word) => word === '' || BESIDE.test(word))
  if (!isPlain) return isRain && isForeign(others) ? 'otherUnit' : null
  if (unit) return MM_H.test(unit[2].trim()) ? 'mm/h' : 'mm'
  if (!isRain) return null
  return name === 'intensite' || /(^| )(rate|intensity)( |$)/.test(others) ? 'bareRate' : 'bare'
}

const isForeign = (words: string): boolean =>
  /(^| )(in|inch|inches|pouces?|cm|m|1\/10|0 1|10e|dixiemes?|centiemes?|l|l\/s\/ha|mils?)( |$|\/)/.test(words)
