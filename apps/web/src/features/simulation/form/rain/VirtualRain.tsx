import { SegmentedControl } from '@mantine/core'
import { designTexts } from '../../../../texts/design.ts'
import { rainTexts as texts } from '../../../../texts/simulation.ts'
import { chooseMode, type VirtualMode } from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import { DesignStorm } from './DesignStorm.tsx'
import { OwnHyetogram } from './OwnHyetogram.tsx'
import { Triangles } from './Triangles.tsx'
import classes from './VirtualRain.module.css'

const MODES: VirtualMode[] = ['typed', 'design', 'own']

/** A rain that no instrument measured: triangles, a storm by return period, or a hyetogram of one's own. */
export function VirtualRain() {
  const mode = useForm((state) => state.virtualMode)
  const locked = useForm((state) => state.virtualData.length > 0)
  return (
    <section className={classes.section} aria-label={texts.virtual.title}>
      <SegmentedControl
        className={classes.modes}
        aria-label={designTexts.mode}
        value={mode}
        disabled={locked}
        onChange={(value) => changeForm((state) => chooseMode(state, value as VirtualMode))}
        data={MODES.map((value) => ({ value, label: designTexts.modes[value] }))}
      />
      <div className={classes.root}>
        {mode === 'typed' && <Triangles />}
        {mode === 'design' && <DesignStorm />}
        {mode === 'own' && <OwnHyetogram />}
      </div>
    </section>
  )
}
