import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { sewerTexts } from '../../../texts/sewer.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import type { SimulationJob } from '../api.ts'
import { pathQuery } from '../result/sewer/api.ts'
import { PathView } from '../result/sewer/PathView.tsx'
import { endsOf } from './ends.ts'
import type { Drawing } from './Picking.tsx'
import type { Sewer } from './SewerOverlay.tsx'
import { useWorkspace } from './useWorkspace.ts'
import classes from './Workspace.module.css'

/** Some of the map stays in sight above it. */
const HEIGHT_PX = 330

interface Props {
  job: SimulationJob
  sewer: Sewer
  drawing: Drawing | null
  setDrawing: (drawing: Drawing | null) => void
}

/**
 * The profile between two chosen nodes over the map, with the highest levels of the run; the time bar is its clock. It gives
 * the map free while a node is chosen there.
 */
export default function ProfilePanel({ job, sewer, drawing, setDrawing }: Props) {
  const { picks, through, scene, go } = useWorkspace()
  const id = useId()
  const ends = endsOf(picks)
  const [start, end] = ends ?? ['', '']
  const path = useQuery({
    ...pathQuery({ jobId: job.id, catchmentId: job.input.catchmentId, start, end, via: through }),
    enabled: ends !== null,
  })
  const { peaks } = sewer
  const highest = useMemo(
    () => peaks && new Map(peaks.nodes.name.map((name, k) => [name, peaks.nodes.headM[k]])),
    [peaks],
  )
  return (
    <section className={classes.profile} aria-labelledby={id}>
      <h2 id={id} className="rx-visually-hidden">
        {texts.profile}
      </h2>
      <IconButton label={texts.closeProfile} tip="left" onClick={() => go({ profile: false })}>
        <IconX size={18} stroke={1.75} />
      </IconButton>
      {ends !== null && (through !== '' || !scene) && (
        <p>
          {through === '' ? (
            <TextButton
              aria-pressed={drawing === 'through'}
              onClick={() => setDrawing(drawing === 'through' ? null : 'through')}
            >
              {drawing === 'through' ? texts.endThrough : texts.goThrough}
            </TextButton>
          ) : (
            <>
              {texts.through(through)}{' '}
              <TextButton onClick={() => go({ through: '' })}>{texts.shortest}</TextButton>
            </>
          )}
        </p>
      )}
      {drawing === 'through' ? null : ends === null ? (
        <p>{texts.profileHelp}</p>
      ) : path.error ? (
        <p role="alert">{serverErrorText(path.error)}</p>
      ) : path.data && highest ? (
        <PathView
          key={path.data.join('\n')}
          job={job}
          path={path.data}
          highest={highest}
          height={HEIGHT_PX}
          clockElsewhere
        />
      ) : (
        <p role="status">{sewerTexts.path.searching}</p>
      )}
    </section>
  )
}
