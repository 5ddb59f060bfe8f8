import { Tabs } from '@mantine/core'
import { useEffect, useState } from 'react'
import { genericErrorText } from '../app/api/errors.ts'
import { shareTexts as texts } from '../texts/share.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { MantineRoot } from '../ui/MantineRoot.tsx'
import { Message } from '../ui/Message.tsx'
import { EmbedPart } from './EmbedPart.tsx'
import { FilmPart } from './FilmPart.tsx'
import { LinkPart } from './LinkPart.tsx'
import { PicturePart } from './PicturePart.tsx'
import type { ShareSubject } from './subject.ts'

interface Props {
  load: () => Promise<ShareSubject | null>
  onClose: () => void
}

/** What a view leaves the page as: a picture, an animation, a link, a piece of another page. */
export default function ShareDialog({ load, onClose }: Props) {
  const [subject, setSubject] = useState<ShareSubject | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  /** An animation under way is not lost to a click beside the dialog. */
  const [busy, setBusy] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was shown when it was opened
  useEffect(() => {
    load().then(
      (loaded) => (loaded === null ? setFailure(texts.nothing) : setSubject(loaded)),
      (error: unknown) => setFailure(genericErrorText(error)),
    )
  }, [])
  return (
    <MantineRoot>
      <Dialog
        opened
        onClose={onClose}
        title={texts.title}
        size="lg"
        closeOnClickOutside={!busy}
        closeOnEscape={!busy}
      >
        {failure !== null && <Message kind="warning">{failure}</Message>}
        {failure === null && subject === null && <p role="status">{texts.loading}</p>}
        {subject && (
          <Tabs defaultValue="picture" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="picture" data-autofocus>
                {texts.picture.title}
              </Tabs.Tab>
              <Tabs.Tab value="film" disabled={busy}>
                {texts.film.title}
              </Tabs.Tab>
              <Tabs.Tab value="link" disabled={busy}>
                {texts.link.title}
              </Tabs.Tab>
              <Tabs.Tab value="embed" disabled={busy}>
                {texts.embed.title}
              </Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="picture">
              <PicturePart subject={subject} />
            </Tabs.Panel>
            <Tabs.Panel value="film">
              <FilmPart subject={subject} onBusy={setBusy} />
            </Tabs.Panel>
            <Tabs.Panel value="link">
              <LinkPart />
            </Tabs.Panel>
            <Tabs.Panel value="embed">
              <EmbedPart embed={subject.embed} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Dialog>
    </MantineRoot>
  )
}
