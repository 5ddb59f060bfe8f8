import { IconMaximize, IconMinimize, IconMinus, IconPlus } from '@tabler/icons-react'
import { type RefObject, useEffect, useState } from 'react'
import { mapTexts } from '../../texts/map.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { useRadxMap } from '../context.ts'
import { ButtonGroup } from './ButtonGroup.tsx'

/** Zoom and fullscreen. @param stage element that fills the screen */
export function MapButtons({ stage }: { stage: RefObject<HTMLElement | null> }) {
  const { map } = useRadxMap()
  const [full, setFull] = useState(false)
  const [zoom, setZoom] = useState(map.getZoom())
  useEffect(() => {
    const change = () => setFull(document.fullscreenElement !== null)
    const zoomed = () => setZoom(map.getZoom())
    document.addEventListener('fullscreenchange', change)
    map.on('zoomend', zoomed)
    return () => {
      document.removeEventListener('fullscreenchange', change)
      map.off('zoomend', zoomed)
    }
  }, [map])
  const toggle = () =>
    full
      ? void document.exitFullscreen()
      : void stage.current?.requestFullscreen().catch(() => setFull(false))
  return (
    <ButtonGroup>
      <IconButton
        label={mapTexts.zoomIn}
        tip="left"
        disabled={zoom >= map.getMaxZoom() - 0.01}
        onClick={() => map.zoomIn()}
      >
        <IconPlus size={18} stroke={1.75} />
      </IconButton>
      <IconButton
        label={mapTexts.zoomOut}
        tip="left"
        disabled={zoom <= map.getMinZoom() + 0.01}
        onClick={() => map.zoomOut()}
      >
        <IconMinus size={18} stroke={1.75} />
      </IconButton>
      {document.fullscreenEnabled && (
        <IconButton label={full ? mapTexts.exitFullscreen : mapTexts.fullscreen} tip="left" onClick={toggle}>
          {full ? <IconMinimize size={18} stroke={1.75} /> : <IconMaximize size={18} stroke={1.75} />}
        </IconButton>
      )}
    </ButtonGroup>
  )
}
