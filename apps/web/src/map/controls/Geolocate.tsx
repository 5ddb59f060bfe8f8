import type { LatLng } from '@radx/contracts/site'
import { IconCurrentLocation } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import { mapTexts } from '../../texts/map.ts'
import { Message } from '../../ui/Message.tsx'
import classes from './Geolocate.module.css'
import { currentPosition, type GeolocationFailure, geolocationFailure } from './geolocation.ts'
import { MapMarker } from './MapMarker.tsx'

const FLAG = 'radx-geolocation-requested'

const wasRequested = () => {
  try {
    return localStorage.getItem(FLAG) === 'true'
  } catch {
    return false
  }
}

/**
 * 'Me positionner sur la carte': gone once it was asked for. The request is remembered in this browser, so
 * that the position comes back by itself after a reload.
 */
export function Geolocate() {
  const [requested, setRequested] = useState(wasRequested)
  const [position, setPosition] = useState<LatLng | null>(null)
  const [failure, setFailure] = useState<GeolocationFailure | null>(null)
  const [waiting, setWaiting] = useState(false)

  const locate = useCallback(async () => {
    setWaiting(true)
    try {
      setPosition(await currentPosition())
    } catch (error) {
      setFailure(geolocationFailure((error as Partial<GeolocationPositionError>).code))
    } finally {
      setWaiting(false)
    }
  }, [])

  useEffect(() => {
    if (wasRequested()) void locate()
  }, [locate])

  const request = async () => {
    try {
      localStorage.setItem(FLAG, 'true')
    } catch {
      // Private browsing without storage: the button is hidden for this visit only.
    }
    setRequested(true)
    await locate()
  }

  return (
    <>
      {!requested && (
        <button type="button" className={classes.button} data-tour="place" onClick={() => void request()}>
          <IconCurrentLocation size={18} stroke={1.75} aria-hidden />
          {mapTexts.locate}
        </button>
      )}
      {position && (
        <MapMarker position={position}>
          <div role="img" aria-label={mapTexts.myPosition} className={classes.marker} />
        </MapMarker>
      )}
      {waiting && (
        <p className={classes.waiting} role="status">
          {mapTexts.locating}
        </p>
      )}
      {failure && (
        <div className={classes.failure}>
          <Message kind={failure.kind}>{failure.text}</Message>
        </div>
      )}
    </>
  )
}
