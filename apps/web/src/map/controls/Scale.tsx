import { useEffect, useState } from 'react'
import { useRadxMap } from '../context.ts'
import { metricScale } from './metric-scale.ts'
import classes from './Scale.module.css'

const LONGEST_PX = 112

/** Metric scale of the map's centre. */
export function Scale() {
  const { map } = useRadxMap()
  const [scale, setScale] = useState(() => metricScale(map.getCenter().lat, map.getZoom(), LONGEST_PX))
  useEffect(() => {
    const update = () => setScale(metricScale(map.getCenter().lat, map.getZoom(), LONGEST_PX))
    map.on('move', update)
    // It may have moved since it was first drawn.
    update()
    return () => {
      map.off('move', update)
    }
  }, [map])
  return (
    <div className={classes.root} data-testid="scale">
      <span>{scale.label}</span>
      <div className={classes.bar} style={{ width: scale.widthPx }} />
    </div>
  )
}
