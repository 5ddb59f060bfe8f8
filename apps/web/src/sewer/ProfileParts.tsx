import { PROFILE_GEOMETRY, PROFILE_SVG } from '@radx/contracts/simulation-constants'
import { useMemo } from 'react'
import classes from './Profile.module.css'
import { corners, energyIn, type Moment, type Profile, polygonPath, type Scales, waterIn } from './profile.ts'
import { FRAME } from './profile-frame.ts'

/** A shaft is drawn at least so wide, px: on a long path a metre is less than a pixel. */
const SHAFT_PX = 3

interface Props {
  profile: Profile
  scales: Scales
}

/** Half the width of a shaft, m. */
const halfShaft = ({ x }: Profile): number => {
  const metrePx = (PROFILE_SVG.width - FRAME.left - FRAME.right) / (x[1] - x[0])
  return Math.max(PROFILE_GEOMETRY.nodeWidth, SHAFT_PX / metrePx) / 2
}

const box = (x0: number, x1: number, z0: number, z1: number) =>
  corners([
    [x0, z0],
    [x1, z0],
    [x1, z1],
    [x0, z1],
  ])

/** What does not move: earth under the ground line, shafts and pipes. */
export function Ground({ profile, scales }: Props) {
  const drawn = useMemo(() => {
    const { nodes, pipes, z, x } = profile
    const half = halfShaft(profile)
    const [left, right] = [Math.min(x[0], nodes[0].x), Math.max(x[1], nodes[nodes.length - 1].x)]
    const line = [
      [left, nodes[0].rimM] as const,
      ...nodes.map((node) => [node.x, node.rimM] as const),
      [right, nodes[nodes.length - 1].rimM] as const,
    ]
    const at = ([px, pz]: readonly [number, number]) =>
      `${scales.x(px).toFixed(1)} ${scales.y(pz).toFixed(1)}`
    return {
      earth: polygonPath(corners([...line, [right, z[0]], [left, z[0]]]), scales),
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

/** What moves: water in shafts and pipes, the head, the energy, and what stands above the rim. */
export function Water({ profile, scales, depths, speeds }: Props & Moment) {
  const drawn = useMemo(() => {
    const { nodes, pipes } = profile
    const half = halfShaft(profile)
    const head = nodes.map(({ invertM }, k) => invertM + (depths[k] ?? 0))
    const place = new Map(nodes.map(({ x }, k) => [Math.round(x * 1000), k]))
    const clear = PROFILE_GEOMETRY.nodeWidth / 2 + PROFILE_GEOMETRY.linkSpacing
    const at = (x: number) => place.get(Math.round(x * 1000)) ?? 0
    const ends = pipes.map(({ x0, x1 }) => [head[at(x0 - clear)], head[at(x1 + clear)]] as const)
    const water = [
      ...nodes.map((node, k) =>
        box(node.x - half, node.x + half, node.invertM, Math.min(head[k], Math.max(node.rimM, node.invertM))),
      ),
      ...pipes.flatMap((pipe, k) => {
        const filled = waterIn(pipe, ...ends[k])
        return filled === null ? [] : [filled]
      }),
    ]
    const energy = pipes.flatMap((pipe, k) => {
      const levels = energyIn(pipe, ends[k], speeds?.[pipe.link])
      if (levels === null) return []
      const [from, to] = [pipe.x0, pipe.x1].map(
        (x, end) => `${scales.x(x).toFixed(1)} ${scales.y(levels[end]).toFixed(1)}`,
      )
      return [`M${from}L${to}`]
    })
    const over = nodes.flatMap((node, k) =>
      head[k] > node.rimM && node.rimM > node.invertM
        ? [box(node.x - 2 * half, node.x + 2 * half, node.rimM, head[k])]
        : [],
    )
    return {
      water: water.map((shape) => polygonPath(shape, scales)).join(''),
      over: over.map((shape) => polygonPath(shape, scales)).join(''),
      highest: nodes.every(({ highestM }) => highestM !== null)
        ? `M${nodes.map(({ x, highestM }) => `${scales.x(x).toFixed(1)} ${scales.y(highestM ?? 0).toFixed(1)}`).join('L')}`
        : null,
      line: `M${nodes.map(({ x }, k) => `${scales.x(x).toFixed(1)} ${scales.y(head[k]).toFixed(1)}`).join('L')}`,
      energy: energy.join(''),
    }
  }, [profile, scales, depths, speeds])
  return (
    <>
      <path className={classes.water} d={drawn.water} data-testid="profile-water" />
      <path className={classes.over} d={drawn.over} />
      <path className={classes.head} d={drawn.line} />
      {drawn.energy !== '' && (
        <path className={classes.energy} d={drawn.energy} data-testid="profile-energy" />
      )}
      {drawn.highest !== null && (
        <path className={classes.highest} d={drawn.highest} data-testid="profile-highest" />
      )}
    </>
  )
}
