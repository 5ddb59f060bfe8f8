import { Button, Group } from '@mantine/core'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useSite } from '../../../app/site.ts'
import { formTexts } from '../../../texts/simulation.ts'
import { Message } from '../../../ui/Message.tsx'
import type { Draft } from './drafts.ts'

const texts = formTexts.draft

interface Props {
  draft: Draft
  onTake: () => void
  onDiscard: () => void
}

/** A form that was left before it was sent. */
export function DraftOffer({ draft, onTake, onDiscard }: Props) {
  const { timeZone } = useSite()
  const title = draft.state.title.trim()
  const cells = (draft.state.unsaved ?? draft.state.luseUpdates).length
  return (
    <Message kind="nfo">
      {texts.kept(title, formatDateTimeFr(new Date(draft.savedAt).toISOString(), timeZone), cells)}
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" onClick={onTake}>
          {texts.take}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onDiscard}>
          {texts.discard}
        </Button>
      </Group>
    </Message>
  )
}
