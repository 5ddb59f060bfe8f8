export type PlayerCommand = 'toggle' | 'previous' | 'next'

const COMMANDS: Record<string, PlayerCommand> = { z: 'toggle', q: 'previous', d: 'next' }

interface KeyPress {
  key: string
  ctrlKey?: boolean
  metaKey?: boolean
  altKey?: boolean
  /** Whether the key goes into a field. */
  typing: boolean
}

/** What a key asks of the player, in either case; null while typing and for anything else. */
export function playerCommand({ key, ctrlKey, metaKey, altKey, typing }: KeyPress): PlayerCommand | null {
  if (typing || ctrlKey || metaKey || altKey) return null
  return COMMANDS[key.toLowerCase()] ?? null
}

/** Whether keys pressed on this element are text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true
  return target instanceof HTMLInputElement && !['range', 'checkbox', 'radio', 'button'].includes(target.type)
}
