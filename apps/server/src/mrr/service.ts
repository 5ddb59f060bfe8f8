import {
  MRR,
  type MrrBin,
  type MrrDay,
  type MrrPeriod,
  type MrrRecord,
  type MrrVariableName,
  RadxError,
} from '@radx/contracts'
import type { writeMrrPro } from '@radx/formats/mrrpro/mrrpro'
import type { CsvTable } from '@radx/locale/csv'
import { civilDayRange, civilParts } from '@radx/locale/time'
import type { Deps } from '../http/app.ts'
import { pixelAnswer } from '../radar/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { Store } from '../store/open-store.ts'
import { KEPT, type Kept } from './chunk-codec.ts'
import { ColumnSums, columnSeconds } from './columns.ts'
import { hourImage } from './hour-image.ts'
import { latestMrrFile } from './latest.ts'
import { meltingLayer } from './melting.ts'
import type { Profile } from './profiles.ts'
import { binsOf, daysOf, latestProfileMs, profilesByHour, readProfiles } from './queries.ts'
import { significant } from './significant.ts'

const HOUR_MS = 3_600_000
const BIN_MS = MRR.binMinutes * 60_000
/** What the melting layer is found from. */
const MELTING_FROM = ['Ze', 'VEL'] as const

export class NoProfiles extends RadxError {
  constructor() {
    super('mrr.none', 404, 'Le micro radar de pluie n’a pas de mesure pour cette heure.')
  }
}

class NoInstrument extends RadxError {
  constructor() {
    super('mrr.noInstrument', 404, 'Ce site n’a pas de micro radar de pluie.')
  }
}

/** What the screens ask of the micro rain radar. */
export class MicroRainRadar {
  private readonly deps: Pick<Deps, 'db' | 'site'>
  private readonly store: () => Promise<Store>
  /** The newest picture, light and dark as far as they were asked for. */
  private image: { file: string; light?: Buffer; dark?: Buffer } | null = null

  constructor(deps: Pick<Deps, 'db' | 'site'>, store: () => Promise<Store>) {
    this.deps = deps
    this.store = store
  }

  /** @param only variables to unpack beside LWC; all by default */
  async profiles(span: Span, only?: readonly Kept[]): Promise<Profile[]> {
    const { frames } = await this.store()
    return readProfiles(this.deps.db, frames, span, only)
  }

  async records(span: Span, variable: MrrVariableName): Promise<MrrRecord[]> {
    const profiles = await this.profiles(span, [variable, ...MELTING_FROM])
    return profiles.map((profile) => toRecord(profile, variable))
  }

  /** A period's profiles in columns, and the radar's pixel over the instrument. @throws NoInstrument */
  async period(product: StoredProduct, span: Span): Promise<MrrPeriod> {
    const instrument = this.deps.site.microRainRadar
    if (instrument === null) throw new NoInstrument()
    const store = await this.store()
    const sums = new ColumnSums(span)
    for await (const hour of profilesByHour(this.deps.db, store.frames, span, ['LWC', 'RR']))
      for (const profile of hour) sums.add(profile)
    const { heightsM, rateHeightM } = sums
    return {
      columnSeconds: columnSeconds(span),
      meters_between_gates: heightsM.length > 1 ? heightsM[1] - heightsM[0] : 0,
      meters_to_first_gate: heightsM[0] ?? 0,
      rateHeightM,
      columns: sums.columns(),
      pixel: await pixelAnswer(store, product, instrument.position, span),
    }
  }

  /**
   * Days with profiles that lie, in part at least, within the allowed period.
   * @param withRain also their maximum outside the melting layer
   */
  async calendar(
    allowed: { start: Date | null; end: Date | null } | null,
    withRain: boolean,
  ): Promise<MrrDay[]> {
    const { timeZone } = this.deps.site
    return (await daysOf(this.deps.db))
      .filter(({ day }) => {
        if (!allowed) return true
        const { startMs, endMs } = civilDayRange(day, timeZone)
        return (
          (!allowed.start || endMs > allowed.start.getTime()) &&
          (!allowed.end || startMs < allowed.end.getTime())
        )
      })
      .map(({ day, max_lwc, rain_lwc }) => ({
        day,
        maxValue: max_lwc,
        ...(withRain && rain_lwc !== null ? { rainMaxValue: rain_lwc } : {}),
      }))
  }

  async bins(span: Span): Promise<MrrBin[]> {
    const two = (n: number) => String(n).padStart(2, '0')
    return (await binsOf(this.deps.db, span)).map(({ bin, max_lwc }) => {
      const { hour, minute } = civilParts(bin.getTime(), this.deps.site.timeZone)
      return { datetime: bin.toISOString(), time: `${two(hour)}:${two(minute)}`, maxValue: max_lwc }
    })
  }

  /** Name of the newest picture; null while nothing was measured. */
  latestFile(): Promise<string | null> {
    return latestMrrFile(this.deps.db)
  }

  /** Whether the hour of the newest picture, with all of the five minutes that it begins in, had no water. */
  async isLatestDry(): Promise<boolean> {
    const last = await latestProfileMs(this.deps.db)
    if (last === null) return false
    const startMs = Math.floor((last - HOUR_MS) / BIN_MS) * BIN_MS
    return (await binsOf(this.deps.db, { startMs, endMs: last + 1 })).every(({ max_lwc }) => max_lwc === 0)
  }

  /** The newest picture: the hour up to the last profile. null for any other name. */
  async latestImage(file: string, scheme: 'light' | 'dark' = 'light'): Promise<Buffer | null> {
    const known = this.image?.file === file ? this.image[scheme] : undefined
    if (known) return known
    if (file !== (await this.latestFile())) return null
    const last = (await latestProfileMs(this.deps.db)) as number
    const span = { startMs: last - HOUR_MS, endMs: last + 1 }
    const { timeZone } = this.deps.site
    const profiles = await this.profiles(span, ['LWC'])
    const dark = scheme === 'dark'
    const png = hourImage({
      profiles,
      ...span,
      variable: 'LWC',
      palette: 'turbo',
      timeZone,
      dark,
      layout: 'small',
    })
    this.image = { ...(this.image?.file === file ? this.image : null), file, [scheme]: png }
    return png
  }

  /** @throws NoProfiles */
  async exportPng(span: Span, variable: MrrVariableName): Promise<Buffer> {
    const profiles = await this.some(span, [variable])
    const { timeZone } = this.deps.site
    return hourImage({ profiles, ...span, variable, palette: 'turbo', timeZone, scale: 2 })
  }

  /** One line a profile, one column a gate; empty where nothing was seen. @throws NoProfiles */
  async exportCsv(span: Span, variable: MrrVariableName): Promise<CsvTable> {
    const profiles = await this.some(span, [variable])
    const gates = profiles[0].heightsM.map((h) => `${Math.round(h * 10) / 10} m`)
    const lines = profiles.map(({ timeMs, values }) => [
      new Date(timeMs).toISOString(),
      // The digits of a 32-bit number: the sixteenth of a wider one would be noise.
      ...Array.from(values[variable] ?? [], (v) => (Number.isNaN(v) ? null : Number(v.toPrecision(7)))),
    ])
    return { comments: [], rows: [['heure UTC', ...gates], ...lines] }
  }

  /** A file of the instrument's own form, all variables. @throws NoProfiles */
  async exportNetcdf(span: Span): Promise<Uint8Array> {
    const profiles = await this.some(span)
    const { heightsM } = profiles[0]
    const same = profiles.filter((p) => p.heightsM.length === heightsM.length)
    const variables: Record<string, Float32Array> = {}
    for (const name of KEPT) {
      if (!same.every((p) => p.values[name])) continue
      const all = new Float32Array(same.length * heightsM.length)
      same.forEach((p, i) => {
        all.set(p.values[name] as Float32Array, i * heightsM.length)
      })
      variables[name] = all
    }
    const { site } = this.deps
    const mrrPro = await import('@radx/formats/mrrpro/mrrpro')
    return mrrPro.writeMrrPro({
      instrumentName: site.microRainRadar?.name ?? 'MRR Pro',
      siteName: site.name,
      lat: site.microRainRadar?.position.lat ?? null,
      lon: site.microRainRadar?.position.lng ?? null,
      altitudeM: null,
      timesMs: Float64Array.from(same, (p) => p.timeMs),
      heightsM: Float32Array.from(heightsM),
      variables: variables as Parameters<typeof writeMrrPro>[0]['variables'],
    })
  }

  private async some(span: Span, only?: readonly Kept[]): Promise<Profile[]> {
    const profiles = await this.profiles(span, only)
    if (profiles.length === 0) throw new NoProfiles()
    return profiles
  }
}

/** Four significant digits are more than the instrument resolves. */
function rounded(values: Float32Array): (number | null)[] {
  const numbers: (number | null)[] = []
  for (let k = 0; k < values.length; k++)
    numbers.push(Number.isNaN(values[k]) ? null : significant(values[k], 4))
  return numbers
}

function toRecord(profile: Profile, variable: MrrVariableName): MrrRecord {
  const { timeMs, heightsM, values } = profile
  let maxValue = 0
  for (const v of values.LWC) if (v > maxValue) maxValue = v
  const other = variable === 'LWC' ? undefined : values[variable]
  return {
    datetime: new Date(timeMs).toISOString(),
    lwc: maxValue > 0 ? rounded(values.LWC) : [0],
    maxValue,
    meters_between_gates: heightsM.length > 1 ? heightsM[1] - heightsM[0] : 0,
    meters_to_first_gate: heightsM[0],
    ...(other ? { values: rounded(other) } : {}),
    melting: meltingLayer(profile),
  }
}
