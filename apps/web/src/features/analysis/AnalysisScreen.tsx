import type { CatchmentCollection } from '@radx/contracts/catchments'
import type { Product } from '@radx/contracts/radar'
import { civilDay } from '@radx/locale/time'
import { IconHelpCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { genericErrorText } from '../../app/api/errors.ts'
import { openModal, useModal } from '../../app/modals.ts'
import parts from '../../app/part.module.css'
import { productsQuery } from '../../app/products.ts'
import { ScreenTitle } from '../../app/ScreenTitle.tsx'
import { useSite } from '../../app/site.ts'
import { PARTNERS, WordMark } from '../../app/WordMark.tsx'
import { catchmentsQuery } from '../../selection/api.ts'
import { SelectionPanel } from '../../selection/SelectionPanel.tsx'
import { type Selection, withoutUnknown } from '../../selection/selection.ts'
import { aheadTitle } from '../../texts/ahead-title.ts'
import { analysisTexts as texts } from '../../texts/analysis.ts'
import { forecastQualityTitle } from '../../texts/forecast-quality-title.ts'
import { useFocusTaken } from '../../ui/focus-return.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import classes from './AnalysisScreen.module.css'
import { useAnalysisAddress } from './address.ts'
import { Archive } from './archive/Archive.tsx'
import { EventsSection } from './events/EventsSection.tsx'
import { HelpDialog } from './help/HelpDialog.tsx'

/** Archive analysis: choose a period, play it, read it, keep it. */
export default function AnalysisScreen() {
  const products = useQuery(productsQuery)
  const catchments = useQuery(catchmentsQuery)
  const failed = [products, catchments].find(({ error }) => error !== null)
  if (failed)
    return (
      <div className={classes.instead}>
        <ScreenTitle />
        <Message
          kind="error"
          action={<TextButton onClick={() => void failed.refetch()}>{texts.retry}</TextButton>}
        >
          {genericErrorText(failed.error)}
        </Message>
      </div>
    )
  if (!products.data || !catchments.data)
    return (
      <div className={parts.shape} aria-busy="true">
        <ScreenTitle />
        <p role="status">{texts.productsLoading}</p>
        <div />
        <div />
      </div>
    )
  return <Analysis products={products.data} catchments={catchments.data} />
}

interface Props {
  products: readonly Product[]
  catchments: CatchmentCollection
}

function Analysis({ products, catchments }: Props) {
  const site = useSite()
  const today = civilDay(Date.now(), site.civilZone)
  const ground = useMemo(
    () => ({
      products,
      defaultProduct: site.defaultProduct,
      defaultCatchment: site.defaultCatchment,
      timeZone: site.civilZone,
      today,
    }),
    [products, site, today],
  )
  const address = useAnalysisAddress(ground)
  const modal = useModal((state) => state.type)
  const areas = useMemo(() => catchments.features.map(({ properties }) => properties), [catchments])
  const { selection: chosen, unknown } = useMemo(
    () => withoutUnknown(address.selection, areas),
    [address.selection, areas],
  )
  const root = useRef<HTMLDivElement>(null)
  /** The archive stands at the head of the page: above the list of events, and above the button on a phone. */
  const load = (selection?: Selection) => {
    address.load(selection)
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    root.current?.scrollIntoView({ block: 'start', behavior: isStill ? 'auto' : 'smooth' })
  }
  const help = (
    <IconButton label={texts.help} onClick={() => openModal('help')}>
      <IconHelpCircle size={20} stroke={1.75} />
    </IconButton>
  )
  return (
    <div className={classes.root} ref={root}>
      <ScreenTitle />
      {unknown !== null && !address.loaded && (
        <div className={classes.notice}>
          <Message kind="error">{texts.unknownCatchment(unknown)}</Message>
        </div>
      )}
      {address.loaded ? (
        <Archive products={products} catchments={catchments} address={address} help={help} />
      ) : (
        <Choosing>
          <SelectionPanel
            products={products}
            catchments={catchments}
            selection={chosen}
            onChange={(step) => address.select((now) => step(withoutUnknown(now, areas).selection))}
            today={today}
            onLoad={() => load(unknown === null ? undefined : chosen)}
            step={address.step}
            onStep={address.setStep}
            aside={help}
          />
        </Choosing>
      )}
      <div className={classes.below}>
        <p>
          <Link to="/prevision">{aheadTitle}</Link>&nbsp;·{' '}
          <Link to="/analyse/prevision">{forecastQualityTitle}</Link>
        </p>
        <EventsSection catchments={catchments} ground={ground} onLoad={load} />
        <section className={classes.sponsors} aria-label={texts.sponsors}>
          <h2>{texts.sponsors}</h2>
          <ul>
            {PARTNERS.map((partner) => (
              <li key={partner.name}>
                <WordMark {...partner} />
              </li>
            ))}
          </ul>
        </section>
      </div>
      {modal === 'help' && <HelpDialog />}
    </div>
  )
}

/** Where a period is chosen; who comes back from a loaded one, or from one that was on its way, goes on here. */
function Choosing({ children }: { children: ReactNode }) {
  const place = useFocusTaken<HTMLDivElement>()
  return (
    <div ref={place} tabIndex={-1} className={classes.choosing}>
      {children}
    </div>
  )
}
