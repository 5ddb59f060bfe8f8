import type { AheadCycle, Watch } from '@radx/contracts/ahead'
import { formatHourMinuteFr } from '@radx/locale/format-fr'
import { useSite } from '../../app/site.ts'
import { aheadTexts as texts } from '../../texts/ahead.ts'
import { Section } from '../../ui/Section.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import classes from './AheadScreen.module.css'
import type { Place } from './api.ts'
import { levelOf, sentences } from './certainty.ts'

const placeOf = ({ kind, name, cell }: Watch): Place =>
  kind === 'street' ? { kind: 'cell', name: String(cell) } : { kind, name }

/** What may come, in words. */
export function Summary({ cycle }: { cycle: AheadCycle }) {
  const told = sentences(cycle.watch)
  return (
    <Section title={texts.summary}>
      {cycle.dry && <p>{texts.dry}</p>}
      {!cycle.dry && told.length === 0 && <p>{texts.nothing}</p>}
      <ul className={classes.words}>
        {told.map(({ level, text }) => (
          <li key={level} data-level={level}>
            {text}
          </li>
        ))}
      </ul>
    </Section>
  )
}

interface Props {
  cycle: AheadCycle
  /** Shows a place, and the moment at which it is in danger. */
  onShow: (place: Place, at: number) => void
}

/** Places, nodes and pipes in danger, the first to come on top. */
export function WatchList({ cycle, onShow }: Props) {
  const { timeZone } = useSite()
  const { watch, issued, times } = cycle
  if (watch.length === 0) return null
  const timeOf = ({ fromMin }: Watch) => Date.parse(issued) + 60_000 * fromMin
  const momentOf = (one: Watch) => {
    const off = times.map((time) => Math.abs(Date.parse(time) - timeOf(one)))
    return off.indexOf(Math.min(...off))
  }
  const what = ({ kind, name, depthMm }: Watch) =>
    kind === 'street' ? texts.kinds.street(name, texts.depth(depthMm / 10)) : texts.kinds[kind](name)
  return (
    <Section title={texts.watch}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className={classes.watch} tabIndex={0} aria-label={texts.watch}>
        <table>
          <thead>
            <tr>
              {texts.watchHead.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {watch.map((one) => (
              <tr key={`${one.kind} ${one.name}`} data-gravity={one.gravity}>
                <th scope="row">
                  <TextButton onClick={() => onShow(placeOf(one), momentOf(one))}>{what(one)}</TextButton>
                </th>
                <td>{texts.from(formatHourMinuteFr(timeOf(one), timeZone))}</td>
                <td>{texts.sureness(texts[levelOf(one.percent)], one.percent)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  )
}
