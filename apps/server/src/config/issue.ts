import { z } from 'zod'

// Everything a person reads is French; zod brings its own wording.
z.config(z.locales.fr())

/** A zod issue as a person reads it: the field's path such as `products[0].bounds.ul`, and a French text. */
export function describeIssue(issue: z.core.$ZodIssue): { field: string; message: string } {
  return { field: fieldName(issue.path), message: issue.message }
}

/** `['products', 0, 'steps']` is `products[0].steps`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) =>
      /^\d+$/.test(String(part)) ? `[${String(part)}]` : `${i === 0 ? '' : '.'}${String(part)}`,
    )
    .join('')
}
