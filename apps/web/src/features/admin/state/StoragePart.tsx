import { formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { serverErrorText } from '../../../app/api/errors.ts'
import { administrationTexts } from '../../../texts/administration.ts'
import { Message } from '../../../ui/Message.tsx'
import classes from '../AdminScreen.module.css'
import { storageQuery } from './api.ts'

const texts = administrationTexts.storage
const size = (bytes: number) =>
  bytes >= 1e9 ? `${formatNumberFr(bytes / 1e9, 1)} Go` : `${formatNumberFr(bytes / 1e6, 1)} Mo`
const count = (n: number) => formatNumberFr(n, 0)

/** What is stored and how much room is left. */
export function StoragePart() {
  const { data, error } = useQuery(storageQuery)
  return (
    <section className={classes.section} aria-labelledby="storage-title">
      <h2 id="storage-title">{texts.title}</h2>
      {error && <Message kind="error">{serverErrorText(error)}</Message>}
      {!data && !error && <p role="status">{administrationTexts.loading}</p>}
      {data && (
        <dl className={classes.facts}>
          <dt>{texts.disk}</dt>
          <dd>
            {data.disk === null ? '–' : texts.free(size(data.disk.freeBytes), size(data.disk.totalBytes))}
          </dd>
          <dt>{texts.originals}</dt>
          <dd>{texts.files(data.originals.files, size(data.originals.bytes))}</dd>
          <dt>{texts.frames}</dt>
          <dd>{count(data.frames)}</dd>
          <dt>{texts.results}</dt>
          <dd>{size(data.resultBytes)}</dd>
          <dt>{texts.database}</dt>
          <dd>
            {texts.postgres(data.postgres)}, {size(data.databaseBytes)}
          </dd>
          <dt>{texts.tables}</dt>
          <dd>{data.tables.map(({ name, bytes }) => `${name} ${size(bytes)}`).join(', ')}</dd>
        </dl>
      )}
    </section>
  )
}
