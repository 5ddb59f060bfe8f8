import type { Selectable } from 'kysely'

interface TotpTable {
  account_id: string
  /** As `Seeds` keeps it. */
  secret: Buffer
  /** Null until a first code was given. */
  confirmed_at: Date | null
  /** The newest time step whose code was taken. */
  last_step: number
}

interface RecoveryCodeTable {
  account_id: string
  /** 0 to 9: the code begins with it, so that one hash is compared and not ten. */
  number: number
  hash: string
  used_at: Date | null
}

interface PasskeyTable {
  /** Of the credential, base64url. */
  id: string
  account_id: string
  /** COSE. */
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

interface PasskeyChallengeTable {
  /** One that was used. */
  challenge: string
  expires_at: Date
}

declare module '../../db/schema.ts' {
  interface Database {
    totp: TotpTable
    recovery_code: RecoveryCodeTable
    passkey: PasskeyTable
    passkey_challenge: PasskeyChallengeTable
  }
}

export type PasskeyRow = Selectable<PasskeyTable>
