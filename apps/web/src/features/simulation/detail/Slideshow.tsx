import { useReducedMotion } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { simulationTexts, detailTexts as texts } from '../../../texts/simulation.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { luseDataQuery, nodesQuery, type SimulationJob } from '../api.ts'
import classes from './Slideshow.module.css'
import { landUsePicture, networkPicture, type Picture, reliefPicture } from './slides.ts'

const CAPTIONS = [texts.captions.landUse, texts.captions.relief, texts.captions.network]
const SLIDE_MS = 7_000

/** Three pictures of the basin from its own data; one at random comes first. */
export function Slideshow({ jobId, input }: { jobId: string; input: SimulationJob['input'] }) {
  const grid = useQuery(luseDataQuery(input.luseId))
  const nodes = useQuery(nodesQuery(input.catchmentId, jobId))
  const still = useReducedMotion()
  const [shown, setShown] = useState(() => Math.floor(Math.random() * CAPTIONS.length))
  const [held, setHeld] = useState(false)
  const corners = input.catchmentCorners

  const pictures = useMemo((): (Picture | null)[] => {
    if (!grid.data) return [null, null, null]
    return [
      landUsePicture(grid.data, input.luseConfigs),
      reliefPicture(grid.data),
      corners ? networkPicture(grid.data, nodes.data ?? [], corners) : null,
    ]
  }, [grid.data, nodes.data, corners, input.luseConfigs])

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of slide starts the wait anew
  useEffect(() => {
    if (still || held) return
    const timer = setTimeout(() => setShown((k) => (k + 1) % CAPTIONS.length), SLIDE_MS)
    return () => clearTimeout(timer)
  }, [still, held, shown])

  const step = (by: number) => {
    setHeld(true)
    setShown((k) => (k + by + CAPTIONS.length) % CAPTIONS.length)
  }
  return (
    <section className={classes.root} aria-label={texts.images} aria-roledescription="diaporama">
      {pictures.map((picture, k) => (
        <figure
          key={CAPTIONS[k]}
          className={classes.slide}
          data-shown={k === shown}
          aria-hidden={k !== shown}
        >
          <Drawn picture={picture} />
          <figcaption>{CAPTIONS[k]}</figcaption>
        </figure>
      ))}
      {!grid.data && (
        <p className={classes.wait} role="status">
          {grid.isError ? texts.imagesFailed : simulationTexts.loading}
        </p>
      )}
      <div className={classes.steps}>
        <IconButton label={texts.previousImage} size={32} onClick={() => step(-1)}>
          <IconChevronLeft size={18} stroke={1.75} />
        </IconButton>
        <span>
          {shown + 1} / {CAPTIONS.length}
        </span>
        <IconButton label={texts.nextImage} size={32} onClick={() => step(1)}>
          <IconChevronRight size={18} stroke={1.75} />
        </IconButton>
      </div>
    </section>
  )
}

function Drawn({ picture }: { picture: Picture | null }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || picture === null || picture.width === 0) return
    context.canvas.width = picture.width
    context.canvas.height = picture.height
    context.putImageData(new ImageData(picture.data, picture.width, picture.height), 0, 0)
  }, [picture])
  return <canvas ref={canvas} aria-hidden />
}
