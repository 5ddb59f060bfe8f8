import type { MrrLatest } from '@radx/contracts/mrr'
import { MRR } from '@radx/contracts/mrr-constants'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { callJson } from '../../../app/api/client.ts'
import { useColorScheme } from '../../../app/color-scheme.ts'
import { columnTexts } from '../../../texts/live-column.ts'
import { Section } from '../../../ui/Section.tsx'
import classes from './MrrPanel.module.css'

/** The latest picture of the micro rain radar and the way to its page. */
export function MrrPanel() {
  const { data } = useQuery({
    queryKey: ['mrr', 'latest'],
    queryFn: ({ signal }) => callJson<MrrLatest>('/api/mrr/latest', { signal }),
    refetchInterval: MRR.refreshMs,
  })
  const latest = data?.file ?? null
  const dark = useColorScheme() === 'dark'
  return (
    <Section
      title={columnTexts.titles.mrr}
      aside={
        <Link className={classes.link} to="/mrr">
          {columnTexts.mrr.link}
        </Link>
      }
    >
      {latest === null ? (
        <p className={classes.none}>{columnTexts.mrr.none}</p>
      ) : (
        <>
          {data?.dry && <p className={classes.none}>{columnTexts.mrr.dry}</p>}
          <img
            className={classes.image}
            src={`/images/mrr/${encodeURIComponent(latest)}${dark ? '?scheme=dark' : ''}`}
            alt={columnTexts.mrr.alt}
            loading="lazy"
          />
        </>
      )}
    </Section>
  )
}
