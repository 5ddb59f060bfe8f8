import { Checkbox, TextInput } from '@mantine/core'
import type { SimulationListItem } from '@radx/contracts/simulation'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useState } from 'react'
import { useSite } from '../../../app/site.ts'
import { compareTexts as texts } from '../../../texts/compare.ts'
import { simulationTexts } from '../../../texts/simulation.ts'
import { TextButton } from '../../../ui/TextButton.tsx'
import { useAsked } from '../../../ui/useAsked.ts'
import { MOST_RUNS } from './address.ts'
import classes from './Compare.module.css'

interface Props {
  finished: readonly SimulationListItem[]
  isPending: boolean
  chosen: readonly string[]
  onChange(chosen: string[]): void
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Finished runs with a box each; it is open until some are chosen. */
export function RunChooser({ finished, isPending, chosen: addressed, onChange }: Props) {
  const { timeZone } = useSite()
  const [search, setSearch] = useState('')
  const [startsOpen] = useState(addressed.length === 0)
  const [asked, ask] = useAsked(addressed.join())
  const chosen = asked === '' ? [] : asked.split(',')
  const choose = (next: string[]) => {
    ask(next.join())
    onChange(next)
  }
  const words = plain(search).split(/\s+/)
  const found = finished.filter(({ username, input: { title, catchmentDisplay } }) => {
    const text = plain(`${title} ${catchmentDisplay} ${username}`)
    return words.every((word) => text.includes(word))
  })
  const isFull = chosen.length >= MOST_RUNS
  return (
    <details className={classes.chooser} open={startsOpen}>
      <summary>
        {texts.choose} <span className={classes.note}>{texts.chosen(chosen.length, MOST_RUNS)}</span>
      </summary>
      <div className={classes.bar}>
        <TextInput
          label={texts.search}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        {chosen.length > 0 && <TextButton onClick={() => choose([])}>{texts.clear}</TextButton>}
      </div>
      {isPending && <p role="status">{simulationTexts.loading}</p>}
      {!isPending && found.length === 0 && (
        <p className={classes.note}>{finished.length === 0 ? texts.none : texts.noneFound}</p>
      )}
      <ul className={classes.choices}>
        {found.map(({ _id, date, username, input }) => {
          const isChosen = chosen.includes(_id)
          return (
            <li key={_id}>
              <Checkbox
                label={input.title}
                description={`${input.catchmentDisplay} · ${username} · ${formatDateTimeFr(date, timeZone)}`}
                checked={isChosen}
                disabled={!isChosen && isFull}
                onChange={({ currentTarget: { checked } }) =>
                  choose(checked ? [...chosen, _id] : chosen.filter((id) => id !== _id))
                }
              />
            </li>
          )
        })}
      </ul>
    </details>
  )
}
