import { formatNumberFr } from '@radx/locale/format-fr'
import { IconArrowUpRight, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useModal } from '../../../app/modals.ts'
import { part } from '../../../app/part.tsx'
import { isTyping } from '../../../player/keyboard.ts'
import { futureTexts as texts } from '../../../texts/future.ts'
import { useNow } from '../../../ui/useNow.ts'
import { followLive } from '../commands.ts'
import { useLive } from '../state/store.ts'
import { motionQuery } from './api.ts'
import classes from './ForecastOnMap.module.css'
import { ForecastStatement } from './ForecastStatement.tsx'
import { CHANCES_MM_H, currentLead, type ForecastView, useFuture } from './store.ts'
import type { Ahead } from './useAhead.ts'
import { whenWords } from './when.ts'

const MotionArrows = part(() => import('./MotionArrows.tsx'), 'nothing')

/** What stands on the map while it shows a forecast: a frame, a badge, the choice of view and the way back. */
export default function ForecastOnMap({ ahead, playing }: { ahead: Ahead | null; playing: boolean }) {
  return ahead && <OnMap ahead={ahead} playing={playing} />
}

function OnMap({ ahead: { view, beyond }, playing }: { ahead: Ahead; playing: boolean }) {
  const arrows = useFuture((state) => state.arrows)
  // A server tells the motion together with its members.
  const hasMembers = useFuture(({ forecast }) => (forecast?.members ?? 0) > 0)
  useEscape()
  return (
    <>
      <div className={classes.frame} data-beyond={beyond || undefined} aria-hidden />
      <section className={classes.banner} aria-label={texts.onMap}>
        <Badge beyond={beyond} />
        <ViewChoice shown={view} />
        <Failures view={view} arrows={arrows} />
        {hasMembers && (
          <button
            type="button"
            className={classes.toggle}
            aria-pressed={arrows}
            onClick={() => useFuture.setState({ arrows: !arrows })}
          >
            <IconArrowUpRight size={14} stroke={2} aria-hidden />
            {texts.arrows}
          </button>
        )}
        <button type="button" className={classes.leave} title={texts.leaveTip} onClick={followLive}>
          <IconX size={14} stroke={2} aria-hidden />
          {texts.leave}
        </button>
      </section>
      <ForecastStatement playing={playing} />
      {arrows && (
        <Suspense>
          <MotionArrows />
        </Suspense>
      )}
    </>
  )
}

function Badge({ beyond }: { beyond: boolean }) {
  const now = useNow()
  const lead = useFuture(currentLead)
  const source = useFuture((state) => state.forecast?.product ?? '')
  const product = useLive((state) => state.product)
  if (lead === null) return null
  return (
    <p className={classes.badge} data-testid="forecast-badge">
      <strong>
        {texts.badge} {whenWords(lead.time, now)}
      </strong>
      <span>{source === product ? texts.ownSource(source) : texts.source(source, product)}</span>
      {beyond && <span>{texts.beyond}</span>}
    </p>
  )
}

/** What the reader asked for and did not get. */
function Failures({ view, arrows }: { view: ForecastView; arrows: boolean }) {
  const failed = useFuture((state) => state.viewFailed && state.view !== view)
  const issued = useFuture((state) => state.forecast?.issued ?? '')
  const motion = useQuery({ ...motionQuery(issued), enabled: arrows })
  const words = [failed && texts.viewFailed, arrows && motion.isError && texts.arrowsFailed].filter(Boolean)
  return words.length > 0 && <span role="status">{words.join(' ')}</span>
}

function ViewChoice({ shown }: { shown: ForecastView }) {
  const view = useFuture((state) => state.view)
  const members = useFuture((state) => state.forecast?.members ?? 0)
  return (
    <select
      className={classes.view}
      aria-label={texts.view}
      aria-busy={view !== shown}
      value={String(view)}
      onChange={({ currentTarget: { value } }) =>
        useFuture.setState({ view: CHANCES_MM_H.find((above) => String(above) === value) ?? 'rain' })
      }
    >
      <option value="rain">{texts.views.rain}</option>
      {CHANCES_MM_H.map((above) => (
        <option key={above} value={above} disabled={members === 0 && view !== above}>
          {texts.views.chance(formatNumberFr(above, 1, true))}
        </option>
      ))}
      {members === 0 && <option disabled>{texts.noMembers}</option>}
    </select>
  )
}

/** Escape is the way back from anywhere but a field or a dialog. */
function useEscape(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (useModal.getState().type === null && !isTyping(event.target)) followLive()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
