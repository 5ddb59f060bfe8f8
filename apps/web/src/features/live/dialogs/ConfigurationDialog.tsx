import { Stack, Switch } from '@mantine/core'
import { useReferenceParts } from '../../../map/reference/parts.ts'
import { REFERENCE_PARTS } from '../../../map/reference/ReferenceOverlay.ts'
import { columnTexts } from '../../../texts/live-column.ts'
import { AppModal } from '../../../ui/AppModal.tsx'

const texts = columnTexts.configuration

/** What a signed-in user sets for the map; kept in this browser. */
export default function ConfigurationDialog() {
  const parts = useReferenceParts()
  return (
    <AppModal type="user" title={texts.title} size="sm">
      <Stack gap="sm" role="group" aria-label={texts.reference}>
        {REFERENCE_PARTS.map((part) => (
          <Switch
            key={part}
            label={texts[part]}
            checked={parts[part]}
            onChange={(event) => useReferenceParts.setState({ [part]: event.currentTarget.checked })}
          />
        ))}
      </Stack>
    </AppModal>
  )
}
