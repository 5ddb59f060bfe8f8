import type { LatLng } from '@radx/contracts/site'
import { useState } from 'react'
import { useSite } from '../../../app/site.ts'
import { currentPosition, geolocationFailure } from '../../../map/controls/geolocation.ts'
import { nowcastTexts as texts } from '../../../texts/nowcast.ts'
import { useLiveGauges } from '../state/gauges.ts'
import classes from './PlaceChoice.module.css'

/** To a kilometre: a forecast knows no better, and who asks from near by is answered by the same cache. */
const rounded = ({ lat, lng }: LatLng): LatLng => ({
  lat: Math.round(lat * 100) / 100,
  lng: Math.round(lng * 100) / 100,
})

interface Choice {
  key: string
  name: string
  at: LatLng
}

const RADAR = 'radar'
const OWN = 'own'

/** The place that the forecast is told for: the radar, a town, a pixel that the reader chose, or where the reader is. */
export function usePlace() {
  const { radar, towns } = useSite()
  const gauges = useLiveGauges((state) => state.gauges)
  const [chosen, setChosen] = useState(RADAR)
  const [own, setOwn] = useState<LatLng | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const places: Record<'towns' | 'pixels', Choice[]> = {
    towns: towns.map(({ name, position }) => ({ key: `town ${name}`, name: texts.at(name), at: position })),
    pixels: (gauges?.list ?? []).map(({ point: { pos } }, k, { length }) => ({
      key: `pixel ${pos.lat} ${pos.lng}`,
      name: texts.gauge(length - k),
      at: pos,
    })),
  }
  const found = [...places.towns, ...places.pixels].find(({ key }) => key === chosen)
  const here = chosen === OWN && own ? { key: OWN, name: texts.here, at: own } : null
  const atRadar = { key: RADAR, name: texts.atRadar, at: radar.position }
  const { key, name, at } = here ?? found ?? atRadar
  const choose = async (next: string) => {
    setNote(null)
    setChosen(next)
    if (next !== OWN) return
    setNote(texts.locating)
    try {
      setOwn(await currentPosition())
      setNote(null)
    } catch (error) {
      setNote(geolocationFailure((error as Partial<GeolocationPositionError>).code).text)
      setChosen(RADAR)
    }
  }
  return { value: key, name, at: rounded(at), places, choose, note }
}

export function PlaceChoice({
  value,
  places,
  choose,
}: Pick<ReturnType<typeof usePlace>, 'value' | 'places' | 'choose'>) {
  const { towns, pixels } = places
  const options = (list: readonly Choice[]) =>
    list.map(({ key, name }) => (
      <option key={key} value={key}>
        {name}
      </option>
    ))
  return (
    <select
      className={classes.root}
      aria-label={texts.place}
      value={value}
      onChange={(event) => void choose(event.currentTarget.value)}
    >
      <option value={RADAR}>{texts.atRadar}</option>
      <option value={OWN}>{texts.here}</option>
      {pixels.length > 0 && <optgroup label={texts.gauges}>{options(pixels)}</optgroup>}
      {towns.length > 0 && <optgroup label={texts.towns}>{options(towns)}</optgroup>}
    </select>
  )
}
