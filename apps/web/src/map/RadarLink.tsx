import { Link } from 'react-router'
import { useSite } from '../app/site.ts'
import { sweepLinkText } from '../texts/sweep-title.ts'
import { MapMarker } from './controls/MapMarker.tsx'
import classes from './RadarLink.module.css'

/** The mark of the radar leads to what it measured, sweep by sweep. */
export function RadarLink() {
  const { radar } = useSite()
  return (
    <MapMarker position={radar.position}>
      <Link to="/balayage" className={classes.root} aria-label={sweepLinkText} title={sweepLinkText} />
    </MapMarker>
  )
}
