// What is used of two libraries, one of which brings no types. They load when the first notice goes out.

declare module 'web-push' {
  const webPush: {
    generateRequestDetails(
      subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
      payload: string,
      options: {
        vapidDetails: { subject: string; publicKey: string; privateKey: string }
        TTL: number
        urgency: 'low' | 'normal' | 'high'
        topic: string
      },
    ): { endpoint: string; headers: Record<string, string | number>; body: Buffer }
  }
  export default webPush
}

declare module 'nodemailer' {
  export function createTransport(options: Record<string, unknown>): {
    sendMail(mail: {
      from: string
      to: string
      subject: string
      text: string
      messageId?: string
      headers?: Record<string, string>
    }): Promise<unknown>
    close(): void
  }
}
