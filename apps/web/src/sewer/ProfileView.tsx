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
import { pipeLabel } from './pipe-label.ts'
import { energyIn, type Moment, momentAt, type Profile, type ProfilePipe, profileOf } from './profile.ts'

const texts = sewerTexts.path

interface Props {
  water: NodePath
  /** Player of the clock; undefined where the page has it elsewhere, null where there is no water to move. */
  clock: ReactNode
  /** Highest levels by node, m; the drawing then has their envelope. */
  highest?: ReadonlyMap<string, number>
  /** Of the drawing, px. */
  height?: number
}

/** A profile in figures and as a drawing, its water at the clock's moment. */
export function ProfileView({ water, clock, highest, height }: Props) {
  const profile = useMemo(() => profileOf(water, undefined, highest), [water, highest])
  const timeS = useClock((clock) => clock.timeS)
  const moment = useMemo(() => momentAt(water.data, timeS), [water, timeS])
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
        <ProfileDrawing {...{ profile, moment, height }} />
        <Levels profile={profile} moment={moment} />
        <div>
          <ProfileLegend highest={highest !== undefined} energy={moment.speeds !== undefined} />
          <Reading profile={profile} moment={moment} />
        </div>
      </div>
    </section>
  )
}

const LEVELS_HEAD = [
  texts.node,
  texts.distance,
  ...[texts.ground, texts.invert, texts.head, texts.depth, texts.highest].map((name) => `${name} (m)`),
  texts.pipeAfter,
  `${texts.energy} (m)`,
]

/** The pipe that goes on from a node; undefined at the end, and where a pump or a weir does. */
const pipeAfter = ({ nodes, pipes }: Profile, k: number): ProfilePipe | undefined =>
  pipes.find(({ x0 }) => x0 > nodes[k].x && x0 < (nodes[k + 1]?.x ?? 0))

/** The energy line at the two ends of the pipe that goes on from a node, m; null where nothing flows. */
function energyAfter(profile: Profile, k: number, { depths, speeds }: Moment): [number, number] | null {
  const pipe = pipeAfter(profile, k)
  const head = (n: number) => profile.nodes[n].invertM + (depths[n] ?? 0)
  return pipe ? energyIn(pipe, [head(k), head(k + 1)], speeds?.[pipe.link]) : null
}

/** The drawing as a table, for screen readers; it follows the clock when there is time for it. */
const Levels = memo(({ profile, moment }: { profile: Profile; moment: Moment }) => {
  const { nodes } = profile
  const { depths: shown, speeds } = useDeferredValue(moment)
  const metres = (value: number) => formatNumberFr(value, 2)
  return (
    <div className="rx-visually-hidden">
      <SeriesTable
        caption={texts.picture(nodes[0].name, nodes[nodes.length - 1].name)}
        head={LEVELS_HEAD}
        count={nodes.length}
        row={(k) => {
          const { name, x, rimM, invertM, highestM } = nodes[k]
          const depth = shown[k] ?? 0
          const pipe = pipeAfter(profile, k)
          const energy = pipe && energyAfter(profile, k, { depths: shown, speeds })
          const levels = [x, rimM, invertM, invertM + depth, depth].map(metres)
          return [
            name,
            ...levels,
            highestM === null ? '–' : metres(highestM),
            pipe ? `${pipe.name} : ${pipeLabel(pipe)}` : '–',
            energy ? metres(energy[0]) : '–',
          ]
        }}
        values={shown}
      />
    </div>
  )
})

/** Levels at the junction under the pointer, else at the first of the path, and the pipe that goes on from it. */
function Reading({ profile, moment }: { profile: Profile; moment: Moment }) {
  const { nodes } = profile
  const { depths, speeds } = moment
  const hovered = useHover((hover) => hover.node)
  const place = Math.max(
    0,
    nodes.findIndex(({ name }) => name === hovered),
  )
  const { name, rimM, invertM, highestM } = nodes[place]
  const pipe = pipeAfter(profile, place)
  const depth = depths[place] ?? 0
  const energy = energyAfter(profile, place, moment)
  const rows = [
    [texts.ground, rimM],
    [texts.head, invertM + depth],
    [texts.depth, depth],
    [texts.invert, invertM],
    ...(highestM === null ? [] : [[texts.highest, highestM] as const]),
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
      {pipe && (
        <>
          <div>
            <dt>{texts.pipe}</dt>
            <dd>{pipe.name}</dd>
          </div>
          <div>
            <dt>{formatQuantityFr(pipe.lengthM, 'm', 0)}</dt>
            <dd>{pipeLabel(pipe)}</dd>
          </div>
          <div>
            <dt>{texts.crown}</dt>
            <dd>
              {[pipe.invert0M, pipe.invert1M]
                .map((invertM) => formatNumberFr(invertM + pipe.heightM, 2))
                .join(' · ')}
            </dd>
          </div>
          {speeds && (
            <div>
              <dt>{texts.speed}</dt>
              <dd>{formatQuantityFr(speeds[pipe.link], 'm/s', 2)}</dd>
            </div>
          )}
          {energy && (
            <div>
              <dt>{`${texts.energy} (m)`}</dt>
              <dd>{energy.map((level) => formatNumberFr(level, 2)).join(' · ')}</dd>
            </div>
          )}
        </>
      )}
    </dl>
  )
}
