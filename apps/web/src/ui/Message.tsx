import {
  IconAlertTriangle,
  IconBulb,
  IconExclamationCircle,
  IconInfoCircle,
  IconMapPin,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Message.module.css'

/** Message display kinds of the specification. */
export type MessageKind = 'nfo' | 'error' | 'marker' | 'warning' | 'hint'

const ICONS = {
  nfo: IconInfoCircle,
  error: IconExclamationCircle,
  marker: IconMapPin,
  warning: IconAlertTriangle,
  hint: IconBulb,
} as const

interface Props {
  kind: MessageKind
  children: ReactNode
  /** What the reader can do about it, e.g. a retry button. */
  action?: ReactNode
}

export function Message({ kind, children, action }: Props) {
  const Icon = ICONS[kind]
  return (
    <div className={classes.root} data-kind={kind} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon size={18} stroke={1.75} aria-hidden className={classes.icon} />
      <div className={classes.text}>{children}</div>
      {action}
    </div>
  )
}
