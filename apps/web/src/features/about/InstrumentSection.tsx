import { useSite } from '../../app/site.ts'
import { instrumentTexts as texts } from '../../texts/about.ts'
import { radarFacts } from './facts.ts'
import { INSTRUMENT_FIGURES } from './InstrumentFigures.tsx'
import classes from './InstrumentSection.module.css'

export function InstrumentSection() {
  const facts = radarFacts(useSite())
  return (
    <>
      <p className={classes.lead}>{texts.lead}</p>
      {texts.items.map(({ key, name, measures, principle, use }) => {
        const Figure = INSTRUMENT_FIGURES[key]
        return (
          <article key={key} className={classes.item} aria-label={name}>
            <Figure />
            <div>
              <h3>{name}</h3>
              <dl>
                <dt>{texts.measures}</dt>
                <dd>{measures}</dd>
                <dt>{texts.principle}</dt>
                <dd>{principle(facts)}</dd>
                <dt>{texts.use}</dt>
                <dd>{use}</dd>
              </dl>
            </div>
          </article>
        )
      })}
    </>
  )
}
