import { Button, SegmentedControl, Switch } from '@mantine/core'
import { GULLY_CODE, LAND_USE_NODATA } from '@radx/contracts/landuse'
import type { LuseConfig, LuseData, LuseUpdate } from '@radx/contracts/simulation'
import { formatNumberFr } from '@radx/locale/format-fr'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCheck,
  IconDownload,
  IconHelpCircle,
  IconMinus,
  IconPlus,
} from '@tabler/icons-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { landUseTexts, editorTexts as texts } from '../../../texts/simulation.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { ElevationLegend } from './ElevationLegend.tsx'
import classes from './GridEditor.module.css'
import { HelpPanel } from './HelpPanel.tsx'
import { BRUSHES, type Brush, flatten, GridModel, MODES, type Mode, stepZoom } from './model.ts'
import { GridRenderer, type Ground } from './renderer.ts'
import { type GridCell, type Tool, useCanvasGestures } from './useCanvasGestures.ts'
import { useCanvasKeys } from './useCanvasKeys.ts'
import { useEditorKeys } from './useEditorKeys.ts'
import { useKeptPainting } from './useKeptPainting.ts'
import { CANVAS, elevationRange, openingView, type View, zoomAt } from './view.ts'
import { spokenCell, underPointer } from './words.ts'

interface Props {
  data: LuseData
  /** 1 may be edited, `[row][col]`; null without a case study. */
  mask: readonly (readonly number[])[] | null
  configs: readonly LuseConfig[]
  /** What was saved before. */
  updates: readonly LuseUpdate[]
  saved: boolean
  /** Something was painted after saving. */
  onTouch: () => void
  /** Every painted cell, a moment after the last stroke and when the editor is left. */
  onPaint: (updates: LuseUpdate[]) => void
  onSave: (updates: LuseUpdate[]) => void
  /** The map as it is painted now. */
  onExport: (codes: Int16Array) => void
}

export function GridEditor(props: Props) {
  const { data, mask, configs, updates, saved, onTouch, onPaint, onSave, onExport } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const readout = useRef<HTMLParagraphElement>(null)
  const live = useRef<HTMLParagraphElement>(null)
  const keysHelp = useId()
  // The model outlives what was saved; a save must not build it anew.
  const first = useRef(updates)
  const editable = useMemo(() => (mask === null ? null : Uint8Array.from(mask.flat())), [mask])
  const model = useMemo(() => {
    const ncols = data.data[0]?.length ?? 0
    const grid = new GridModel(flatten(data.data, ncols), ncols, editable)
    grid.apply(first.current)
    return grid
  }, [data, editable])
  const [renderer, setRenderer] = useState<GridRenderer | null>(null)
  const [ground, setGround] = useState<Ground>('landUse')
  const [mode, setMode] = useState<Mode>('draw')
  const [brush, setBrush] = useState<Brush>(4)
  const [layer, setLayer] = useState(true)
  const [zoom, setZoom] = useState(1)
  const [code, setCode] = useState(() => configs.find((c) => c.code !== GULLY_CODE)?.code ?? 1)
  const [help, setHelp] = useState(false)
  // Counts what changed in the model, which React does not watch.
  const [, setStrokes] = useState(0)
  const tool = useRef<Tool>({ mode, brush, code, layer })
  tool.current = { mode, brush, code, layer }

  useEffect(() => {
    if (canvas.current === null) return
    const made = new GridRenderer(canvas.current, model, data.elevation)
    made.view = openingView(model, editable)
    setZoom(made.view.zoom)
    setRenderer(made)
    return () => made.dispose()
  }, [model, editable, data.elevation])

  useEffect(() => {
    renderer?.setColors(configs)
  }, [renderer, configs])

  useEffect(() => {
    if (renderer === null) return
    renderer.ground = ground
    renderer.showEdits = layer
    renderer.invalidate()
  }, [renderer, ground, layer])

  // A brush that a key has changed is outlined anew where it stands.
  useEffect(() => {
    if (!renderer?.cursor) return
    renderer.cursor = { ...renderer.cursor, size: brush }
    renderer.invalidate()
  }, [renderer, brush])

  const keepSoon = useKeptPainting(model, onPaint)
  const changed = () => {
    renderer?.invalidate()
    setStrokes((n) => n + 1)
    onTouch()
    keepSoon()
  }
  const undo = () => {
    if (!model.canUndo) return
    model.undo()
    changed()
  }
  const redo = () => {
    if (!model.canRedo) return
    model.redo()
    changed()
  }
  const look = (view: View) => {
    if (renderer === null) return
    renderer.view = view
    setZoom(view.zoom)
    renderer.invalidate()
  }
  const zoomBy = (by: 1 | -1, x: number = CANVAS.width / 2, y: number = CANVAS.height / 2) => {
    if (renderer) look(zoomAt(renderer.view, stepZoom(renderer.view.zoom, by), x, y, model))
  }

  useEditorKeys({
    onMode: setMode,
    onLayer: () => setLayer((shown) => !shown),
    onBrush: setBrush,
    onDigit: (digit) => {
      const asked = configs.find((config) => config.code === digit)
      if (asked && asked.code !== GULLY_CODE) setCode(digit)
    },
    onUndo: undo,
    onRedo: redo,
  })

  // The editor opens below the tables that led to it.
  const root = useRef<HTMLElement>(null)
  useEffect(() => {
    root.current?.scrollIntoView({ block: 'start' })
  }, [])

  // Words at the canvas follow pointer and keys without React drawing the editor anew.
  const tell = (cell: GridCell | null, spoken: string) => {
    if (readout.current)
      readout.current.textContent = cell === null ? '' : underPointer(model, data, configs, cell)
    if (live.current) live.current.textContent = spoken
  }
  const { keys, follow } = useCanvasKeys({
    renderer,
    model,
    tool,
    onZoom: zoomBy,
    onPainted: changed,
    onTold: (cell, said) =>
      tell(cell, cell === null ? '' : spokenCell(model, configs, cell, said && texts.said[said])),
  })
  const gestures = useCanvasGestures({
    canvas,
    renderer,
    model,
    tool,
    onZoom: zoomBy,
    onPainted: changed,
    onOver: (cell) => {
      if (cell) follow(cell)
      tell(cell, '')
    },
  })

  const hectares = formatNumberFr((model.changed * data.cellSizeM ** 2) / 10_000, 2)
  return (
    <section ref={root} className={classes.root} aria-label={texts.heading}>
      <div className={classes.tools}>
        <SegmentedControl
          aria-label={texts.show}
          value={ground}
          onChange={(value) => setGround(value as Ground)}
          data={[
            { value: 'landUse', label: texts.landUse },
            { value: 'elevation', label: texts.elevation, disabled: data.elevation === undefined },
          ]}
        />
        <SegmentedControl
          aria-label={texts.mode}
          value={mode}
          onChange={(value) => setMode(value as Mode)}
          data={MODES.map((value) => ({ value, label: texts.modes[value] }))}
        />
        <SegmentedControl
          aria-label={texts.brush}
          value={String(brush)}
          onChange={(value) => setBrush(Number(value) as Brush)}
          data={BRUSHES.map((value) => ({ value: String(value), label: texts.brushSize(value) }))}
        />
        <Switch
          label={texts.layer}
          checked={layer}
          onChange={({ currentTarget: { checked } }) => setLayer(checked)}
        />
        <div className={classes.icons}>
          <IconButton label={texts.undo} disabled={!model.canUndo} onClick={undo}>
            <IconArrowBackUp size={20} stroke={1.75} />
          </IconButton>
          <IconButton label={texts.redo} disabled={!model.canRedo} onClick={redo}>
            <IconArrowForwardUp size={20} stroke={1.75} />
          </IconButton>
          <IconButton label={texts.zoomOut} disabled={zoom === 1} onClick={() => zoomBy(-1)}>
            <IconMinus size={18} stroke={1.75} />
          </IconButton>
          <span className={classes.zoom} data-testid="zoom">
            {texts.zoom(zoom)}
          </span>
          <IconButton label={texts.zoomIn} disabled={zoom === 4} onClick={() => zoomBy(1)}>
            <IconPlus size={18} stroke={1.75} />
          </IconButton>
          <IconButton label={texts.help} aria-expanded={help} onClick={() => setHelp((shown) => !shown)}>
            <IconHelpCircle size={20} stroke={1.75} />
          </IconButton>
        </div>
      </div>
      {help && <HelpPanel />}
      <div className={classes.stage}>
        <div className={classes.frame}>
          {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a screen reader must hand its keys over. */}
          <canvas
            ref={canvas}
            className={classes.canvas}
            width={CANVAS.width}
            height={CANVAS.height}
            data-mode={layer ? mode : 'move'}
            role="application"
            tabIndex={0}
            aria-label={texts.canvas}
            aria-describedby={keysHelp}
            {...gestures}
            {...keys}
          />
          <p id={keysHelp} className={classes.keys}>
            {texts.keys}
          </p>
          <p ref={readout} className={classes.readout} aria-hidden />
          <p ref={live} className="rx-visually-hidden" aria-live="polite" data-testid="editor-cell" />
        </div>
        <div className={classes.side}>
          <fieldset className={classes.palette}>
            <legend>{texts.paintWith}</legend>
            {configs.map((config) => (
              <button
                key={config.id}
                type="button"
                disabled={config.code === GULLY_CODE}
                aria-pressed={config.code === code}
                onClick={() => setCode(config.code)}
              >
                <span className={classes.swatch} style={{ background: config.color }} />
                <span>{config.title}</span>
                <kbd>{config.code}</kbd>
              </button>
            ))}
          </fieldset>
          {ground === 'elevation' && data.elevation && (
            <ElevationLegend {...elevationRange(data.elevation.flat(), LAND_USE_NODATA)} />
          )}
        </div>
      </div>
      <div className={classes.foot}>
        <p aria-live="polite" data-testid="changed">
          {model.changed === 0 ? texts.nothing : texts.changed(model.changed, hectares)}
          <span className={classes.state}>
            {saved ? (
              <>
                <IconCheck size={16} stroke={2} aria-hidden /> {texts.saved}
              </>
            ) : model.changed === 0 ? (
              texts.unsavedAsIs
            ) : (
              texts.unsaved
            )}
          </span>
        </p>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
          onClick={() => onExport(model.codes)}
        >
          {landUseTexts.export}
        </Button>
        <Button disabled={saved} onClick={() => onSave(model.updates())}>
          {texts.save}
        </Button>
      </div>
    </section>
  )
}
