import { FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { PrimaryButton } from './Button.tsx'
import classes from './FileDrop.module.css'
import { SendingFile } from './SendingFile.tsx'
import type { Sending } from './useSending.ts'

interface Props {
  /** Endings of names, as `.inp,.zip`. */
  accept: string
  texts: { drop: string; dropHere: string; choose: string; limits: string }
  onFiles: (files: readonly File[]) => void
  /** In the place of the invitation while a file is on its way. */
  sending: Pick<Sending<unknown>, 'now' | 'cancel'>
  testId: string
  isSmall?: boolean
}

/** A place to drop files, with a button that does the same. */
export function FileDrop({ accept, texts, onFiles, sending, testId, isSmall = false }: Props) {
  const [over, setOver] = useState(false)
  const onDrag = (event: DragEvent, inside: boolean) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(inside)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    <div
      className={classes.root}
      data-over={over || undefined}
      data-small={isSmall || undefined}
      data-testid={testId}
      aria-busy={sending.now !== null}
      onDragEnter={(event) => onDrag(event, true)}
      onDragOver={(event) => onDrag(event, true)}
      onDragLeave={(event) => onDrag(event, event.currentTarget.contains(event.relatedTarget as Node | null))}
      onDrop={(event) => {
        onDrag(event, false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {!isSmall && <IconUpload size={28} stroke={1.5} aria-hidden />}
      {sending.now ? (
        <SendingFile {...sending} />
      ) : (
        <>
          <p>{over ? texts.dropHere : texts.drop}</p>
          <FileButton accept={accept} multiple onChange={onFiles}>
            {(props) => <PrimaryButton {...props}>{texts.choose}</PrimaryButton>}
          </FileButton>
          <small>{texts.limits}</small>
        </>
      )}
    </div>
  )
}
