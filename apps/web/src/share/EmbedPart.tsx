import { NumberInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useSite } from '../app/site.ts'
import { shareTexts } from '../texts/share.ts'
import { Message } from '../ui/Message.tsx'
import classes from './ShareDialog.module.css'

const texts = shareTexts.embed
const HEIGHT = { least: 240, usual: 480, most: 2000 }

/** The view on other pages. @param embed its address on this site; null where it cannot stand there */
export function EmbedPart({ embed }: { embed: string | null }) {
  const { name, embedding } = useSite()
  const [height, setHeight] = useState<number | string>(HEIGHT.usual)
  if (embed === null)
    return (
      <div className={classes.part}>
        <Message kind="nfo">{texts.none}</Message>
      </div>
    )
  const pixels = Math.min(HEIGHT.most, Math.max(HEIGHT.least, Math.round(Number(height) || HEIGHT.usual)))
  const address = `${window.location.origin}${embed}`
  const quoted = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')
  const code = `<iframe src="${quoted(address)}" title="${quoted(name)}" width="100%" height="${pixels}" style="border:0" loading="lazy" allowfullscreen></iframe>`
  return (
    <div className={classes.part}>
      <p className={classes.help}>{texts.help}</p>
      <p className={classes.help}>{texts.limits}</p>
      {!embedding && <Message kind="warning">{texts.closed}</Message>}
      <NumberInput
        label={texts.size}
        value={height}
        min={HEIGHT.least}
        max={HEIGHT.most}
        step={20}
        allowDecimal={false}
        onChange={setHeight}
      />
      <Textarea
        label={texts.code}
        value={code}
        readOnly
        autosize
        minRows={3}
        onFocus={(event) => event.currentTarget.select()}
      />
    </div>
  )
}
