import { type AheadCycle, certaintyOf, type Watch } from '@radx/contracts/ahead'
import { formatHourMinuteFr } from '@radx/locale/format-fr'
import { useSite } from '../../app/site.ts'
import { aheadTexts as texts } from '../../texts/ahead.ts'
import { Section } from '../../ui/Section.tsx'
import { TableHead } from '../../ui/TableHead.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import classes from './AheadScreen.module.css'
import type { Place } from './api.ts'
import { sentences } from './certainty.ts'

const placeOf = ({ kind, name, cell }: Watch): Place =>
  kind === 'street' ? { kind: 'cell', name: String(cell) } : { kind, name }

/** The gravest of the list, of those the surest; null where there is nothing to watch. */
export function worstOf({ watch }: Pick<AheadCycle, 'watch'>): Place | null {
  const [worst] = watch.toSorted((a, b) => b.gravity - a.gravity || b.percent - a.percent)
  return worst ? placeOf(worst) : null
}

/** What may come, in words. */
export function Summary({ cycle }: { cycle: AheadCycle }) {
  const told = sentences(cycle)
  return (
    <Section title={texts.summary}>
      {cycle.dry && <p>{texts.dry}</p>}
      {!cycle.dry && told.length === 0 && <p>{texts.nothing}</p>}
      {told.length > 0 && (
        <ul className={classes.words}>
          {told.map(({ level, text }) => (
            <li key={level} data-level={level}>
              {text}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

interface Props {
  cycle: AheadCycle
  /** Shows a place, and the moment at which it is in danger. */
  onShow: (place: Place, at: number) => void
}

/** Places, nodes and pipes in danger, the first to come on top; of one moment the worse and the surer first. */
export function WatchList({ cycle, onShow }: Props) {
  const { timeZone } = useSite()
  const { watch, issued, times } = cycle
  if (watch.length === 0) return null
  const timeOf = (fromMin: number) => Date.parse(issued) + 60_000 * fromMin
  const sureness = (percent: number) =>
    cycle.members === 0 ? texts.foreseen : texts.sureness(texts[certaintyOf(percent)], percent)
  const show = (one: Watch) => {
    const off = times.map((time) => Math.abs(Date.parse(time) - timeOf(one.fromMin)))
    onShow(placeOf(one), off.indexOf(Math.min(...off)))
  }
  return (
    <Section title={texts.watch}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className={classes.watch} tabIndex={0} aria-label={texts.watchList}>
        <table aria-label={texts.watchList}>
          <TableHead names={texts.watchHead} />
          {momentsOf(watch).map(({ fromMin, rows, pipes }) => (
            <tbody key={fromMin}>
              <tr>
                <th className={classes.moment} colSpan={2} scope="rowgroup">
                  {texts.from(formatHourMinuteFr(timeOf(fromMin), timeZone))}
                </th>
              </tr>
              {rows.map((one) => (
                <Row key={`${one.kind} ${one.name}`} {...{ one, sureness }} onShow={show} />
              ))}
              {pipes.length > 0 && <Pipes {...{ pipes, sureness }} onShow={show} />}
            </tbody>
          ))}
        </table>
      </section>
    </Section>
  )
}

interface Moment {
  fromMin: number
  rows: Watch[]
  /** Pipes that fill at that moment, when there are too many for a row each. */
  pipes: Watch[]
}

const MOST_PIPES = 2

/** What begins at the same moment, in the order of the list. */
export function momentsOf(watch: readonly Watch[]): Moment[] {
  const times = [...new Set(watch.map(({ fromMin }) => fromMin))]
  return times.map((fromMin) => {
    const own = watch.filter((one) => one.fromMin === fromMin)
    const pipes = own.filter(({ kind }) => kind === 'link')
    if (pipes.length <= MOST_PIPES) return { fromMin, rows: own, pipes: [] }
    return { fromMin, rows: own.filter(({ kind }) => kind !== 'link'), pipes }
  })
}

interface RowProps {
  one: Watch
  sureness(percent: number): string
  onShow(one: Watch): void
}

const wordsOf = (one: Watch): string =>
  one.kind === 'street'
    ? texts.kinds.street(texts.place(one.ground, one.near, one.name), texts.depth(one.depthMm / 10))
    : texts.kinds[one.kind](one.name)

function Row({ one, sureness, onShow }: RowProps) {
  return (
    <tr data-gravity={one.gravity}>
      <th scope="row">
        <TextButton onClick={() => onShow(one)}>{wordsOf(one)}</TextButton>
      </th>
      <td>{sureness(one.percent)}</td>
    </tr>
  )
}

function Pipes({ pipes, sureness, onShow }: Omit<RowProps, 'one'> & { pipes: readonly Watch[] }) {
  const surest = Math.max(...pipes.map(({ percent }) => percent))
  return (
    <tr>
      <th scope="row">
        <details>
          <summary>{texts.pipes(pipes.length)}</summary>
          <ul className={classes.pipes}>
            {pipes.map((one) => (
              <li key={one.name}>
                <TextButton onClick={() => onShow(one)}>{one.name}</TextButton>{' '}
                <span className="rx-unit">{texts.percent(one.percent)}</span>
              </li>
            ))}
          </ul>
        </details>
      </th>
      <td>{sureness(surest)}</td>
    </tr>
  )
}
