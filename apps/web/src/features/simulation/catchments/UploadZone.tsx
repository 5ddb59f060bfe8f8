import { ApiError, serverErrorText } from '../../../app/api/errors.ts'
import { catchmentTexts as texts } from '../../../texts/catchments.ts'
import { sendingTexts } from '../../../texts/sending.ts'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { Message } from '../../../ui/Message.tsx'
import type { Sent } from '../../../ui/useSending.ts'
import classes from './Catchments.module.css'
import type { Uploaded, Uploads } from './useUploads.ts'

/** Takes zips of catchments by drop or by choice, and tells what became of each. */
export function UploadZone({ uploads }: { uploads: Uploads }) {
  return (
    <div className={classes.uploads}>
      <FileDrop
        accept=".zip"
        texts={texts}
        onFiles={uploads.send}
        sending={uploads}
        testId="catchment-drop"
      />
      {uploads.told.map((sent, k) => (
        <Told key={`${sent.file} ${k}`} sent={sent} />
      ))}
    </div>
  )
}

function Told({ sent }: { sent: Sent<Uploaded> }) {
  const { file } = sent
  if (sent.state === 'cancelled') return <Message kind="nfo">{sendingTexts.cancelled(file)}</Message>
  if (sent.state === 'refused') {
    const problems = sent.error instanceof ApiError ? sent.error.problems : []
    return (
      <Message kind="error">
        {problems.length === 0 ? (
          texts.failed(file, serverErrorText(sent.error))
        ) : (
          <>
            {texts.refused(file, problems.length)}
            <Points items={problems} />
          </>
        )}
      </Message>
    )
  }
  const { display, warnings, outcome, isVersion } = sent.made
  const told = outcome === 'known' ? texts.same : isVersion ? texts.newVersion : texts.added
  return (
    <Message kind={warnings.length > 0 ? 'warning' : 'nfo'}>
      {told(display)}
      {warnings.length > 0 && (
        <>
          {' '}
          {texts.warnings(warnings.length)}
          <Points items={warnings} />
        </>
      )}
    </Message>
  )
}

const Points = ({ items }: { items: readonly string[] }) => (
  <ul className={classes.points}>
    {items.map((item) => (
      <li key={item}>{item}</li>
    ))}
  </ul>
)
