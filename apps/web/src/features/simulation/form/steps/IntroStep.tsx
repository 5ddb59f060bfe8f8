import { caseStudyTexts } from '../../../../texts/case-studies.ts'
import classes from './IntroStep.module.css'

export function IntroStep({ caseStudyId }: { caseStudyId: string }) {
  const study = caseStudyTexts[caseStudyId]
  if (study === undefined) return null
  return (
    <article className={classes.root}>
      <header>
        <h2>{study.title}</h2>
        <div>{study.lead}</div>
      </header>
      <div className={classes.sections}>
        {study.sections.map(({ title, paragraphs }) => (
          <section key={title}>
            <h3>{title}</h3>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
      </div>
    </article>
  )
}
