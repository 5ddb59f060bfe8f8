import { formatQuantityFr } from '@radx/locale/format-fr'
import { useCallback, useEffect, useState } from 'react'
import { useSite } from '../app/site.ts'
import { periodText } from '../selection/sentence.ts'
import { mapTexts } from '../texts/map.ts'
import { imageInWords, type StatedImage } from './statement.ts'

/** A step after a step is not told, only where they end, ms. */
const REST_MS = 700

/** What the map shows, for screen readers: told once it stands still, never while it plays. */
export function MapStatement({ image, playing }: { image: StatedImage | null; playing: boolean }) {
  const site = useSite()
  const words = useCallback(() => (image === null ? '' : imageInWords(image, site)), [image, site])
  return <RestingStatement words={words} playing={playing} />
}

/** Tells what stands on the map. @param words memoised */
export function RestingStatement({ words, playing }: { words: () => string; playing: boolean }) {
  const [told, setTold] = useState('')
  useEffect(() => {
    if (playing) return
    const timer = setTimeout(() => setTold(words()), REST_MS)
    return () => clearTimeout(timer)
  }, [words, playing])
  return <Told>{told}</Told>
}

interface TotalProps {
  s: string
  e: string
  /** Mean of the zone, mm; null without a frame. */
  zoneMm: number | null
}

/** The same for the accumulation of a period. */
export function TotalStatement({ s, e, zoneMm }: TotalProps) {
  const { timeZone } = useSite()
  return (
    <Told>{mapTexts.statement.total(periodText(s, e, timeZone), formatQuantityFr(zoneMm, 'mm', 1))}</Told>
  )
}

const Told = ({ children }: { children: string }) => (
  <p className="rx-visually-hidden" role="status" data-testid="map-statement">
    {children}
  </p>
)
