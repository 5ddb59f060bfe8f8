import { NativeSelect } from '@mantine/core'
import { IconMap2 } from '@tabler/icons-react'
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import { Vector3 } from 'three'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { useColorScheme } from '../../../../app/color-scheme.ts'
import { depthTexts } from '../../../../texts/flood.ts'
import { workspaceTexts as texts } from '../../../../texts/workspace.ts'
import type { TownGrid } from '../../../../town/api.ts'
import type { GridPicture } from '../../../../town/paint-ground.ts'
import { moveByKey } from '../../../../town/scene/keys.ts'
import { Orbit, type OrbitHandle } from '../../../../town/scene/Orbit.tsx'
import { ResetView } from '../../../../town/scene/ResetView.tsx'
import { SceneCanvas } from '../../../../town/scene/SceneCanvas.tsx'
import { RIDGE_M, useSceneParts } from '../../../../town/scene/useSceneParts.ts'
import type { CodeClass } from '../../../../town/WaterFrames.ts'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { Message } from '../../../../ui/Message.tsx'
import { type SimulationJob, townOfRun } from '../../api.ts'
import { hasWebGl } from '../../result/depth/webgl.ts'
import { followsClock, RELIEFS } from '../address.ts'
import type { Sewer } from '../SewerOverlay.tsx'
import { useReturn } from '../useReturn.ts'
import { useWorkspace } from '../useWorkspace.ts'
import { Pins, type PlacePins } from './Pins.tsx'
import { Pipes } from './Pipes.tsx'
import { type PickAt, Town } from './Town.tsx'
import classes from './TownScene.module.css'

interface Props {
  job: SimulationJob
  town: TownGrid
  /** Colours of the water, where the layer shows depths. */
  water: readonly CodeClass[]
  /** A map that is no water. */
  picture: GridPicture | null
  sewer: Sewer
}

/** A hand that moved less has clicked, px. */
const CLICK_PX = 5

/** The town in three dimensions: relief, buildings, and the water of the chosen layer on them. */
export default function TownScene({ job, town, water, picture, sewer }: Props) {
  const { layer, relief, camera, network, picks, pick, change, go } = useWorkspace()
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
  useReturn(() => handle.current?.look(camera))
  const note = useCallback((triangles: number) => {
    if (stage.current) stage.current.dataset.triangles = String(triangles)
  }, [])
  const askForPicture = useCallback(() => redraw.current?.(), [])
  const choose = (x: number, y: number) => {
    const cell = pickAt.current?.(x, y)
    if (cell) pick({ kind: 'cell', ...cell })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (moveByKey(event, handle.current)) return
    if (event.key !== 'Enter' || event.target !== event.currentTarget) return
    choose(0, 0)
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
          <SceneCanvas start={start} size={sizeM} near={1 / 2000}>
            <Town
              {...{ job, town, water, picture, relief, scheme, pickAt, placePins, redraw }}
              parts={parts.data}
              onPicture={note}
            />
            {network && (
              <Pipes
                {...{ job, sewer, scheme, relief }}
                now={followsClock(layer)}
                place={town.place}
                parts={parts.data}
              />
            )}
            <Orbit
              start={start}
              reach={[20 * cellSizeM, 4 * sizeM]}
              handle={handle}
              from={camera}
              onSettle={settle}
            />
          </SceneCanvas>
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
          onClick={() => go({ scene: false, camera: null })}
        >
          <IconMap2 size={18} stroke={1.75} />
        </IconButton>
        <ResetView handle={handle} />
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
  const { go } = useWorkspace()
  return (
    <div className={classes.waiting}>
      <Message
        kind="warning"
        action={
          <button type="button" onClick={() => go({ scene: false })}>
            {texts.toMap}
          </button>
        }
      >
        {text}
      </Message>
    </div>
  )
}
