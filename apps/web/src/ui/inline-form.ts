import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'

const FIELDS =
  '[data-autofocus], input:not([disabled]), select:not([disabled]), textarea, button:not([disabled])'

/**
 * The focus of a form that opens within the page, in the place of the button that opened it or beside it: it goes to the
 * form's first field (or to what has `data-autofocus`), and back when the form closes, unless it has gone elsewhere by then.
 * Where the opener has gone meanwhile, the root takes it.
 * @param open which form is open, as `data-form` names it; null for none. Of several in turn the first one's opener
 * (`data-opens`) gets the focus back; when the one before comes back, the button in it that opened the other has it
 * @returns for the element that has the openers and the forms in it
 */
export function useInlineForm<T extends HTMLElement>(open: string | null): RefObject<T | null> {
  const root = useRef<T>(null)
  const first = useRef<string | null>(null)
  const last = useRef<string | null>(null)
  useEffect(() => {
    const at = root.current
    if (!at) return
    const closed = last.current
    last.current = open
    const openerIn = (place: Element | null, form: string | null) =>
      place?.querySelector<HTMLElement>(`[data-opens="${CSS.escape(form ?? '')}"]:not([disabled])`) ?? null
    if (open !== null) {
      first.current ??= open
      const form = at.querySelector(`[data-form="${CSS.escape(open)}"]`)
      const chosen = form?.querySelector<HTMLElement>('[data-autofocus]')
      ;(openerIn(form, closed) ?? chosen ?? form?.querySelector<HTMLElement>(FIELDS))?.focus()
      return
    }
    if (first.current === null) return
    const opener = openerIn(at, first.current)
    first.current = null
    if (document.activeElement !== null && document.activeElement !== document.body) return
    if (opener === null) at.tabIndex = -1
    ;(opener ?? at).focus()
  }, [open])
  return root
}

/** Whether the key pressed last within a question was Tab: the focus then leaves by it, not by a click. */
let byTab = false

/**
 * For the element of a question that has buttons and nothing to type: Escape takes it back, and so does Tab out of it. A
 * click beside it does not, since what was clicked would move under the pointer.
 */
export function questionKeys(leave: () => void) {
  const onKey = onEscape(leave)
  return {
    onKeyDown: (event: KeyboardEvent) => {
      byTab = event.key === 'Tab'
      onKey(event)
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      // Only once the focus has arrived: until then nothing has it, and it would be given back.
      if (byTab && relatedTarget !== null && !currentTarget.contains(relatedTarget)) setTimeout(leave)
      byTab = false
    },
  }
}

/** Escape leaves the innermost form. */
export const onEscape =
  (leave: () => void) =>
  (event: { key: string; stopPropagation: () => void; defaultPrevented: boolean }): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    leave()
  }
