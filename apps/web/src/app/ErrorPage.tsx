import { useEffect } from 'react'
import { Link } from 'react-router'
import { errorTexts, shellTexts } from '../texts/shell.ts'
import { errorView } from './api/errors.ts'
import classes from './ErrorPage.module.css'

/** What a screen that failed leaves behind. */
export function ErrorPage({ error }: { error: unknown }) {
  const view = errorView(error)
  return (
    <section className={classes.root} role="alert">
      <p className={classes.code}>{view.code}</p>
      <h1 className={classes.message}>{view.message}</h1>
      {view.serverFault && <p className={classes.more}>{errorTexts.serverFault}</p>}
      <p className={classes.actions}>
        <button type="button" className={classes.primary} onClick={() => window.location.reload()}>
          {shellTexts.reload}
        </button>
        <a href="/">{shellTexts.backHome}</a>
      </p>
    </section>
  )
}

export function NotFoundPage() {
  useEffect(() => {
    document.title = errorTexts.notFoundTitle
  }, [])
  return (
    <section className={classes.root}>
      <p className={classes.code}>404</p>
      <h1 className={classes.message}>{errorTexts.notFoundTitle}</h1>
      <p className={classes.more}>{errorTexts.notFound}</p>
      <p className={classes.actions}>
        <Link className={classes.primary} to="/">
          {shellTexts.backHome}
        </Link>
      </p>
    </section>
  )
}
