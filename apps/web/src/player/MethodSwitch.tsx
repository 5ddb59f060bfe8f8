import type { RainMethod } from '@radx/contracts/radar'
import { playerTexts } from '../texts/player.ts'
import { TextButton } from '../ui/TextButton.tsx'
import classes from './MethodSwitch.module.css'
import { chooseMethod, methodStatement, useRainMethod } from './rain-method.ts'

const texts = playerTexts.method

/** Says how the totals beside it take the rain between images, and switches. @param shown what they are now */
export function MethodSwitch({ shown }: { shown: RainMethod }) {
  const wanted = useRainMethod((state) => state.method)
  const { says, other } = methodStatement(wanted, shown)
  return (
    <p className={classes.root} data-testid="rain-method" data-method={shown}>
      {texts[says]}{' '}
      {other && (
        <TextButton onClick={() => chooseMethod(other)}>
          {other === 'raw' ? texts.toRaw : texts.toMoved}
        </TextButton>
      )}
    </p>
  )
}
