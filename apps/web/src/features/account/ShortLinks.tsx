import { Button } from '@mantine/core'
import { formatDateFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { serverErrorText } from '../../app/api/errors.ts'
import { useSite } from '../../app/site.ts'
import { linksQuery, useRemoveLink } from '../../share/links.ts'
import { linkTexts as texts } from '../../texts/share.ts'
import { Message } from '../../ui/Message.tsx'
import classes from './Security.module.css'

/** Short links of the account. */
export function ShortLinks() {
  const { timeZone } = useSite()
  const { data, error } = useQuery(linksQuery)
  const remove = useRemoveLink()
  if (error && !data) return <Message kind="error">{texts.failed}</Message>
  if (!data) return <p role="status">{texts.loading}</p>
  return (
    <div className={classes.sessions}>
      <p>{texts.help}</p>
      {data.links.length === 0 ? (
        <p className={classes.dim}>{texts.none}</p>
      ) : (
        <ul>
          {data.links.map(({ name, path, expiresAt }) => (
            <li key={name}>
              <div>
                <b>
                  <a href={`/l/${name}`}>/l/{name}</a>
                </b>
                <span className={classes.path}>{path}</span>
                <span>{texts.until(formatDateFr(expiresAt, timeZone))}</span>
              </div>
              <Button
                variant="default"
                size="xs"
                disabled={remove.isPending}
                aria-label={texts.removeLabel(name)}
                onClick={() => remove.mutate(name)}
              >
                {texts.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {remove.error && <Message kind="error">{serverErrorText(remove.error)}</Message>}
      <p className={classes.dim} aria-live="polite">
        {remove.isSuccess && texts.removed}
      </p>
    </div>
  )
}
