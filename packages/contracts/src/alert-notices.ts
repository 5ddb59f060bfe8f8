import { z } from 'zod'
import { list, shortText } from './bounds.ts'
import { instantSchema } from './radar.ts'

/** Ways in which a person is told of an alert beside the page. */
export const NOTICE_CHANNELS = ['email', 'push', 'webhook'] as const
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number]

const clock = () => z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'une heure HH:MM est attendue')

/** Hours, on the site's clocks, in which only critical alerts are told; from after to: over midnight. */
export const quietSchema = z
  .object({ from: clock(), to: clock() })
  .refine(({ from, to }) => from !== to, { error: 'les deux heures doivent différer' })
export type Quiet = z.infer<typeof quietSchema>

/** Who is told of a rule's alerts beside its owner's pages: the owner, and for managers webhooks. */
export const notifySchema = z.object({
  email: z.boolean(),
  push: z.boolean(),
  webhooks: z.array(z.uuid()).max(10),
})
export type Notify = z.infer<typeof notifySchema>
export const NOTIFY_NOBODY: Notify = { email: false, push: false, webhooks: [] }

/** A browser that hears of alerts while no page is open. */
export const pushDeviceSchema = z.object({
  id: z.uuid(),
  label: shortText(),
  created: instantSchema,
})

/** `GET /api/alerts/person`: how the account is told. */
export const alertPersonSchema = z.object({
  email: z.string().max(254).nullable(),
  /** Only a confirmed address gets notices. */
  confirmed: z.boolean(),
  quiet: quietSchema.nullable(),
  /** An account that many share is told in the page only. */
  shared: z.boolean(),
  /** The server knows a mail server. */
  hasMail: z.boolean(),
  /** Key that browsers subscribe with (VAPID), base64url. */
  pushKey: z.string().max(200),
  devices: list(pushDeviceSchema),
  /** Webhooks that a rule may name; none but for managers. */
  webhooks: list(z.object({ id: z.uuid(), name: shortText() })),
})
export type AlertPerson = z.infer<typeof alertPersonSchema>

/** `PUT /api/alerts/person`. Another address is sent a code. */
export const alertPersonBodySchema = z.object({
  email: z.email().max(254).nullable(),
  quiet: quietSchema.nullable(),
})
export type AlertPersonBody = z.infer<typeof alertPersonBodySchema>

/** `POST /api/alerts/person/confirm` */
export const emailCodeSchema = z.object({ code: z.string().regex(/^\d{6}$/) })

const base64url = (max: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+={0,2}$/)
    .max(max)

/** `POST /api/alerts/push`: a subscription as the browser gives it. */
export const pushBodySchema = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(1_000),
  keys: z.object({ p256dh: base64url(100), auth: base64url(40) }),
})
export type PushBody = z.infer<typeof pushBodySchema>

/** `POST /api/alerts/webhooks` */
export const webhookBodySchema = z.object({
  name: z.string().trim().min(1).max(100),
  url: z.url({ protocol: /^https?$/ }).max(1_000),
})
export type WebhookBody = z.infer<typeof webhookBodySchema>

export const webhookSchema = z.object({
  ...webhookBodySchema.shape,
  id: z.uuid(),
  by: shortText(),
  created: instantSchema,
  lastSent: instantSchema.nullable(),
  /** Why the last notice did not arrive; null when it did. */
  lastError: shortText().nullable(),
})
export type Webhook = z.infer<typeof webhookSchema>
/** The answer to a new one alone has the key that its calls are signed with. */
export const newWebhookSchema = z.object({ ...webhookSchema.shape, secret: z.string().max(100) })
export type NewWebhook = z.infer<typeof newWebhookSchema>

/** `POST /api/alerts/webhooks/{id}/test`: what came of a call that says it is a test. */
export const webhookTestSchema = z.object({ ok: z.boolean(), error: shortText().nullable() })
export type WebhookTest = z.infer<typeof webhookTestSchema>

/** `GET /api/admin/notices`: how notices go out, by way. */
export const adminNoticesSchema = z.object({
  now: instantSchema,
  hasMail: z.boolean(),
  channels: list(
    z.object({
      channel: z.enum(NOTICE_CHANNELS),
      waiting: z.int(),
      /** Of those that wait, how many failed at least once. */
      retried: z.int(),
      held: z.int(),
      /** Of the last day. */
      sent: z.int(),
      failed: z.int(),
      oldest: instantSchema.nullable(),
      lastSent: instantSchema.nullable(),
      lastError: shortText().nullable(),
      lastErrorAt: instantSchema.nullable(),
    }),
  ),
})
export type AdminNotices = z.infer<typeof adminNoticesSchema>
