import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { download } from '../../../app/api/download.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { simulationTexts as texts } from '../../../texts/simulation.ts'
import classes from './DownloadButton.module.css'

interface Props {
  path: string
  filename: string
  label?: string
  /** For assistive technology, where the label alone does not tell the files apart. */
  describe?: string
}

/** Fetches a file; a failure takes the place of the button. */
export function DownloadButton({ path, filename, label = texts.download, describe }: Props) {
  const fetching = useMutation({ mutationFn: () => download(path, filename) })
  if (fetching.isError)
    return (
      <span className={classes.error} role="alert">
        {genericErrorText(fetching.error)}
      </span>
    )
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={describe}
      leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
      loading={fetching.isPending}
      onClick={() => fetching.mutate()}
    >
      {label}
    </Button>
  )
}
