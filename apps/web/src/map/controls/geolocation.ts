import { GEOLOCATION_OPTIONS } from '@radx/contracts/constants'
import type { LatLng } from '@radx/contracts/site'
import { mapTexts } from '../../texts/map.ts'
import type { MessageKind } from '../../ui/Message.tsx'

export interface GeolocationFailure {
  kind: MessageKind
  text: string
}

/** What to say about a failed request, by the code of the browser's error. */
export function geolocationFailure(code: number | undefined): GeolocationFailure {
  const { geolocation } = mapTexts
  if (code === 1) return { kind: 'nfo', text: geolocation.denied }
  if (code === 2) return { kind: 'error', text: geolocation.unavailable }
  if (code === 3) return { kind: 'error', text: geolocation.timeout }
  return { kind: 'error', text: geolocation.other }
}

/** @throws GeolocationPositionError, or Error where the browser has no geolocation */
export function currentPosition(): Promise<LatLng> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) {
      reject(new Error('no geolocation'))
      return
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude }),
      reject,
      GEOLOCATION_OPTIONS,
    )
  })
}
