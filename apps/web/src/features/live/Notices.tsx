import { formatDateTimeFr } from '@radx/locale/format-fr'
import type { UseQueryResult } from '@tanstack/react-query'
import { ApiError, genericErrorText } from '../../app/api/errors.ts'
import { useSite } from '../../app/site.ts'
import type { Frames } from '../../map/frames/useFrames.ts'
import { liveTexts } from '../../texts/live.ts'
import { liveAdjustedTexts } from '../../texts/live-adjusted.ts'
import { Message } from '../../ui/Message.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import classes from './Notices.module.css'
import { useLiveAdjusted } from './state/adjusted.ts'
import { refreshSpent, windowIsDry } from './state/live-state.ts'
import { dispatch, useLive } from './state/store.ts'
import { useMaking } from './useStale.ts'

interface Props {
  query: UseQueryResult
  frames: Frames
  wanted: number
  /** The map shows the product adjusted to gauges. */
  adjusted: boolean
}

/** What the reader has to know about the map right now, over its upper edge. */
export function Notices({ query, frames, wanted, adjusted }: Props) {
  const making = useMaking()
  const down = useLive((state) => state.isRadarDown)
  const spent = useLive(refreshSpent)
  const gone = useLive((state) => state.momentGone)
  const dry = useLive(windowIsDry)
  return (
    <div className={classes.root}>
      {making && <Message kind="nfo">{liveTexts.making}</Message>}
      {down && !making && <RadarDown />}
      {adjusted && (
        <p className={classes.aside} role="status">
          {liveAdjustedTexts.onMap}{' '}
          <TextButton onClick={() => useLiveAdjusted.setState({ on: false })}>
            {liveAdjustedTexts.showOriginal}
          </TextButton>
        </p>
      )}
      {query.isError && (
        <Message
          kind="error"
          action={<TextButton onClick={() => void query.refetch()}>{liveTexts.retry}</TextButton>}
        >
          <LiveFailure error={query.error} />
          {query.data !== undefined && <br />}
          {query.data !== undefined && liveTexts.refreshFailed}
        </Message>
      )}
      {frames.error && (
        <Message kind="error" action={<TextButton onClick={frames.retry}>{liveTexts.retry}</TextButton>}>
          {genericErrorText(frames.error)}
        </Message>
      )}
      {query.isSuccess && wanted === 0 && !making && <Message kind="nfo">{liveTexts.empty}</Message>}
      {query.isPending && (
        <p className={classes.aside} role="status">
          {liveTexts.loading}
        </p>
      )}
      {dry && <p className={classes.aside}>{liveTexts.dry}</p>}
      {gone && <Message kind="nfo">{liveTexts.momentGone}</Message>}
      {spent && (
        <Message
          kind="nfo"
          action={
            <TextButton
              onClick={() => {
                dispatch({ type: 'refreshStarted' })
                void query.refetch()
              }}
            >
              {liveTexts.refreshAgain}
            </TextButton>
          }
        >
          {liveTexts.refreshSpent}
        </Message>
      )}
    </div>
  )
}

/** Status, status text and message of the response; without one, what went wrong on the way. */
function LiveFailure({ error }: { error: Error }) {
  if (!(error instanceof ApiError) || error.status === null) return genericErrorText(error)
  return (
    <>
      <strong>{`${error.status} ${error.statusText}`.trim()}</strong>
      <br />
      {error.serverMessage ?? error.message}
    </>
  )
}

function RadarDown() {
  const { timeZone } = useSite()
  const latest = useLive((state) => state.data?.images.at(-1)?.datetime ?? null)
  return (
    <Message kind="warning">
      <span>{liveTexts.radarDown}</span>
      {latest && (
        <span className={classes.latest}>{liveTexts.latestImage(formatDateTimeFr(latest, timeZone))}</span>
      )}
    </Message>
  )
}
