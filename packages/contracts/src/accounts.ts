import { z } from 'zod'
import { gridText, list, shortText } from './bounds.ts'
import { LOGIN_MIN } from './constants.ts'
import { instantSchema } from './radar.ts'

/** The one role that the specification names. */
export const ROLE_MANAGER = 'manager'
/** May bring and build catchments of its own, which managers may anyway. */
export const ROLE_CATCHMENTS = 'catchments'
export const ROLES = [ROLE_MANAGER, ROLE_CATCHMENTS] as const

export const USERNAME_MAX = 64
export const PASSWORD_MAX = 512
/** Shortest password that a new account may have; the login form asks for LOGIN_MIN only. */
export const NEW_PASSWORD_MIN = 8

/** Period that an account may see, [start, end): null leaves that side open. */
export const restrictionSchema = z.object({
  start: instantSchema.nullable(),
  end: instantSchema.nullable(),
})
export type Restriction = z.infer<typeof restrictionSchema>

/** `POST /api/users/login` */
export const loginBodySchema = z.object({
  username: z.string().min(LOGIN_MIN).max(USERNAME_MAX),
  password: z.string().min(LOGIN_MIN).max(PASSWORD_MAX),
  /** What an earlier login at this browser answered as `device`. */
  device: z.string().max(100).optional(),
  /** Of an account with a second factor: a one-time code or a recovery code. */
  code: z.string().max(40).optional(),
})
export type LoginBody = z.infer<typeof loginBodySchema>

/** A layer that belongs to the account; its content comes from `GET /api/shapefile/{name}`. */
export const userShapefileSchema = z.object({ name: shortText(), color: shortText() })
export type UserShapefile = z.infer<typeof userShapefileSchema>

/** How an account's CSV files are written: `;` and decimal comma, or `,` and decimal point. */
export const csvDialectSchema = z.enum(['semicolon', 'comma'])
export type CsvDialectName = z.infer<typeof csvDialectSchema>
/** `PUT /api/users/csv` (ours), and its answer. */
export const csvSettingSchema = z.object({ csv: csvDialectSchema })

export const loginAnswerSchema = z.object({
  name: shortText(),
  token: shortText(),
  /** Milliseconds until the token expires. */
  expiresIn: z.int().positive(),
  /** For the browser to keep and show at its next login: strangers who fail then do not lock it out. */
  device: shortText(),
  roles: list(shortText()),
  /** A `data:` address of a small picture. */
  avatar: gridText().nullable(),
  restriction: restrictionSchema,
  shapefiles: list(userShapefileSchema),
  csv: csvDialectSchema.default('semicolon'),
})
export type LoginAnswer = z.infer<typeof loginAnswerSchema>

/** `POST /api/users/logout` (ours): the token is worth nothing from here on. */
export const logoutAnswerSchema = z.object({ loggedOut: z.literal(true) })
