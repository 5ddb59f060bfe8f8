import { NativeSelect } from '@mantine/core'
import { Canvas } from '@react-three/fiber'
import { IconMap2, IconRotate } from '@tabler/icons-react'
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import { NoToneMapping, Vector3 } from 'three'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { useColorScheme } from '../../../../app/color-scheme.ts'
import { depthTexts } from '../../../../texts/flood.ts'
import { workspaceTexts as texts } from '../../../../texts/workspace.ts'
import type { TownGrid } from '../../../../town/api.ts'
import type { GridPicture } from '../../../../town/paint-ground.ts'
import { Orbit, type OrbitHandle } from '../../../../town/scene/Orbit.tsx'
import { RIDGE_M, useSceneParts } from '../../../../town/scene/useSceneParts.ts'
import type { WaterClass } from '../../../../town/water-classes.ts'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { Message } from '../../../../ui/Message.tsx'
import { type SimulationJob, townOfRun } from '../../api.ts'
import { hasWebGl } from '../../result/depth/webgl.ts'
import { RELIEFS } from '../address.ts'
import type { Sewer } from '../SewerOverlay.tsx'
import { useWorkspace } from '../useWorkspace.ts'
import { Pins, type PlacePins } from './Pins.tsx'
import { Pipes } from './Pipes.tsx'
import { type PickAt, Town } from './Town.tsx'
import classes from './TownScene.module.css'

interface Props {
  job: SimulationJob
  town: TownGrid
  /** Colours of the water, where the layer shows depths. */
  water: readonly WaterClass[]
  /** A map that is no water. */
  picture: GridPicture | null
  sewer: Sewer
}

const TURN = Math.PI / 24
const SLIDE = 0.1
const TURNS: Record<string, [number, number, number]> = {
  ArrowLeft: [-TURN, 0, 1],
  ArrowRight: [TURN, 0, 1],
  ArrowUp: [0, TURN, 1],
  ArrowDown: [0, -TURN, 1],
  '+': [0, 0, 1 / 1.15],
  '=': [0, 0, 1 / 1.15],
  '-': [0, 0, 1.15],
}
const SLIDES: Record<string, [number, number]> = {
  ArrowLeft: [-SLIDE, 0],
  ArrowRight: [SLIDE, 0],
  ArrowUp: [0, SLIDE],
  ArrowDown: [0, -SLIDE],
}
/** A hand that moved less has clicked, px. */
const CLICK_PX = 5

/** The town in three dimensions: relief, buildings, and the water of the chosen layer on them. */
export default function TownScene({ job, town, water, picture, sewer }: Props) {
  const { relief, camera, network, picks, pick, change } = useWorkspace()
  const scheme = useColorScheme()
  const parts = useSceneParts(town, townOfRun(job))
  const handle = useRef<OrbitHandle>(null)
  const pickAt = useRef<PickAt>(null)
  const placePins = useRef<PlacePins>(null)
  const redraw = useRef<(() => void) | null>(null)
  const stage = useRef<HTMLElement>(null)
  const down = useRef<[number, number] | null>(null)
  const [able] = useState(hasWebGl)
  const { nrows, ncols, cellSizeM } = town.place
  const sizeM = Math.max(nrows, ncols) * cellSizeM
  const start = useMemo(() => new Vector3(0, 0.62 * sizeM, 0.72 * sizeM), [sizeM])
  const settle = useCallback((view: typeof camera) => change({ camera: view }), [change])
  const note = useCallback((triangles: number) => {
    if (stage.current) stage.current.dataset.triangles = String(triangles)
  }, [])
  const askForPicture = useCallback(() => redraw.current?.(), [])
  const choose = (x: number, y: number) => {
    const cell = pickAt.current?.(x, y)
    if (cell) pick({ kind: 'cell', ...cell })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const [turn, slide] = [TURNS[event.key], SLIDES[event.key]]
    if (event.shiftKey && slide) handle.current?.slide(...slide)
    else if (turn) handle.current?.move(...turn)
    else if (event.key === '0') handle.current?.reset()
    else if (event.key === 'Enter') choose(0, 0)
    else return
    event.preventDefault()
  }
  if (!able) return <Wait text={texts.noScene} />
  if (parts.error) return <Wait text={genericErrorText(parts.error)} />
  return (
    <>
      <section
        ref={stage}
        className={classes.root}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys turn the view
        tabIndex={0}
        aria-label={texts.scene}
        aria-busy={!parts.data}
        data-testid="town-3d"
        data-sheet={picks.length > 0 || undefined}
        onKeyDown={onKeyDown}
        onPointerDown={({ clientX, clientY }) => {
          down.current = [clientX, clientY]
        }}
        onClick={({ clientX, clientY, currentTarget }) => {
          const from = down.current
          if (from === null || Math.hypot(clientX - from[0], clientY - from[1]) > CLICK_PX) return
          const { left, top, width, height } = currentTarget.getBoundingClientRect()
          choose((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height)
        }}
      >
        {parts.data ? (
          <Canvas
            frameloop="demand"
            flat
            dpr={[1, 2]}
            gl={{ antialias: true, toneMapping: NoToneMapping, powerPreference: 'high-performance' }}
            camera={{ position: start, fov: 42, near: sizeM / 2000, far: sizeM * 6 }}
            aria-hidden
          >
            <Town
              {...{ job, town, water, picture, relief, scheme, pickAt, placePins, redraw }}
              parts={parts.data}
              onPicture={note}
            />
            {network && <Pipes {...{ sewer, scheme, relief }} place={town.place} parts={parts.data} />}
            <Orbit
              start={start}
              reach={[20 * cellSizeM, 4 * sizeM]}
              handle={handle}
              from={camera}
              onSettle={settle}
            />
          </Canvas>
        ) : (
          <p className={classes.waiting} role="status">
            {depthTexts.loading}
          </p>
        )}
        {parts.data && (
          <Pins
            {...{ picks, relief, sewer, placePins }}
            place={town.place}
            parts={parts.data}
            onPlaced={askForPicture}
          />
        )}
      </section>
      <div className={classes.tools}>
        <IconButton
          label={texts.toMap}
          tip="left"
          variant="default"
          onClick={() => change({ scene: false, camera: null })}
        >
          <IconMap2 size={18} stroke={1.75} />
        </IconButton>
        <IconButton
          label={depthTexts.resetCamera}
          tip="left"
          variant="default"
          onClick={() => handle.current?.reset()}
        >
          <IconRotate size={18} stroke={1.75} />
        </IconButton>
      </div>
      <div className={classes.foot} data-sheet={picks.length > 0 || undefined}>
        <NativeSelect
          aria-label={texts.relief}
          size="xs"
          value={String(relief)}
          data={RELIEFS.map((times) => ({ value: String(times), label: texts.reliefTimes(times) }))}
          onChange={({ currentTarget }) => change({ relief: Number(currentTarget.value) })}
        />
        <p>{texts.sceneNote(RIDGE_M)}</p>
        {town.attribution && <p>{town.attribution}</p>}
      </div>
    </>
  )
}

/** Why there is no picture, with the way back. */
function Wait({ text }: { text: string }) {
  const { change } = useWorkspace()
  return (
    <div className={classes.waiting}>
      <Message
        kind="warning"
        action={
          <button type="button" onClick={() => change({ scene: false })}>
            {texts.toMap}
          </button>
        }
      >
        {text}
      </Message>
    </div>
  )
}
