import type { MouseEvent } from 'react'
import { Link, NavLink, useNavigate, useParams } from 'react-router'
import { NotFoundPage } from '../../app/ErrorPage.tsx'
import { repeatTour } from '../../app/tour.ts'
import { guideTexts as texts } from '../../texts/guide.ts'
import { RichText } from '../../ui/RichText.tsx'
import classes from './GuideScreen.module.css'
import { GUIDES, type GuideEntry } from './pages.ts'

/** The guide: a worked example for each of those who use the platform, written in docs/guide. */
export default function GuideScreen() {
  const { page } = useParams()
  const chosen = GUIDES.find(({ id }) => id === page)
  if (page !== undefined && !chosen) return <NotFoundPage />
  return (
    <div className={classes.root}>
      <nav className={classes.toc} aria-label={texts.pages}>
        <ul>
          <li>
            <NavLink to="/aide" end>
              {texts.title}
            </NavLink>
          </li>
          {GUIDES.map(({ id, short }) => (
            <li key={id}>
              <NavLink to={`/aide/${id}`}>{short}</NavLink>
            </li>
          ))}
        </ul>
      </nav>
      {chosen ? <Page key={chosen.id} entry={chosen} /> : <Contents />}
    </div>
  )
}

function Contents() {
  return (
    <article className={classes.page}>
      <h1>{texts.title}</h1>
      <p>{texts.lead}</p>
      <ul className={classes.cards}>
        {GUIDES.map(({ id, short, about, page }) => (
          <li key={id}>
            <Link to={`/aide/${id}`}>
              <strong>{short}</strong>
              <span>{page.title}</span>
              <small>{about}</small>
            </Link>
          </li>
        ))}
      </ul>
      <p>
        <Link to="/" onClick={repeatTour}>
          {texts.tour}
        </Link>
      </p>
    </article>
  )
}

function Page({ entry: { page } }: { entry: GuideEntry }) {
  const navigate = useNavigate()
  // Links of the text lead on within the application.
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a')
    const inside = link && link.origin === location.origin && !link.pathname.startsWith('/api/')
    if (!inside || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void navigate(link.pathname + link.search)
    window.scrollTo({ top: 0 })
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links inside take the keys, this only follows them
    <article className={classes.page} onClick={follow}>
      <h1>{page.title}</h1>
      {page.blocks.map((block, k) =>
        block.kind === 'html' ? (
          <RichText key={k} html={block.html} />
        ) : (
          <figure key={k}>
            <a href={block.src} target="_blank" rel="noreferrer" aria-label={texts.enlarge(block.text)}>
              <img src={block.src} alt="" width={block.width} height={block.height} loading="lazy" />
            </a>
            <figcaption>{block.text}</figcaption>
          </figure>
        ),
      )}
    </article>
  )
}
