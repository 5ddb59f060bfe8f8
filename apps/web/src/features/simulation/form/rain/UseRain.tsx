import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { rainTexts as texts } from '../../../../texts/simulation.ts'
import { releaseVirtualRain } from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import classes from './VirtualRain.module.css'

/** Takes what is drawn as the rain of the run, or lets it go again. */
export function UseRain({ disabled, onUse }: { disabled: boolean; onUse: () => void }) {
  const locked = useForm((state) => state.virtualData.length > 0)
  if (!locked)
    return (
      <Button disabled={disabled} onClick={onUse}>
        {texts.use}
      </Button>
    )
  return (
    <div className={classes.locked} role="status">
      <IconLock size={18} stroke={1.75} aria-hidden />
      <span>{texts.locked}</span>
      <Button size="compact-sm" variant="subtle" onClick={() => changeForm(releaseVirtualRain)}>
        {texts.change}
      </Button>
    </div>
  )
}
