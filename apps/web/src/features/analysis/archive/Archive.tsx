import type { CatchmentCollection } from '@radx/contracts/catchments'
import type { Product } from '@radx/contracts/radar'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { useNames } from '../../../selection/SelectionPanel.tsx'
import { selectionSentence } from '../../../selection/sentence.ts'
import { useCountdown } from '../../../selection/useCountdown.ts'
import { useWeight } from '../../../selection/useWeight.ts'
import { analysisTexts as texts } from '../../../texts/analysis.ts'
import { selectionTexts } from '../../../texts/selection.ts'
import { PrimaryButton, QuietButton } from '../../../ui/Button.tsx'
import { useFocusTaken } from '../../../ui/focus-return.ts'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import type { AnalysisAddress } from '../address.ts'
import classes from './Archive.module.css'
import { ArchiveView } from './ArchiveView.tsx'
import { useArchive } from './store.ts'
import { type ArchiveProgress, type ArchiveRequest, useArchiveLoad } from './useArchiveLoad.ts'

interface Props {
  products: readonly Product[]
  catchments: CatchmentCollection
  address: AnalysisAddress
  help: ReactNode
}

/** The chosen period once it is asked for: its sentence, what is on its way or went wrong, and its view. */
export function Archive({ products, catchments, address, help }: Props) {
  const { timeZone } = useSite()
  const { selection, step } = address
  const nameOf = useNames(catchments)
  const weight = useWeight(selection, step)
  const { period, slides } = weight
  const { s, e } = period ?? {}
  const { selectedProduct, catchment, subcatchment } = selection
  const request = useMemo<ArchiveRequest | null>(
    () =>
      s === undefined || e === undefined
        ? null
        : { product: selectedProduct, s, e, catchment, subcatchment, step },
    [s, e, selectedProduct, catchment, subcatchment, step],
  )
  const { again, progress } = useArchiveLoad(request, address.moment)
  const loading = useArchive((state) => state.loading)
  const error = useArchive((state) => state.error)
  const images = useArchive((state) => state.images)
  const product = products.find(({ shortName }) => shortName === selection.selectedProduct)
  const arrived = !loading && error === null && request !== null
  const complete = arrived && images.length > 0 && images.length === slides
  const sentence = useFocusTaken<HTMLParagraphElement>()
  return (
    <>
      <header className={classes.head}>
        <p ref={sentence} tabIndex={-1} className={classes.sentence} data-testid="sentence">
          {selectionSentence(selection, slides, { timeZone, nameOf })}
        </p>
        <QuietButton onClick={address.unload}>
          <IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden />
          {texts.edit}
        </QuietButton>
        {help}
      </header>
      {loading && (
        <Loading slides={slides} countedAt={weight.countedAt} progress={progress} onCancel={address.unload} />
      )}
      {error && (
        <section className={classes.failed} role="alert">
          <p className={classes.code}>
            {error.code} <span>{error.statusText}</span>
          </p>
          <p className={classes.message}>{error.message}</p>
          <p className={classes.ways}>
            <PrimaryButton onClick={again}>{texts.retry}</PrimaryButton>
            <TextButton onClick={address.unload}>{texts.edit}</TextButton>
          </p>
        </section>
      )}
      {weight.error && (
        <div className={classes.note}>
          <Message
            kind="error"
            action={<TextButton onClick={() => void weight.refetch()}>{texts.retry}</TextButton>}
          >
            {genericErrorText(weight.error)}
          </Message>
        </div>
      )}
      {arrived && slides === 0 && images.length === 0 && (
        <div className={classes.note}>
          <Message kind="nfo">{selectionTexts.noSlides}</Message>
        </div>
      )}
      {arrived && slides !== null && !complete && slides + images.length > 0 && !weight.pending && (
        <div className={classes.note}>
          <Message
            kind="warning"
            action={
              <TextButton
                onClick={() => {
                  void weight.refetch()
                  again()
                }}
              >
                {texts.reload}
              </TextButton>
            }
          >
            {texts.mismatch(images.length, slides)}
          </Message>
        </div>
      )}
      {complete && product && request && (
        <ArchiveView
          product={product}
          catchments={catchments}
          request={request}
          selection={selection}
          address={address}
        />
      )}
    </>
  )
}

interface LoadingProps {
  slides: number | null
  countedAt: number
  progress: ArchiveProgress | null
  onCancel: () => void
}

function Loading({ slides, countedAt, progress, onCancel }: LoadingProps) {
  const countdown = useCountdown(slides, countedAt)
  const total = progress?.total ?? slides
  return (
    <div className={classes.loading} role="status">
      <div className={classes.ghostMap} />
      <div className={classes.ghostGraphs} />
      <div className={classes.told}>
        {/* That it loads is read out once, not each number that follows. */}
        <p>
          {texts.loadingArchive}
          {countdown !== null && <strong aria-live="off"> {countdown}</strong>}
          <TextButton onClick={onCancel}>{texts.cancel}</TextButton>
        </p>
        {progress !== null && total !== null && total > 0 && (
          <p className={classes.progress} aria-live="off">
            <progress max={total} value={progress.images} aria-label={texts.loadingArchive} />
            {texts.archiveLoading(progress.images, total)}
          </p>
        )}
      </div>
    </div>
  )
}
