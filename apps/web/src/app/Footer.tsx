import { RADX_VERSION } from '@radx/contracts/constants'
import { Link } from 'react-router'
import { shellTexts } from '../texts/shell.ts'
import classes from './Footer.module.css'
import { PARTNERS, WordMark } from './WordMark.tsx'

export function Footer() {
  return (
    <footer className={classes.root}>
      <p className={classes.chair}>{shellTexts.chair}</p>
      <ul className={classes.partners} aria-label={shellTexts.partners}>
        {PARTNERS.map((partner) => (
          <li key={partner.name}>
            <WordMark {...partner} />
          </li>
        ))}
      </ul>
      <p className={classes.guide}>
        <Link to="/aide">{shellTexts.guide}</Link>
      </p>
      <p className={classes.version}>{shellTexts.version(RADX_VERSION)}</p>
    </footer>
  )
}
