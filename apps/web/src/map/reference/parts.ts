import { create } from 'zustand'
import { REFERENCE_PARTS, type ReferenceParts } from './ReferenceOverlay.ts'

const KEY = 'radx-reference'

function stored(): ReferenceParts {
  const parts = Object.fromEntries(REFERENCE_PARTS.map((part) => [part, true])) as ReferenceParts
  try {
    const hidden: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    if (Array.isArray(hidden)) for (const part of REFERENCE_PARTS) parts[part] = !hidden.includes(part)
  } catch {
    // Storage closed or unreadable: everything is shown.
  }
  return parts
}

/** Which marks of the own reference layer are drawn; those turned off are kept in this browser. */
export const useReferenceParts = create<ReferenceParts>()(stored)

useReferenceParts.subscribe((parts) => {
  try {
    localStorage.setItem(KEY, JSON.stringify(REFERENCE_PARTS.filter((part) => !parts[part])))
  } catch {
    // The choice holds for this visit.
  }
})
