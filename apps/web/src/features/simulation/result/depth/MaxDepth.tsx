import { Button, SegmentedControl } from '@mantine/core'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { depthTexts as texts } from '../../../../texts/flood.ts'
import { Message } from '../../../../ui/Message.tsx'
import type { SimulationJob } from '../../api.ts'
import { DownloadButton } from '../../parts/DownloadButton.tsx'
import { ResultSection } from '../ResultSection.tsx'
import { useResult } from '../state.ts'
import classes from './Depth.module.css'
import { Depth3D } from './Depth3D.tsx'
import { DepthOnMap } from './DepthOnMap.tsx'
import { Matrix } from './Matrix.tsx'
import { useDepthField } from './useDepthField.ts'
import { DEPTH_VIEWS, type DepthViewName, useDepthView } from './view.ts'

/** The largest water depth of each cell: matrix, bars, or on the map. Read once it is opened. */
export function MaxDepth({ job }: { job: SimulationJob }) {
  const { outputs, show } = useResult()
  return (
    <ResultSection
      title={texts.title}
      open={outputs.includes('depth')}
      onToggle={(open) => show('depth', open)}
    >
      <Content job={job} />
    </ResultSection>
  )
}

function Content({ job }: { job: SimulationJob }) {
  const { field, error, refetch } = useDepthField(job.id)
  const { reference } = useResult()
  const { view, change } = useDepthView()
  if (error)
    return (
      <Message
        kind="error"
        action={
          <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
            {texts.retry}
          </Button>
        }
      >
        {genericErrorText(error)}
      </Message>
    )
  if (field === null) return <p role="status">{texts.loading}</p>
  if (field.maxCm === 0) return <Message kind="nfo">{texts.none}</Message>
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <SegmentedControl
          aria-label={texts.view}
          data={DEPTH_VIEWS.map((name) => ({ value: name, label: texts.views[name] }))}
          value={view}
          onChange={(next) => change({ view: next as DepthViewName })}
        />
        <p className={classes.note}>
          {texts.most} {formatQuantityFr(field.maxCm, 'cm', 1)}
          {' · '}
          {texts.cells(
            field.wet.length,
            formatQuantityFr((field.wet.length * field.place.cellSizeM ** 2) / 10_000, 'ha', 1),
          )}
        </p>
        <div className={classes.files}>
          <DownloadButton
            path={`/api/multihydro/file/${job.id}/max-depth.tif`}
            filename="hauteur-maximale.tif"
            label={texts.tiff}
            describe={texts.tiffHelp}
          />
          <DownloadButton
            path={`/api/multihydro/file/${job.id}/max-depth.csv`}
            filename="hauteur-maximale.csv"
            label={texts.csv}
            describe={texts.csvHelp}
          />
        </div>
      </div>
      {view === '2d' && <Matrix field={field} />}
      {view === '3d' && <Depth3D field={field} luseId={job.input.luseId} />}
      {view === 'carte' && <DepthOnMap job={job} field={field} reference={reference} />}
    </div>
  )
}
