import type { Calibration } from '@radx/contracts/calibration'
import { formatDateTimeFr, formatNumberFr, MISSING_FR } from '@radx/locale/format-fr'
import { useSite } from '../../../app/site.ts'
import { fitTexts as texts } from '../../../texts/calibration.ts'
import { AskedRemoval } from '../../../ui/AskedRemoval.tsx'
import { Message } from '../../../ui/Message.tsx'
import { TableHead } from '../../../ui/TableHead.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { isOpen } from '../api.ts'
import table from '../result/ResultTable.module.css'
import { useFits } from './api.ts'
import classes from './Calibration.module.css'
import { refusalText } from './words.ts'

interface Props {
  fits: readonly Calibration[]
  shown: string | null
  onShow: (id: string | null) => void
}

/** The account's fits of a catchment, the newest first, with what can be done with each. */
export function FitList({ fits, shown, onShow }: Props) {
  const { timeZone } = useSite()
  const calls = useFits()
  const failed = calls.cancel.error ?? calls.resume.error ?? calls.remove.error
  if (fits.length === 0) return <p className={classes.note}>{texts.noFits}</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={table.table} aria-label={texts.fits} tabIndex={0}>
        <table aria-label={texts.fits}>
          <TableHead names={texts.fitHead} />
          <tbody>
            {fits.map((fit) => (
              <tr key={fit.id} aria-current={fit.id === shown || undefined} className={classes.fitRow}>
                <th scope="row">
                  {fit.name}
                  <small>{formatDateTimeFr(fit.createdAt, timeZone)}</small>
                </th>
                <td>{stateText(fit)}</td>
                <td>{texts.ofRuns(formatNumberFr(fit.trials), formatNumberFr(fit.runs))}</td>
                <td>{changeText(fit, 'calibration')}</td>
                <td>{changeText(fit, 'validation')}</td>
                <td>
                  <Actions fit={fit} calls={calls} onShow={onShow} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {failed && <Message kind="error">{refusalText(failed)}</Message>}
    </>
  )
}

/** How a fit stands, in a word. */
export const stateText = ({ status, cancelled }: Calibration): string =>
  status === 'error' && cancelled ? texts.states.cancelled : texts.states[status]

const changeText = ({ result }: Calibration, use: 'calibration' | 'validation'): string => {
  const [before, after] = [result?.before[use] ?? null, result?.after[use] ?? null]
  if (before === null && after === null) return MISSING_FR
  return texts.change(formatNumberFr(before, 2), formatNumberFr(after, 2))
}

interface ActionsProps {
  fit: Calibration
  calls: ReturnType<typeof useFits>
  onShow: (id: string | null) => void
}

function Actions({ fit: { id, name, status, jobId }, calls, onShow }: ActionsProps) {
  const open = isOpen(status)
  return (
    <div className={classes.actions}>
      <TextButton aria-label={texts.openOf(name)} onClick={() => onShow(id)}>
        {texts.open}
      </TextButton>
      {open && jobId !== null && (
        <TextButton
          aria-label={texts.cancelOf(name)}
          disabled={calls.cancel.isPending}
          onClick={() => calls.cancel.mutate(jobId)}
        >
          {texts.cancel}
        </TextButton>
      )}
      {status === 'error' && (
        <TextButton
          aria-label={texts.resumeOf(name)}
          disabled={calls.resume.isPending}
          onClick={() => calls.resume.mutate(id)}
        >
          {texts.resume}
        </TextButton>
      )}
      {!open && (
        <AskedRemoval
          label={texts.remove}
          name={texts.removeOf(name)}
          ask={texts.removeAsk(name)}
          onYes={() => {
            onShow(null)
            calls.remove.mutate(id)
          }}
        />
      )}
    </div>
  )
}
