import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { ABOUT_ANCHORS, aboutTexts } from '../../texts/about.ts'
import classes from './AboutScreen.module.css'
import { CookieSection } from './CookieSection.tsx'
import { HelpSection } from './HelpSection.tsx'
import { InstrumentSection } from './InstrumentSection.tsx'
import { PresentationSection } from './PresentationSection.tsx'

const SECTIONS = [
  { key: 'presentation', Content: PresentationSection },
  { key: 'instruments', Content: InstrumentSection },
  { key: 'help', Content: HelpSection },
  { key: 'cookies', Content: CookieSection },
] as const

export default function AboutScreen() {
  useAnchor()
  return (
    <div className={classes.root}>
      <nav className={classes.toc} aria-label={aboutTexts.toc}>
        <ul>
          {SECTIONS.map(({ key }) => (
            <li key={key}>
              <a href={`#${ABOUT_ANCHORS[key]}`}>{aboutTexts.titles[key]}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div>
        <h1 className="rx-visually-hidden">{aboutTexts.title}</h1>
        {SECTIONS.map(({ key, Content }) => (
          <section
            key={key}
            id={ABOUT_ANCHORS[key]}
            aria-labelledby={`${key}-title`}
            className={classes.section}
          >
            <h2 id={`${key}-title`}>{aboutTexts.titles[key]}</h2>
            <Content />
          </section>
        ))}
      </div>
    </div>
  )
}

/** The page comes after its address was read, so the browser could not go to the anchor itself. */
function useAnchor(): void {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [hash])
}
