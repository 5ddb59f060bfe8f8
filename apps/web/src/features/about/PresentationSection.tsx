import { RADX_VERSION } from '@radx/contracts/constants'
import { Link } from 'react-router'
import { useSite } from '../../app/site.ts'
import { PARTNERS, WordMark } from '../../app/WordMark.tsx'
import { aboutTexts, presentationTexts as texts } from '../../texts/about.ts'
import { shellTexts } from '../../texts/shell.ts'
import { BeamFigure } from './BeamFigure.tsx'
import { DropFigure } from './DropFigure.tsx'
import { radarFacts } from './facts.ts'
import classes from './PresentationSection.module.css'

export function PresentationSection() {
  const facts = radarFacts(useSite())
  return (
    <div className={classes.root}>
      <p className={classes.version}>
        {shellTexts.productName} · {aboutTexts.version(RADX_VERSION)}
      </p>
      <p className={classes.lead}>{texts.lead}</p>

      <h3>{texts.why.title}</h3>
      <p>{texts.why.text(facts)}</p>

      <h3>{texts.how.title}</h3>
      <p>{texts.how.paragraphs[0]}</p>
      <figure>
        <BeamFigure />
        <figcaption>{texts.figures.beam}</figcaption>
      </figure>
      <p>{texts.how.paragraphs[1]}</p>
      <figure>
        <DropFigure />
        <figcaption>{texts.figures.drops}</figcaption>
      </figure>

      <h3>{texts.definitions.title}</h3>
      <dl className={classes.definitions}>
        {texts.definitions.items.map(({ term, unit, text }) => (
          <div key={term}>
            <dt>
              {term} <span className="rx-unit">{unit}</span>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>

      <h3>{texts.limits.title}</h3>
      <p>{texts.limits.text(facts)}</p>

      <h3>{texts.screens.title}</h3>
      <ul className={classes.screens}>
        {texts.screens.items.map(({ to, name, text }) => (
          <li key={to}>
            <b>
              <Link to={to}>{name}</Link>
            </b>
            <span>{text}</span>
          </li>
        ))}
      </ul>

      <h3>{texts.sponsors.title}</h3>
      <p>{texts.sponsors.text}</p>
      <ul className={classes.partners} aria-label={shellTexts.partners}>
        {PARTNERS.map((partner) => (
          <li key={partner.name}>
            <WordMark {...partner} />
          </li>
        ))}
      </ul>
    </div>
  )
}
