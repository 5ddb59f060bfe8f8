import { useColorScheme } from '../../../app/color-scheme.ts'
import { useSite } from '../../../app/site.ts'
import { useRadxMap } from '../../../map/context.ts'
import { ButtonGroup } from '../../../map/controls/ButtonGroup.tsx'
import type { FrameCache } from '../../../map/frames/FrameCache.ts'
import { ShareButton } from '../../../share/ShareButton.tsx'

export interface SeenArchive {
  frames: FrameCache
  times: readonly string[]
  /** 0 to 100. */
  opacity: number
  quality: boolean
  period: { s: string; e: string }
  /** The map shows the accumulation of the period. */
  cumul: boolean
}

/** Sharing of a period. */
export function ShareArchive(seen: SeenArchive) {
  const radx = useRadxMap()
  const site = useSite()
  const scheme = useColorScheme()
  return (
    <ButtonGroup below>
      <ShareButton
        load={async () => (await import('./share.ts')).archiveSubject({ radx, site, scheme, ...seen })}
      />
    </ButtonGroup>
  )
}
