import type { AHEAD_DEPTHS_MM, AheadCycle } from '@radx/contracts/ahead'
import { useColorScheme } from '../../app/color-scheme.ts'
import { useSite } from '../../app/site.ts'
import { useRadxMap } from '../../map/context.ts'
import { PROBABILITY_COLORS } from '../../map/probability.ts'
import { ShareButton } from '../../share/ShareButton.tsx'
import { aheadTexts as texts } from '../../texts/ahead.ts'

interface Props {
  cycle: AheadCycle
  above: (typeof AHEAD_DEPTHS_MM)[number]
  at: number
}

/** Sharing of the floods ahead, as a picture. */
export function ShareAhead({ cycle, above, at }: Props) {
  const radx = useRadxMap()
  const site = useSite()
  const scheme = useColorScheme()
  const load = async () => {
    const [{ attributionText, stamp, zonedFr }, { shareTexts }] = await Promise.all([
      import('../../share/words.ts'),
      import('../../texts/share.ts'),
    ])
    const { issued, times, catchment } = cycle
    const moment = times[at] ?? issued
    return {
      radx,
      title: shareTexts.ahead(shareTexts.forecast(zonedFr(issued, site.timeZone)), catchment.display),
      clock: zonedFr(moment, site.timeZone),
      legend: {
        title: `${texts.legend}, > ${texts.depth(above / 10)}`,
        unit: '',
        classes: PROBABILITY_COLORS[scheme].map((color, k) => ({
          color,
          label: texts.percent((k + 1) * 10),
        })),
      },
      attribution: attributionText(site),
      fileName: `${site.id}-prevision-${catchment.id}-${stamp(moment)}`,
      film: null,
      embed: null,
    }
  }
  return <ShareButton load={load} />
}
