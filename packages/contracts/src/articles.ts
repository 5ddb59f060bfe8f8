import { z } from 'zod'
import { gridText, list } from './bounds.ts'

/** Longest home message in characters of HTML, as sent by the editor. */
export const HOME_MESSAGE_MAX = 50_000

/** `PUT /api/article/home-message`; `main` is HTML, cleaned by the server before it is stored. */
export const homeMessageBodySchema = z.object({
  main: z.string().max(HOME_MESSAGE_MAX),
  isPublished: z.boolean(),
})
export type HomeMessage = z.infer<typeof homeMessageBodySchema>

/** `GET /api/admin/article/home-message`: only the first item counts; empty before the first save. */
export const adminHomeMessageSchema = list(homeMessageBodySchema)

/** `GET /api/article/home-message`: only the first item counts; empty when nothing is published. */
export const publicHomeMessageSchema = list(z.object({ main: gridText() }))
export type PublicHomeMessage = z.infer<typeof publicHomeMessageSchema>
