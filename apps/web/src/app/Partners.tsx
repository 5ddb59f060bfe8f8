import { shellTexts } from '../texts/shell.ts'
import classes from './Footer.module.css'
import { PARTNERS, WordMark } from './WordMark.tsx'

/** The partners at the foot of every page, after what the page is for. */
export default function Partners() {
  return (
    <ul className={classes.partners} aria-label={shellTexts.partners}>
      {PARTNERS.map((partner) => (
        <li key={partner.name}>
          <WordMark {...partner} />
        </li>
      ))}
    </ul>
  )
}
