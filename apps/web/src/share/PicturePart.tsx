import { Button } from '@mantine/core'
import { useState } from 'react'
import { saveBlob } from '../app/api/download.ts'
import { shareTexts } from '../texts/share.ts'
import { Message } from '../ui/Message.tsx'
import { makePicture } from './picture.ts'
import classes from './ShareDialog.module.css'
import type { ShareSubject } from './subject.ts'

const texts = shareTexts.picture

/** The view as a picture. */
export function PicturePart({ subject }: { subject: ShareSubject }) {
  const [state, setState] = useState<'idle' | 'busy' | 'done' | 'failed'>('idle')
  const make = async () => {
    setState('busy')
    try {
      saveBlob(await makePicture(subject), `${subject.fileName}.png`)
      setState('done')
    } catch {
      setState('failed')
    }
  }
  return (
    <div className={classes.part}>
      <p className={classes.help}>{texts.help}</p>
      <div>
        <Button onClick={() => void make()} loading={state === 'busy'}>
          {texts.make}
        </Button>
      </div>
      <p className={classes.help} aria-live="polite">
        {state === 'done' && texts.done}
      </p>
      {state === 'failed' && <Message kind="error">{texts.failed}</Message>}
    </div>
  )
}
