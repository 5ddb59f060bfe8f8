import type { RefObject } from 'react'
import { useColorScheme } from '../../app/color-scheme.ts'
import { useSite } from '../../app/site.ts'
import { useRadxMap } from '../../map/context.ts'
import { ButtonGroup } from '../../map/controls/ButtonGroup.tsx'
import { MapButtons } from '../../map/controls/MapButtons.tsx'
import type { FrameCache } from '../../map/frames/FrameCache.ts'
import { ShareButton } from '../../share/ShareButton.tsx'
import { useAhead } from './future/useAhead.ts'

interface Props {
  stage: RefObject<HTMLElement | null>
  /** What is on the map while it is no forecast. */
  store: FrameCache
  times: readonly string[]
  quality: boolean
  opacity: number
}

/** The buttons of the live map, sharing among them. */
export default function LiveButtons({ stage, ...seen }: Props) {
  const radx = useRadxMap()
  const site = useSite()
  const scheme = useColorScheme()
  const ahead = useAhead()
  return (
    <>
      <MapButtons stage={stage} />
      <ButtonGroup below>
        <ShareButton
          load={async () => (await import('./share.ts')).liveSubject({ radx, site, scheme, ahead, ...seen })}
        />
      </ButtonGroup>
    </>
  )
}
