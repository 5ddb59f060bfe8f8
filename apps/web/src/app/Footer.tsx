import { RADX_VERSION } from '@radx/contracts/constants'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { shellTexts } from '../texts/shell.ts'
import { extrasMayLoad } from '../ui/load-order.ts'
import classes from './Footer.module.css'
import { part } from './part.tsx'

const Partners = part(() => extrasMayLoad().then(() => import('./Partners.tsx')), 'nothing')

const other = shellTexts.otherLanguage

export function Footer() {
  return (
    <footer className={classes.root}>
      <p className={classes.chair}>{shellTexts.chair}</p>
      <Suspense>
        <Partners />
      </Suspense>
      <p className={classes.guide}>
        <Link to="/aide">{shellTexts.guide}</Link>
        <a href={`/langue/${other.code}`} hrefLang={other.code} lang={other.code}>
          {other.name}
        </a>
      </p>
      <p className={classes.version}>{shellTexts.version(RADX_VERSION)}</p>
    </footer>
  )
}
