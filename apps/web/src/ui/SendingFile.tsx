import { Progress } from '@mantine/core'
import { sendingTexts as texts } from '../texts/sending.ts'
import { QuietButton } from './Button.tsx'
import classes from './FileDrop.module.css'
import type { Sending } from './useSending.ts'

/** A file on its way: how much of it has gone, and a way to stop it. */
export function SendingFile({ now, cancel }: Pick<Sending<unknown>, 'now' | 'cancel'>) {
  if (now === null) return null
  const { file, share } = now
  const percent = Math.floor(100 * share)
  return (
    <div className={classes.sending}>
      <p role="status">{share < 1 ? texts.sending(file, percent) : texts.checking(file)}</p>
      <Progress value={percent} size={8} animated={share >= 1} aria-label={texts.progress(file)} />
      <QuietButton onClick={cancel}>{texts.cancel}</QuietButton>
    </div>
  )
}
