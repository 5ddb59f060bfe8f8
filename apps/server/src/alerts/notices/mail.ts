import { setTimeout as sleep } from 'node:timers/promises'
import { PostFailed } from '../../http/outbound/post.ts'

const TIMEOUT_MS = 15_000
/** A server that answers each step slowly is left after so long; a lease is longer. */
const WHOLE_MS = 60_000

interface Mail {
  /** The same mail sent twice has the same. */
  id: string
  to: string
  subject: string
  text: string
  isUrgent?: boolean
}

/** Sends a mail over the server of the settings. @throws PostFailed */
export async function sendMail(
  { smtpUrl, from }: { smtpUrl: string | null; from: string },
  { id, to, subject, text, isUrgent = false }: Mail,
): Promise<void> {
  if (smtpUrl === null) throw new PostFailed('Aucun serveur de courriel n’est réglé (SMTP_URL)')
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: smtpUrl,
    ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
    ...{ dnsTimeout: TIMEOUT_MS, disableFileAccess: true, disableUrlAccess: true },
  })
  const late = new AbortController()
  try {
    const sending = transport.sendMail({
      ...{ from, to, text },
      subject: subject.replace(/[\r\n]+/g, ' '),
      messageId: `<${id}@${from.split('@').at(-1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated', ...(isUrgent && { Importance: 'high' }) },
    })
    const waiting = sleep(WHOLE_MS, undefined, { signal: late.signal }).then(() => {
      throw new PostFailed(`Serveur de courriel trop lent (plus de ${WHOLE_MS / 1000}\u00a0s)`)
    })
    await Promise.race([sending, waiting])
  } catch (error) {
    if (error instanceof PostFailed) throw error
    const { code, responseCode, message } = error as Error & { code?: string; responseCode?: number }
    // An address that the server does not know stays unknown; a password may be mended.
    const isFinal = code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 550
    throw new PostFailed(
      responseCode === undefined ? `Serveur de courriel pas joignable (${code ?? message})` : message,
      {
        isFinal,
      },
    )
  } finally {
    late.abort()
    transport.close()
  }
}
