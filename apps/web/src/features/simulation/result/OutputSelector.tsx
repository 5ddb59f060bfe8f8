import { IconChevronDown } from '@tabler/icons-react'
import { resultTexts as texts } from '../../../texts/sewer.ts'
import { Message } from '../../../ui/Message.tsx'
import type { SimulationJob } from '../api.ts'
import { isResultView } from './address.ts'
import classes from './OutputSelector.module.css'
import { RESULT_VIEWS, useResult, useResultClock } from './state.ts'

/** Which outputs of a run are analysed: opens them below, and keeps the clock that they share. */
export function OutputSelector({ job }: { job: SimulationJob }) {
  useResultClock(job)
  const { outputs, show } = useResult()
  return (
    <section aria-labelledby="analyses">
      <h2 id="analyses">{texts.outputs}</h2>
      <ul className={classes.views}>
        {RESULT_VIEWS.filter((view) => view !== 'ensemble' || job.input.ensemble).map((view) => (
          <li key={view}>
            <button
              type="button"
              aria-pressed={outputs.includes(view)}
              onClick={() => show(view, !outputs.includes(view))}
            >
              <span>
                <strong>{texts.views[view].title}</strong>
                <small>{texts.views[view].text}</small>
              </span>
              <IconChevronDown size={18} stroke={1.75} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {outputs.some((name) => !isResultView(name)) && <Message kind="error">{texts.unknown}</Message>}
    </section>
  )
}
