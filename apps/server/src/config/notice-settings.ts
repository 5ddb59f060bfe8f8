import { z } from 'zod'
import { isNetwork } from '../http/outbound/addresses.ts'

/** How notices of alerts leave the server. */
export interface NoticeSettings {
  /** Mail server, `smtp://` or `smtps://`; null sends no mail. Holds a password: never log it. */
  smtpUrl: string | null
  /** Sender of mails. */
  from: string
  /** Networks that webhooks and push services may lie in though they are private, and without TLS. */
  allowed: readonly string[]
  /** From which the keys of notices are made, 32 bytes; null takes the data folder's. */
  key: Buffer | null
  /** A webhook answers within this, or the try has failed. */
  webhookTimeoutMs: number
}

/** Their variables. */
export const NOTICE_VARIABLES = {
  SMTP_URL: z
    .string()
    .regex(
      /^smtps?:\/\/[^\s/]+\/?(\?\S*)?$/,
      'une adresse smtp(s)://utilisateur:motdepasse@machine:port est attendue',
    )
    .refine((text) => URL.canParse(text), 'une adresse smtp(s)://… est attendue')
    .optional(),
  SMTP_FROM: z
    .string()
    .max(254)
    .regex(/^[^\s<>@]+@[^\s<>@]+$/, 'une adresse nom@domaine est attendue')
    .optional(),
  NOTICE_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'une clé de 32 octets en base64 est attendue')
    .optional(),
  OUTBOUND_ALLOW: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine(
      (networks) => networks.every(isNetwork),
      'des adresses ou réseaux séparés par des virgules (10.1.0.0/16) sont attendus',
    )
    .optional(),
}

export const noticeSettingsOf = (e: {
  SMTP_URL?: string
  SMTP_FROM?: string
  OUTBOUND_ALLOW?: string[]
  NOTICE_KEY?: string
}): NoticeSettings => ({
  smtpUrl: e.SMTP_URL ?? null,
  from: e.SMTP_FROM ?? 'radx@localhost',
  allowed: e.OUTBOUND_ALLOW ?? [],
  key: e.NOTICE_KEY === undefined ? null : Buffer.from(e.NOTICE_KEY, 'base64'),
  webhookTimeoutMs: 10_000,
})
