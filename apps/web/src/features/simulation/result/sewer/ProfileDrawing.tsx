import { PROFILE_GEOMETRY, PROFILE_SVG } from '@radx/contracts/simulation-constants'
import { formatNumberFr } from '@radx/rainfall/format-fr'
import { type MouseEvent, useMemo, useRef } from 'react'
import { sewerTexts } from '../../../../texts/sewer.ts'
import { hoverNode, hoverNothing, useHover } from './hover.ts'
import classes from './Profile.module.css'
import { corners, nearestNode, type Profile, polygonPath, type Scales, ticks, waterIn } from './profile.ts'

const texts = sewerTexts.path
const { width, height, legend } = PROFILE_SVG
const FRAME = { left: 56, right: 12, top: 12, bottom: 44 } as const
/** A shaft is drawn at least so wide, px: on a long path a metre is less than a pixel. */
const SHAFT_PX = 3

interface Props {
  profile: Profile
  /** Water at each node, m. */
  depths: readonly number[]
}

/** Ground, pipes and water along a path: a handful of SVG paths, however many pipes there are. */
export function ProfileDrawing({ profile, depths }: Props) {
  const root = useRef<SVGSVGElement>(null)
  const scales = useMemo(() => scalesOf(profile), [profile])
  const { nodes } = profile
  const hovered = useHover((hover) => hover.node)
  const marked = nodes.find(({ name }) => name === hovered)
  const point = (event: MouseEvent) => {
    const box = root.current?.getBoundingClientRect()
    if (!box) return
    const px = ((event.clientX - box.left) / box.width) * width
    const [low, high] = profile.x
    const metres = low + ((px - FRAME.left) / (width - FRAME.left - FRAME.right)) * (high - low)
    hoverNode(nearestNode(nodes, metres)?.name ?? null, 'profile')
  }
  return (
    <svg
      ref={root}
      className={classes.drawing}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={texts.picture(nodes[0].name, nodes[nodes.length - 1].name)}
      data-testid="profile"
      onMouseMove={point}
      onMouseLeave={hoverNothing}
    >
      <Axes profile={profile} scales={scales} />
      <Ground profile={profile} scales={scales} />
      <Water profile={profile} scales={scales} depths={depths} />
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
            x={scales.x(marked.x)}
            y={FRAME.top + 12}
            dx={scales.x(marked.x) > width / 2 ? -6 : 6}
            textAnchor={scales.x(marked.x) > width / 2 ? 'end' : 'start'}
          >
            {marked.name}
          </text>
        </g>
      )}
    </svg>
  )
}

function scalesOf({ x, z }: Profile): Scales {
  const across = (width - FRAME.left - FRAME.right) / (x[1] - x[0])
  const up = (height - FRAME.top - FRAME.bottom) / (z[1] - z[0])
  return {
    x: (metres) => FRAME.left + (metres - x[0]) * across,
    y: (metres) => height - FRAME.bottom - (metres - z[0]) * up,
  }
}

/** Half the width of a shaft, m. */
const halfShaft = ({ x }: Profile): number => {
  const metrePx = (width - FRAME.left - FRAME.right) / (x[1] - x[0])
  return Math.max(PROFILE_GEOMETRY.nodeWidth, SHAFT_PX / metrePx) / 2
}

const box = (x0: number, x1: number, z0: number, z1: number) =>
  corners([
    [x0, z0],
    [x1, z0],
    [x1, z1],
    [x0, z1],
  ])

function Axes({ profile, scales }: { profile: Profile; scales: Scales }) {
  const bottom = height - FRAME.bottom
  return (
    <g className={classes.axes}>
      {ticks(profile.z, 7).map((z) => (
        <g key={z}>
          <line x1={FRAME.left} x2={width - FRAME.right} y1={scales.y(z)} y2={scales.y(z)} />
          <text x={FRAME.left - 8} y={scales.y(z)} dy="0.35em" textAnchor="end">
            {formatNumberFr(z, 2, true)}
          </text>
        </g>
      ))}
      {ticks([0, Math.max(profile.lengthM, 1)], 8).map((x) => (
        <text key={x} x={scales.x(x)} y={bottom + 18} textAnchor="middle">
          {formatNumberFr(x, 1, true)}
        </text>
      ))}
      <text x={(FRAME.left + width - FRAME.right) / 2} y={height - 6} textAnchor="middle">
        {texts.distance}
      </text>
      <text transform={`translate(12 ${(FRAME.top + bottom) / 2}) rotate(-90)`} textAnchor="middle">
        {texts.elevation}
      </text>
    </g>
  )
}

/** What does not move: earth under the ground line, shafts and pipes. */
function Ground({ profile, scales }: { profile: Profile; scales: Scales }) {
  const drawn = useMemo(() => {
    const { nodes, pipes, z, x } = profile
    const half = halfShaft(profile)
    const line = [
      [x[0], nodes[0].rimM] as const,
      ...nodes.map((node) => [node.x, node.rimM] as const),
      [x[1], nodes[nodes.length - 1].rimM] as const,
    ]
    const at = ([px, pz]: readonly [number, number]) =>
      `${scales.x(px).toFixed(1)} ${scales.y(pz).toFixed(1)}`
    return {
      earth: polygonPath(corners([...line, [x[1], z[0]], [x[0], z[0]]]), scales),
      ground: `M${line.map(at).join('L')}`,
      hollow: [
        ...nodes.map((node) => box(node.x - half, node.x + half, node.invertM, node.rimM)),
        ...pipes.map((pipe) =>
          corners([
            [pipe.x0, pipe.invert0M],
            [pipe.x1, pipe.invert1M],
            [pipe.x1, pipe.invert1M + pipe.heightM],
            [pipe.x0, pipe.invert0M + pipe.heightM],
          ]),
        ),
      ]
        .map((shape) => polygonPath(shape, scales))
        .join(''),
    }
  }, [profile, scales])
  return (
    <>
      <path className={classes.earth} d={drawn.earth} />
      <path className={classes.hollow} d={drawn.hollow} />
      <path className={classes.ground} d={drawn.ground} />
    </>
  )
}

/** What moves: water in shafts and pipes, the head, and what stands above the rim. */
function Water({ profile, scales, depths }: Props & { scales: Scales }) {
  const drawn = useMemo(() => {
    const { nodes, pipes } = profile
    const half = halfShaft(profile)
    const head = nodes.map(({ invertM }, k) => invertM + (depths[k] ?? 0))
    const place = new Map(nodes.map(({ x }, k) => [Math.round(x * 1000), k]))
    const clear = PROFILE_GEOMETRY.nodeWidth / 2 + PROFILE_GEOMETRY.linkSpacing
    const at = (x: number) => place.get(Math.round(x * 1000)) ?? 0
    const water = [
      ...nodes.map((node, k) =>
        box(node.x - half, node.x + half, node.invertM, Math.min(head[k], Math.max(node.rimM, node.invertM))),
      ),
      ...pipes.flatMap((pipe) => {
        const filled = waterIn(pipe, head[at(pipe.x0 - clear)], head[at(pipe.x1 + clear)])
        return filled === null ? [] : [filled]
      }),
    ]
    const over = nodes.flatMap((node, k) =>
      head[k] > node.rimM && node.rimM > node.invertM
        ? [box(node.x - 2 * half, node.x + 2 * half, node.rimM, head[k])]
        : [],
    )
    return {
      water: water.map((shape) => polygonPath(shape, scales)).join(''),
      over: over.map((shape) => polygonPath(shape, scales)).join(''),
      line: `M${nodes.map(({ x }, k) => `${scales.x(x).toFixed(1)} ${scales.y(head[k]).toFixed(1)}`).join('L')}`,
    }
  }, [profile, scales, depths])
  return (
    <>
      <path className={classes.water} d={drawn.water} data-testid="profile-water" />
      <path className={classes.over} d={drawn.over} />
      <path className={classes.head} d={drawn.line} />
    </>
  )
}

const LEGEND = ['ground', 'pipe', 'water', 'head', 'overflow'] as const

export function ProfileLegend() {
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
      {LEGEND.map((part, k) => {
        const y = 24 + k * 38
        return (
          <g key={part}>
            {part === 'ground' || part === 'head' ? (
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
