import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Suspense } from 'react'
import { part } from '../../app/part.tsx'
import { useSite } from '../../app/site.ts'
import { liveTexts } from '../../texts/live.ts'
import { stationTexts } from '../../texts/station.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { extrasMayLoad } from '../../ui/load-order.ts'
import { Section } from '../../ui/Section.tsx'
import { useStored } from '../../ui/useStored.ts'
import classes from './Column.module.css'

// After the map, whose data it shows anyway.
const ColumnContent = part(() => extrasMayLoad().then(() => import('./ColumnContent.tsx')))

/** Everything that is read beside the map; it can be folded away, and stands below the map on a phone. */
export function Column({ query }: { query: UseQueryResult }) {
  const [folded, setFolded] = useStored('radx-live-folded', false)
  const label = folded ? liveTexts.column.unfold : liveTexts.column.fold
  return (
    <aside className={classes.root} data-folded={folded} aria-label={liveTexts.column.label}>
      <IconButton
        className={classes.fold}
        label={label}
        tip="left"
        style={{ width: 20, height: 56 }}
        aria-expanded={!folded}
        onClick={() => setFolded(!folded)}
      >
        {folded ? <IconChevronLeft size={16} stroke={2} /> : <IconChevronRight size={16} stroke={2} />}
      </IconButton>
      <div className={classes.content} aria-busy={query.isPending} inert={folded}>
        <Suspense fallback={<Skeleton />}>
          <ColumnContent />
        </Suspense>
      </div>
    </aside>
  )
}

/** The shape of what comes: a row of figures, two histograms, and the station by its name. */
function Skeleton() {
  const { hasStation } = useSite()
  return (
    <div className={classes.skeleton} aria-hidden>
      <div />
      <div />
      <div />
      {hasStation && (
        <Section title={stationTexts.title}>
          <div />
        </Section>
      )}
    </div>
  )
}
