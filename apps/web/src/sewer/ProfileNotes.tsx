import { formatNumberFr } from '@radx/locale/format-fr'
import { useMemo } from 'react'
import { sewerTexts } from '../texts/sewer.ts'
import classes from './Profile.module.css'
import { diameterLabel, slopeLabel } from './pipe-label.ts'
import type { Profile, Scales } from './profile.ts'
import { FRAME, ROWS } from './profile-frame.ts'
import { fits, thinned } from './profile-view.ts'

const texts = sewerTexts.path.rows

interface Props {
  profile: Profile
  scales: Scales
  /** Water at each node, m. */
  depths: readonly number[]
  /** Of the drawing, px. */
  height: number
  /** The node under the pointer: its name stands alone. */
  marked: string | null
}

const metres = (z: number): string => formatNumberFr(z, 2)

/**
 * What a longitudinal section says in figures: names above the ground; ground, invert and water of the nodes under the plot,
 * diameter and slope of the pipes between them; as many as stand apart.
 */
export function ProfileNotes({ profile, scales, depths, height, marked }: Props) {
  const bottom = height - FRAME.bottom
  const { nodes, pipes, x: span } = profile
  const shown = useMemo(() => {
    const seen = nodes.flatMap((node, k) =>
      node.x >= span[0] && node.x <= span[1]
        ? [{ ...node, k, label: [node.name, metres(node.rimM)].reduce(longer) }]
        : [],
    )
    return thinned(
      seen,
      ({ x }) => scales.x(x),
      ({ label }) => label,
    )
  }, [nodes, span, scales])
  const named = useMemo(
    () =>
      pipes.flatMap((pipe) => {
        const [from, to] = [pipe.x0, pipe.x1].map((x) => scales.x(Math.min(span[1], Math.max(span[0], x))))
        const [diameter, slope] = [diameterLabel(pipe), slopeLabel(pipe)]
        const room = fits([diameter, slope].reduce(longer), to - from)
        return room ? [{ name: pipe.name, diameter, slope, x: (from + to) / 2 }] : []
      }),
    [pipes, span, scales],
  )
  return (
    <g className={classes.axes}>
      <g className={classes.rowNames}>
        {(['ground', 'invert', 'head', 'diameter', 'slope'] as const).map((row) => (
          <text key={row} x={0} y={bottom + ROWS[row]}>
            {texts[row]}
          </text>
        ))}
      </g>
      {marked === null && (
        <g data-testid="profile-names">
          {shown.map(({ name, x }) => (
            <g key={name}>
              <text x={scales.x(x)} y={FRAME.top - 10} textAnchor="middle">
                {name}
              </text>
              <line x1={scales.x(x)} x2={scales.x(x)} y1={FRAME.top - 6} y2={FRAME.top} />
            </g>
          ))}
        </g>
      )}
      <g data-testid="profile-levels">
        {shown.map(({ name, x, k, rimM, invertM }) => (
          <g key={name} textAnchor="middle">
            <text x={scales.x(x)} y={bottom + ROWS.ground}>
              {metres(rimM)}
            </text>
            <text x={scales.x(x)} y={bottom + ROWS.invert}>
              {metres(invertM)}
            </text>
            <text className={classes.headFigure} x={scales.x(x)} y={bottom + ROWS.head}>
              {metres(invertM + (depths[k] ?? 0))}
            </text>
          </g>
        ))}
      </g>
      <g data-testid="profile-pipes" textAnchor="middle">
        {named.map(({ name, diameter, slope, x }) => (
          <g key={name}>
            <text x={x} y={bottom + ROWS.diameter}>
              {diameter}
            </text>
            <text x={x} y={bottom + ROWS.slope}>
              {slope}
            </text>
          </g>
        ))}
      </g>
    </g>
  )
}

const longer = (a: string, b: string): string => (b.length > a.length ? b : a)
