import type { NetworkModel, NetworkRun, NetworkRunResult } from '@radx/contracts/networks'
import { formatNumberFr } from '@radx/locale/format-fr'
import { punctuated } from '@radx/locale/punctuation-fr'
import { useQuery } from '@tanstack/react-query'
import { download } from '../../../app/api/download.ts'
import { networkTexts } from '../../../texts/networks.ts'
import { type Figure, FigureList } from '../../../ui/FigureList.tsx'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { filesQuery } from '../api.ts'
import classes from '../Networks.module.css'
import { Compare } from './Compare.tsx'
import { Subcatchments } from './Subcatchments.tsx'

const texts = networkTexts.results

interface Props {
  run: NetworkRun
  /** Runs of the same version. */
  others: readonly NetworkRun[]
  model: NetworkModel
}

/** What the shown run comes to, its files, and what it is compared with. */
export function RunResult({ run, others, model }: Props) {
  const { result } = run
  if (run.status === 'error') return <Message kind="error">{punctuated(run.error ?? '')}</Message>
  if (run.status !== 'done') return null
  if (!result) return <Message kind="warning">{texts.withheld}</Message>
  return (
    <section aria-labelledby="results" className={classes.results}>
      <div className={classes.panel}>
        <h2 id="results">{texts.title}</h2>
        <FigureList figures={figuresOf(result)} />
        {result.warnings.length > 0 && (
          <details>
            <summary>
              {texts.warnings} ({formatNumberFr(result.warnings.length)})
            </summary>
            <ul className={classes.warnings}>
              {result.warnings.map((text, k) => (
                <li key={k}>{punctuated(text)}</li>
              ))}
            </ul>
          </details>
        )}
        <Files jobId={run.id} />
      </div>
      <Subcatchments jobId={run.id} model={model} />
      <Compare run={run} others={others} />
    </section>
  )
}

/** Less water than this, m3, is no line of its own. */
const LITTLE_M3 = 0.05

function figuresOf(result: NetworkRunResult): Figure[] {
  const { rainMm, runoffM3, wallSeconds, relativeError, initialM3 = 0, lossM3 = 0, driftM3 = 0 } = result
  // What heads stand for: the balance of the explicit scheme may let out more than there was.
  const heldM3 = result.storedM3 + driftM3
  const lacking = Math.abs(driftM3) / Math.max(1e-9, initialM3 + Math.abs(result.inflowM3))
  const volume = (label: string, value: number): Figure => ({ label, value, unit: 'm³', decimals: 1 })
  return [
    ...(rainMm === null ? [] : [{ label: texts.figures.rain, value: rainMm, unit: 'mm', decimals: 1 }]),
    ...(runoffM3 === null ? [] : [volume(texts.figures.runoff, runoffM3)]),
    ...(initialM3 > LITTLE_M3 ? [volume(texts.figures.initial, initialM3)] : []),
    volume(texts.figures.inflow, result.inflowM3),
    volume(texts.figures.outfall, result.outfallM3),
    volume(texts.figures.flooded, result.floodedM3),
    ...(lossM3 > LITTLE_M3 ? [volume(texts.figures.loss, lossM3)] : []),
    ...(heldM3 < 0 ? [] : [volume(texts.figures.stored, heldM3)]),
    { label: texts.figures.floodedNodes, value: result.floodedNodes, unit: '', decimals: 0 },
    { label: texts.figures.surcharged, value: result.surchargedLinks, unit: '', decimals: 0 },
    result.driftM3 === undefined || result.driftM3 === 0
      ? { label: texts.figures.error, value: 100 * relativeError, unit: '%', decimals: 4 }
      : { label: texts.figures.continuity, value: 100 * lacking, unit: '%', decimals: 4 },
    { label: texts.figures.wall, value: wallSeconds, unit: 's', decimals: 1 },
  ]
}

function Files({ jobId }: { jobId: string }) {
  const files = useQuery(filesQuery(jobId))
  if (!files.data) return null
  return (
    <div className={classes.actions}>
      <span>{texts.files}</span>
      {files.data.map(({ name, bytes }) => (
        <TextButton
          key={name}
          onClick={() => void download(`/api/networks/runs/${jobId}/files/${name}`, name)}
        >
          {name} <small>({formatNumberFr(Math.max(1, bytes / 1000))} ko)</small>
        </TextButton>
      ))}
    </div>
  )
}
