import { Button, Progress } from '@mantine/core'
import type { NetworkRun } from '@radx/contracts/networks'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { useJobProgress } from '../../../jobs/useJobProgress.ts'
import { networkTexts } from '../../../texts/networks.ts'
import { AskedRemoval } from '../../../ui/AskedRemoval.tsx'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { isOpen, removeRun, stopRun } from '../api.ts'
import classes from '../Networks.module.css'

const texts = networkTexts.list

export const rainName = ({ rain: { kind, name } }: NetworkRun): string =>
  name === '' ? (texts.rains[kind] ?? kind) : `${texts.rains[kind] ?? kind}, ${name}`

interface Props {
  networkId: string
  runs: readonly NetworkRun[]
  pending: boolean
  shown: string | null
  onShow: (jobId: string) => void
}

/** Runs of a version, the newest first. */
export function RunList({ networkId, runs, pending, shown, onShow }: Props) {
  const queries = useQueryClient()
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['network-runs', networkId] }),
      queries.invalidateQueries({ queryKey: ['network', networkId] }),
    ])
  const remove = useMutation({ mutationFn: removeRun, onSettled: refresh })
  const { timeZone } = useSite()
  return (
    <section aria-labelledby="runs" className={classes.panel}>
      <h2 id="runs">{texts.title}</h2>
      {remove.error && <Message kind="error">{serverErrorText(remove.error)}</Message>}
      {pending ? null : runs.length === 0 ? (
        <p className={classes.dim}>{texts.empty}</p>
      ) : (
        <div className={classes.scroll}>
          <table className={`${classes.table} ${classes.left}`}>
            <caption className="rx-visually-hidden">{texts.title}</caption>
            <thead>
              <tr>
                {[texts.at, texts.rain, texts.state].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run.id} data-shown={run.id === shown || undefined}>
                  <th scope="row">
                    <time dateTime={run.createdAt}>{formatDateTimeFr(run.createdAt, timeZone)}</time>
                  </th>
                  <td>{rainName(run)}</td>
                  <td>
                    {isOpen(run) ? (
                      <Open run={run} onOver={refresh} />
                    ) : run.cancelled ? (
                      texts.cancelled
                    ) : (
                      texts.states[run.status]
                    )}
                  </td>
                  <td>
                    {!isOpen(run) && (
                      <div className={classes.actions}>
                        {run.id === shown ? (
                          <span>{texts.shown}</span>
                        ) : (
                          <TextButton onClick={() => onShow(run.id)}>{texts.show}</TextButton>
                        )}
                        <AskedRemoval
                          label={texts.remove}
                          name={`${texts.remove}, ${formatDateTimeFr(run.createdAt, timeZone)}`}
                          ask={texts.removeAsk}
                          onYes={() => !remove.isPending && remove.mutate(run.id)}
                        />
                      </div>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

/** A run under way: how far it is, and the way to stop it. */
function Open({ run, onOver }: { run: NetworkRun; onOver: () => Promise<unknown> }) {
  const { progress, error } = useJobProgress(run.id, true)
  const stop = useMutation({ mutationFn: () => stopRun(run.id), onSettled: onOver })
  const over = progress !== null && progress.status !== 'pending' && progress.status !== 'running'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is over
  useEffect(() => {
    if (over) void onOver()
  }, [over])
  const share = progress && progress.max > 0 ? (100 * progress.value) / progress.max : 0
  const asked = stop.isPending || stop.isSuccess || run.cancelled
  return (
    <div role="status">
      {progress?.msg || texts.states[run.status]}
      <Progress size={8} value={share} aria-label={texts.progress} />
      {error && <small>{texts.line}</small>}
      {stop.error && <Message kind="error">{serverErrorText(stop.error)}</Message>}
      <Button size="compact-sm" variant="default" disabled={asked} onClick={() => stop.mutate()}>
        {asked ? texts.stopping : texts.stop}
      </Button>
    </div>
  )
}
