import { z } from 'zod'
import { longText, shortText } from './bounds.ts'

/** How a short link is called: what stands behind `/l/`. */
export const LINK_NAME = /^[a-z0-9](?:[a-z0-9-]{1,38}[a-z0-9])$/
export const LINK_NAME_MAX = 40
/** Longest path that a link leads to, characters. */
export const LINK_PATH_MAX = 2_000
/** Links of an account. */
export const LINKS_MAX = 200
export const LINK_DAYS_DEFAULT = 180
export const LINK_DAYS_MAX = 730

/** `POST /api/links` (ours): a short name for an address of this site. */
export const linkBodySchema = z.object({
  /** Path with query and fragment, of a screen of this site. */
  path: z.string().min(1).max(LINK_PATH_MAX),
  /** Left out, it is drawn by lot. */
  name: z
    .string()
    .max(LINK_NAME_MAX)
    .regex(
      LINK_NAME,
      'un nom de lien a 3 à 40 lettres minuscules sans accent, chiffres ou tirets, sans tiret au bord',
    )
    .optional(),
  days: z.int().min(1).max(LINK_DAYS_MAX).default(LINK_DAYS_DEFAULT),
})
export type LinkBody = z.input<typeof linkBodySchema>

export const shortLinkSchema = z.object({
  name: shortText(),
  path: longText(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type ShortLink = z.infer<typeof shortLinkSchema>

/** `GET /api/links` (ours): one's own, the newest first. */
export const shortLinksSchema = z.object({ links: z.array(shortLinkSchema).max(LINKS_MAX) })
export type ShortLinks = z.infer<typeof shortLinksSchema>

/** `DELETE /api/links/:name` (ours). */
export const removedLinkSchema = z.object({ removed: z.boolean() })
