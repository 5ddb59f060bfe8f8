import type { MonthlyFactors, RunoffModel } from '@radx/contracts/runoff'

/** What the calendar says at a moment. */
export interface Climate {
  /** Month, 0 to 11. */
  month: number
  /** Potential evaporation, m/s. */
  evaporation: number
  /** How fast ground dries, and the month's factor on rain. */
  recovery: number
  rain: number
}

/** Climate as the clock goes on; the same object is filled anew. */
export function createClimate(
  model: Pick<RunoffModel, 'evaporation' | 'adjustments' | 'startEpochS' | 'recovery'>,
): {
  at(timeS: number): Climate
  nextChange(timeS: number): number
} {
  const { evaporation, adjustments, startEpochS, recovery } = model
  const climate: Climate = { month: 0, evaporation: 0, recovery: 1, rain: 1 }
  let place = 0
  let monthEndsS = -Infinity

  function rate(timeS: number): number {
    if (evaporation.type === 'constant') return evaporation.rate
    if (evaporation.type === 'monthly') return evaporation.rates[climate.month] ?? 0
    const { timesS, rates } = evaporation
    while (place + 1 < timesS.length && timesS[place + 1] <= timeS + 1e-3) place++
    return timesS.length > 0 && timeS + 1e-3 >= timesS[place] ? rates[place] : 0
  }

  return {
    at(timeS) {
      if (timeS >= monthEndsS) {
        const date = new Date((startEpochS + timeS) * 1000)
        climate.month = date.getUTCMonth()
        monthEndsS = Date.UTC(date.getUTCFullYear(), climate.month + 1, 1) / 1000 - startEpochS
      }
      climate.evaporation = Math.max(0, rate(timeS) + ofMonth(adjustments.evaporation, climate.month, 0))
      climate.recovery = ofMonth(recovery, climate.month, 1)
      climate.rain = ofMonth(adjustments.rain, climate.month, 1)
      return climate
    },
    nextChange(timeS) {
      if (evaporation.type !== 'series') return evaporation.type === 'monthly' ? monthEndsS : Infinity
      return evaporation.timesS.find((t) => t > timeS + 1e-3) ?? Infinity
    },
  }
}

export const ofMonth = (factors: MonthlyFactors, month: number, otherwise: number): number =>
  factors?.[month] ?? otherwise
