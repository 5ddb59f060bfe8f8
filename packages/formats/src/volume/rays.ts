import type { RadarSweep } from '@radx/contracts/radar-volume'

/**
 * The same sweep with its rays by rising azimuth, each direction once. Rays that merely begin elsewhere than at
 * north, or turn the other way, are the radar's habit; rays out of order or measured twice are named in `notes`.
 */
export function inOrder(given: RadarSweep, notes: string[]): RadarSweep {
  const sweep = fromTheRadarOn(given, notes)
  const { nrays, nbins, azimuthDeg, moments } = sweep
  const order = Array.from(azimuthDeg.keys()).filter((ray) => Number.isFinite(azimuthDeg[ray]))
  order.sort((a, b) => azimuthDeg[a] - azimuthDeg[b] || a - b)
  const where = `élévation ${frenchNumber(sweep.elevationDeg)}°`
  if (order.length < nrays)
    notes.push(`${where} : ${nrays - order.length} rayon(s) sans azimut, laissés de côté.`)
  const breaks = disorder(azimuthDeg)
  if (breaks > 1) notes.push(`${where} : rayons dans le désordre, remis par azimut croissant.`)
  const near = 0.2 * (360 / Math.max(1, nrays))
  const kept = order.filter((ray, i) => i === 0 || azimuthDeg[ray] - azimuthDeg[order[i - 1]] > near)
  // The last one before north may be the first one again.
  while (kept.length > 1 && azimuthDeg[kept[0]] + 360 - azimuthDeg[kept.at(-1)!] <= near) kept.pop()
  if (kept.length < order.length)
    notes.push(`${where} : ${order.length - kept.length} rayon(s) en double, le premier de chacun est gardé.`)
  if (kept.length === nrays && kept.every((ray, i) => ray === i)) return sweep
  const pick = (values: Float32Array): Float32Array => {
    const out = new Float32Array(kept.length * nbins)
    for (let i = 0; i < kept.length; ) {
      // Rays that follow each other in both are copied in one piece.
      let run = 1
      while (i + run < kept.length && kept[i + run] === kept[i] + run) run++
      out.set(values.subarray(kept[i] * nbins, (kept[i] + run) * nbins), i * nbins)
      i += run
    }
    return out
  }
  return {
    ...sweep,
    nrays: kept.length,
    azimuthDeg: Float64Array.from(kept, (ray) => azimuthDeg[ray]),
    moments: Object.fromEntries(
      Object.entries(moments).map(([name, moment]) => [name, { ...moment!, values: pick(moment!.values) }]),
    ),
  }
}

/** The sweep without gates whose middle lies behind the radar, which some files begin with; they are named in `notes`. */
function fromTheRadarOn(sweep: RadarSweep, notes: string[]): RadarSweep {
  const { nrays, nbins, rangeStartM, rangeStepM, moments } = sweep
  const before = Math.min(nbins - 1, Math.ceil(-0.5 - rangeStartM / rangeStepM))
  if (!(before > 0)) return sweep
  notes.push(
    `élévation ${frenchNumber(sweep.elevationDeg)}° : ${before} porte(s) de distance négative, laissée(s) de côté.`,
  )
  const left = nbins - before
  const pick = (values: Float32Array): Float32Array => {
    const out = new Float32Array(nrays * left)
    for (let ray = 0; ray < nrays; ray++)
      out.set(values.subarray(ray * nbins + before, (ray + 1) * nbins), ray * left)
    return out
  }
  return {
    ...sweep,
    nbins: left,
    rangeStartM: rangeStartM + before * rangeStepM,
    moments: Object.fromEntries(
      Object.entries(moments).map(([name, moment]) => [name, { ...moment!, values: pick(moment!.values) }]),
    ),
  }
}

/** How often the turn changes its way or passes north; once is a whole turn. */
function disorder(azimuthDeg: Float64Array): number {
  const falls = (sign: number): number => {
    let count = 0
    for (let ray = 1; ray < azimuthDeg.length; ray++)
      if (sign * (azimuthDeg[ray] - azimuthDeg[ray - 1]) < 0) count++
    return count
  }
  return Math.min(falls(1), falls(-1))
}

export const frenchNumber = (value: number): string => String(Math.round(value * 100) / 100).replace('.', ',')
