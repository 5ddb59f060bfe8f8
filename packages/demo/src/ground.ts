import { anchoredAirC } from './anchor.ts'
import {
  airMassK,
  backgroundPressureHpa,
  HOUR_MS,
  solarHour,
  unsettled,
  windAloft,
  winterness,
} from './climate.ts'
import { lineNoise, lineNoise2, wordSeed } from './noise.ts'
import { type Front, strength } from './systems.ts'
import type { Weather } from './weather.ts'

/** Weather at the foot of the radar, at one moment. */
export interface GroundWeather {
  temperatureC: number
  /** At the station's height. */
  pressureHpa: number
  humidityPct: number
  windSpeedMs: number
  /** Where the wind comes from, degrees clockwise from north. */
  windFromDeg: number
  /** Vertical wind, upwards positive. */
  verticalMs: number
  rainMmH: number
}

const MINUTE_MS = 60_000
const LAPSE_K_PER_M = 0.0065
/** Rain of the last half hour is looked up at these steps. */
const RAIN_STEP_MS = 5 * MINUTE_MS

/** What fronts do at the radar at an instant, each as strong as it is then. */
function fronts(weather: Weather, instantMs: number) {
  let dipHpa = 0
  let warmK = 0
  let veerDeg = 0
  let cloud = 0
  for (const system of weather.systems(instantMs)) {
    const power = strength(system, instantMs)
    const hours = (instantMs - system.frame.t0Ms) / HOUR_MS
    if (system.kind !== 'front') {
      cloud = Math.max(cloud, power * (system.kind === 'drizzle' ? 1 : 0.5))
      continue
    }
    const passed = 0.5 + 0.5 * Math.tanh(hours / 0.6)
    dipHpa += power * (2 + 1.3 * (system as Front).rateMmH) * Math.exp(-((hours / 4) ** 2))
    warmK += power * passed * (system.type === 'cold' ? -4.2 : system.type === 'warm' ? 2.4 : -0.8)
    veerDeg += power * (passed - 0.5) * (system.type === 'cold' ? 48 : 22)
    cloud = Math.max(cloud, power * Math.exp(-((hours / 6) ** 2)))
  }
  return { dipHpa: Math.min(dipHpa, 14), warmK, veerDeg, cloud: Math.min(1, cloud) }
}

/** How wet (0 to 1) and how heavily rained on (0 to 1) the half hour before was, the newest counting most. */
function recentRain(weather: Weather, instantMs: number): { wet: number; heavy: number } {
  const last = Math.floor(instantMs / RAIN_STEP_MS)
  const within = instantMs / RAIN_STEP_MS - last
  let wet = 0
  let heavy = 0
  let weights = 0
  for (let k = 0; k <= 7; k++) {
    // Steps enter and leave with a weight of 0, so that nothing jumps.
    const age = k + within
    const weight = Math.max(0, Math.min(1, age) * (1 - age / 7))
    const rate = weather.rateAt(weather.options.origin, (last - k) * RAIN_STEP_MS)
    wet += weight * (1 - Math.exp(-rate / 0.3))
    heavy += weight * (1 - Math.exp(-rate / 8))
    weights += weight
  }
  return { wet: wet / weights, heavy: heavy / weights }
}

/**
 * Temperature of the air mass at a height above sea level, °C: the season's, the spell's and what fronts
 * change, without the day's course; it falls by 6.5 K a km (standard atmosphere).
 */
export function airTemperatureC(weather: Weather, altitudeM: number, instantMs: number): number {
  const { seed, origin } = weather.options
  const season = 12.6 - 7.6 * winterness(instantMs) - 0.65 * (Math.abs(origin.lat) - 48.8)
  const seaLevel = season + airMassK(instantMs, seed) + fronts(weather, instantMs).warmK
  return anchoredAirC(seaLevel, instantMs, weather.options.anchor) - LAPSE_K_PER_M * altitudeM
}

/** Height above sea level at which snow starts to melt, m; below 0 in frost. */
export function meltingHeightM(weather: Weather, instantMs: number): number {
  return airTemperatureC(weather, 0, instantMs) / LAPSE_K_PER_M
}

/** Ground weather at the radar: seasonal and diurnal cycles, moved by the same fronts and rain as its pictures. */
export function groundWeather(weather: Weather, altitudeM: number, instantMs: number): GroundWeather {
  const { seed, origin } = weather.options
  const noise = (word: string, minutes: number) =>
    lineNoise2(instantMs / MINUTE_MS / minutes, wordSeed(word, seed))
  const front = fronts(weather, instantMs)
  const rainMmH = weather.rateAt(origin, instantMs)
  const { wet, heavy } = recentRain(weather, instantMs)
  const restless = unsettled(instantMs, seed)
  const cloud = Math.min(1, Math.max(front.cloud, wet, 0.25 + 0.45 * restless + 0.3 * noise('cloud', 240)))
  const clear = 1 - 0.85 * Math.max(0, cloud)
  const winter = winterness(instantMs)

  const swing = (3.9 - 2.4 * winter) * (0.35 + 0.95 * clear)
  // Warmest near 15 h, coldest before sunrise.
  const hour = solarHour(instantMs, origin.lng)
  const diurnal =
    swing * (Math.cos((2 * Math.PI * (hour - 15)) / 24) + 0.18 * Math.cos((4 * Math.PI * (hour - 14)) / 24))
  const cooling = -2.6 * wet * (1 - 0.5 * winter) - 2.5 * heavy
  const temperatureC =
    airTemperatureC(weather, altitudeM, instantMs) + diurnal + cooling + 0.25 * noise('air-noise', 25)

  const seaLevelHpa =
    backgroundPressureHpa(instantMs, seed) -
    front.dipHpa +
    0.6 * Math.cos((4 * Math.PI * (hour - 10)) / 24) +
    0.15 * noise('pressure-noise', 40)
  // Barometric formula of the standard atmosphere (ICAO 1993).
  const pressureHpa = seaLevelHpa * (1 - (0.0065 * altitudeM) / 288.15) ** 5.2559

  const dryAir = 77 + 8 * winter - 4.2 * diurnal + 6 * (restless - 0.75) + 6 * noise('humidity', 300)
  const humidityPct = Math.max(22, Math.min(99.5, dryAir + (97 - dryAir) * Math.max(wet, 0.6 * front.cloud)))

  const aloft = windAloft(instantMs, seed)
  const daytime = Math.max(0, Math.cos((2 * Math.PI * (hour - 14)) / 24))
  const squall = 7 * (1 - Math.exp(-Math.max(0, rainMmH - 4) / 12))
  const turbulence = 1 + 0.22 * noise('gusts', 3) + 0.16 * noise('lulls', 18)
  const base = Math.hypot(aloft.eastKmH, aloft.northKmH) / 3.6
  const windSpeedMs = Math.max(
    0.1,
    (base * (0.26 + 0.12 * daytime) + 1.6 * front.cloud + squall) * turbulence,
  )
  // Friction backs the wind near the ground.
  const fromDeg =
    (Math.atan2(-aloft.eastKmH, -aloft.northKmH) * 180) / Math.PI -
    22 +
    front.veerDeg +
    9 * noise('veering', 4) +
    14 * noise('turning', 35)
  return {
    temperatureC,
    pressureHpa,
    humidityPct,
    windSpeedMs,
    windFromDeg: ((fromDeg % 360) + 360) % 360,
    verticalMs:
      0.09 * windSpeedMs * lineNoise(instantMs / MINUTE_MS / 1.6, wordSeed('vertical', seed)) +
      0.12 * daytime * clear -
      0.5 * (1 - Math.exp(-rainMmH / 15)),
    rainMmH,
  }
}
