import type { NodePath } from '@radx/contracts/simulation'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { IconDownload } from '@tabler/icons-react'
import { memo, type ReactNode, useDeferredValue, useMemo } from 'react'
import { useClock } from '../player/run/clock.ts'
import { formatElapsed } from '../player/run/elapsed.ts'
import { sewerTexts } from '../texts/sewer.ts'
import { SeriesTable } from '../ui/SeriesTable.tsx'
import { TextButton } from '../ui/TextButton.tsx'
import { csvText, saveCsv } from './csv.ts'
import { useHover } from './hover.ts'
import classes from './Profile.module.css'
import { ProfileDrawing, ProfileLegend } from './ProfileDrawing.tsx'
import { depthsAt, type Profile, profileOf } from './profile.ts'

const texts = sewerTexts.path

interface Props {
  water: NodePath
  /** Player of the clock; undefined where the page has it elsewhere, null where there is no water to move. */
  clock: ReactNode
  /** Highest levels by node, m; the drawing then has their envelope. */
  highest?: ReadonlyMap<string, number>
}

/** A profile in figures and as a drawing, its water at the clock's moment. */
export function ProfileView({ water, clock, highest }: Props) {
  const profile = useMemo(() => profileOf(water, undefined, highest), [water, highest])
  const timeS = useClock((clock) => clock.timeS)
  const depths = useMemo(() => depthsAt(water.data, timeS), [water, timeS])
  const lastS = water.data.at(-1)?.timeS ?? 0
  const save = () =>
    saveCsv(
      csvText(
        [sewerTexts.csvColumns.time, ...profile.nodes.map(({ name }) => `${name} (m)`)],
        [
          [sewerTexts.csvColumns.distance, ...profile.nodes.map(({ x }) => Math.round(x * 100) / 100)],
          ...water.data.map((entry) => [entry.timeS, ...entry.depths]),
        ],
      ),
      'profil_en_long.csv',
    )
  return (
    <section aria-label={texts.title} className={classes.root}>
      <header>
        <h3>{texts.title}</h3>
        <p>{texts.facts(profile.nodes.length, formatQuantityFr(profile.lengthM, 'm'))}</p>
        <TextButton onClick={save}>
          <IconDownload size={16} stroke={1.75} aria-hidden /> {sewerTexts.csv}
        </TextButton>
      </header>
      {clock}
      {clock !== null && timeS > lastS && (
        <p className={classes.note}>{texts.beyond(formatElapsed(lastS))}</p>
      )}
      <div className={classes.figure}>
        <ProfileDrawing profile={profile} depths={depths} />
        <Levels profile={profile} depths={depths} />
        <div>
          <ProfileLegend highest={highest !== undefined} />
          <Reading profile={profile} depths={depths} />
        </div>
      </div>
    </section>
  )
}

const LEVELS_HEAD = [
  texts.node,
  texts.distance,
  ...[texts.ground, texts.invert, texts.head, texts.depth].map((name) => `${name} (m)`),
]

/** The drawing as a table, for screen readers; it follows the clock when there is time for it. */
const Levels = memo(({ profile: { nodes }, depths }: { profile: Profile; depths: readonly number[] }) => {
  const shown = useDeferredValue(depths)
  const metres = (value: number) => formatNumberFr(value, 2)
  return (
    <div className="rx-visually-hidden">
      <SeriesTable
        caption={texts.picture(nodes[0].name, nodes[nodes.length - 1].name)}
        head={LEVELS_HEAD}
        count={nodes.length}
        row={(k) => {
          const { name, x, rimM, invertM } = nodes[k]
          const depth = shown[k] ?? 0
          return [name, metres(x), metres(rimM), metres(invertM), metres(invertM + depth), metres(depth)]
        }}
        values={shown}
      />
    </div>
  )
})

/** Levels at the junction under the pointer, else at the first of the path. */
function Reading({ profile: { nodes }, depths }: { profile: Profile; depths: readonly number[] }) {
  const hovered = useHover((hover) => hover.node)
  const place = Math.max(
    0,
    nodes.findIndex(({ name }) => name === hovered),
  )
  const { name, rimM, invertM } = nodes[place]
  const depth = depths[place] ?? 0
  const rows = [
    [texts.ground, rimM],
    [texts.head, invertM + depth],
    [texts.depth, depth],
    [texts.invert, invertM],
  ] as const
  return (
    <dl className={classes.reading} data-testid="profile-reading">
      <div>
        <dt>{texts.node}</dt>
        <dd>{name}</dd>
      </div>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatQuantityFr(value, 'm', 2)}</dd>
        </div>
      ))}
    </dl>
  )
}
