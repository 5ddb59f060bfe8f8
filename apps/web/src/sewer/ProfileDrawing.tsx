import { PROFILE_SVG } from '@radx/contracts/simulation-constants'
import { formatNumberFr } from '@radx/locale/format-fr'
import {
  IconArrowAutofitWidth,
  IconChevronLeft,
  IconChevronRight,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import { useId, useMemo, useRef } from 'react'
import { sewerTexts } from '../texts/sewer.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { hoverNode, hoverNothing, useHover } from './hover.ts'
import classes from './Profile.module.css'
import { ProfileNotes } from './ProfileNotes.tsx'
import { Ground, Water } from './ProfileParts.tsx'
import { type Moment, nearestNode, type Profile, type Scales, ticks } from './profile.ts'
import { FRAME, ROWS, scalesOf } from './profile-frame.ts'
import { isNearest, isWhole, levelsIn, type Span } from './profile-view.ts'
import { useSpan } from './useSpan.ts'

const texts = sewerTexts.path
/** Between two lines of altitude there is about so much, px. */
const LINE_PX = 70
const { width, legend } = PROFILE_SVG

interface Props {
  profile: Profile
  moment: Moment
  /** Of the drawing, px; lower than usual where it shares the window with a map. */
  height?: number
}

/** Ground, pipes and water along a path: a handful of SVG paths, however many pipes there are. */
export function ProfileDrawing({ profile: whole, moment, height = PROFILE_SVG.height }: Props) {
  const root = useRef<SVGSVGElement>(null)
  const clip = useId()
  const view = useSpan(whole.x, { element: root, left: FRAME.left / width, right: 1 - FRAME.right / width })
  const { span, metresAt, handlers } = view
  const { profile, first } = useMemo(() => partOf(whole, span), [whole, span])
  const scales = useMemo(() => scalesOf(profile, height), [profile, height])
  const { nodes } = profile
  const depths = useMemo(() => moment.depths.slice(first, first + nodes.length), [moment, first, nodes])
  const hovered = useHover((hover) => hover.node)
  const marked = nodes.find(({ name, x }) => name === hovered && x >= span[0] && x <= span[1])
  const ends = [whole.nodes[0].name, whole.nodes[whole.nodes.length - 1].name] as const
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing and its tools are no set of fields
    <div
      role="group"
      aria-label={texts.view}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move the drawing, as its buttons do
      tabIndex={0}
      className={classes.view}
      onKeyDown={handlers.onKeyDown}
    >
      <ViewButtons view={view} whole={whole.x} />
      <svg
        ref={root}
        className={classes.drawing}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={texts.picture(...ends)}
        data-testid="profile"
        data-zoomed={!isWhole(whole.x, span) || undefined}
        onPointerDown={handlers.onPointerDown}
        onPointerMove={(event) => {
          handlers.onPointerMove(event)
          hoverNode(nearestNode(nodes, metresAt(event.clientX))?.name ?? null, 'profile')
        }}
        onPointerUp={handlers.onPointerUp}
        onPointerCancel={handlers.onPointerCancel}
        onPointerLeave={hoverNothing}
      >
        <clipPath id={clip}>
          <rect
            x={FRAME.left}
            y={FRAME.top}
            width={width - FRAME.left - FRAME.right}
            height={height - FRAME.top - FRAME.bottom}
          />
        </clipPath>
        <Axes {...{ profile, scales, height }} />
        <g clipPath={`url(#${clip})`}>
          <Ground profile={profile} scales={scales} />
          <Water {...{ profile, scales, depths }} speeds={moment.speeds} />
        </g>
        <ProfileNotes {...{ profile, scales, depths, height }} marked={marked?.name ?? null} />
        {marked && (
          <g data-testid="profile-mark">
            <line
              className={classes.mark}
              x1={scales.x(marked.x)}
              x2={scales.x(marked.x)}
              y1={FRAME.top}
              y2={height - FRAME.bottom}
            />
            <text
              className={classes.markName}
              x={Math.min(width - 40, Math.max(FRAME.left, scales.x(marked.x)))}
              y={FRAME.top - 10}
              textAnchor="middle"
            >
              {marked.name}
            </text>
          </g>
        )}
      </svg>
    </div>
  )
}

/** What a span shows of a profile, and the place of its first node in the whole. */
function partOf(whole: Profile, span: Span): { profile: Profile; first: number } {
  const { nodes } = whole
  // One more at either side: its pipe reaches into the picture.
  const inside = nodes.findIndex(({ x }) => x >= span[0])
  const beyond = nodes.findIndex(({ x }) => x > span[1])
  const first = Math.max(0, (inside < 0 ? nodes.length : inside) - 1)
  const last = beyond < 0 ? nodes.length : beyond + 1
  const pipes = whole.pipes.filter(({ x0, x1 }) => x0 < nodes[last - 1].x && x1 > nodes[first].x)
  return {
    profile: { ...whole, nodes: nodes.slice(first, last), pipes, x: span, z: levelsIn(whole, span) },
    first,
  }
}

function ViewButtons({ view, whole }: { view: ReturnType<typeof useSpan>; whole: Span }) {
  const { span } = view
  const all = isWhole(whole, span)
  return (
    <div className={classes.tools}>
      <IconButton label={texts.viewBack} disabled={all || span[0] <= whole[0]} onClick={view.back}>
        <IconChevronLeft size={18} />
      </IconButton>
      <IconButton label={texts.viewOn} disabled={all || span[1] >= whole[1]} onClick={view.on}>
        <IconChevronRight size={18} />
      </IconButton>
      <IconButton label={texts.nearer} disabled={isNearest(span)} onClick={view.nearer}>
        <IconZoomIn size={18} />
      </IconButton>
      <IconButton label={texts.farther} disabled={all} onClick={view.farther}>
        <IconZoomOut size={18} />
      </IconButton>
      <IconButton label={texts.whole} disabled={all} onClick={view.all}>
        <IconArrowAutofitWidth size={18} />
      </IconButton>
    </div>
  )
}

function Axes({ profile, scales, height }: { profile: Profile; scales: Scales; height: number }) {
  const bottom = height - FRAME.bottom
  return (
    <g className={classes.axes}>
      {ticks(profile.z, height / LINE_PX).map((z) => (
        <g key={z}>
          <line x1={FRAME.left} x2={width - FRAME.right} y1={scales.y(z)} y2={scales.y(z)} />
          <text x={FRAME.left - 8} y={scales.y(z)} dy="0.35em" textAnchor="end">
            {formatNumberFr(z, 2, true)}
          </text>
        </g>
      ))}
      {ticks([Math.max(0, profile.x[0]), Math.max(Math.min(profile.x[1], profile.lengthM), 1)], 8).map(
        (x) => (
          <text key={x} x={scales.x(x)} y={bottom + ROWS.distance} textAnchor="middle">
            {formatNumberFr(x, 1, true)}
          </text>
        ),
      )}
      <text x={(FRAME.left + width - FRAME.right) / 2} y={height - 6} textAnchor="middle">
        {texts.units}
      </text>
      <text transform={`translate(12 ${(FRAME.top + bottom) / 2}) rotate(-90)`} textAnchor="middle">
        {texts.elevation}
      </text>
    </g>
  )
}

const LEGEND = ['ground', 'pipe', 'water', 'head', 'energy', 'overflow', 'highest'] as const
const LINES: readonly string[] = ['ground', 'head', 'energy', 'highest']
/** Where the first line of the legend stands, and the most between two, px. */
const [LEGEND_TOP, LEGEND_STEP] = [24, 38]

/** @param highest the highest levels are drawn too @param energy so is the energy line */
export function ProfileLegend({ highest, energy }: { highest: boolean; energy: boolean }) {
  const optional = { highest, energy }
  const parts = LEGEND.filter((part) => !(part in optional) || optional[part as keyof typeof optional])
  const step = Math.min(LEGEND_STEP, (legend - 2 * LEGEND_TOP) / (parts.length - 1))
  return (
    <svg
      className={classes.legend}
      viewBox={`0 0 ${legend} ${legend}`}
      width={legend}
      height={legend}
      role="img"
      aria-label={sewerTexts.legend}
      data-testid="profile-legend"
    >
      {parts.map((part, k) => {
        const y = LEGEND_TOP + k * step
        return (
          <g key={part}>
            {LINES.includes(part) ? (
              <line className={classes[part]} x1={8} x2={40} y1={y} y2={y} />
            ) : (
              <rect
                className={part === 'pipe' ? classes.hollow : part === 'water' ? classes.water : classes.over}
                x={8}
                y={y - 9}
                width={32}
                height={18}
              />
            )}
            <text x={52} y={y} dy="0.35em">
              {texts.legend[part]}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
