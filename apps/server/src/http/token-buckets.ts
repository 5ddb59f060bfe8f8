/** What a caller may do at once, and how fast that comes back. */
export interface Rate {
  burst: number
  perSecond: number
}

interface Bucket {
  tokens: number
  atMs: number
}

/** Callers that are remembered; the one longest unseen is forgotten first. */
const CALLERS = 50_000

/** Token buckets a caller, in memory: for what is refused before anything else is asked. */
export class TokenBuckets {
  private readonly rate: Rate
  private readonly callers: number
  private readonly buckets = new Map<string, Bucket>()

  constructor(rate: Rate, callers = CALLERS) {
    this.rate = rate
    this.callers = callers
  }

  /** @returns whether the caller had a token left, which is taken */
  take(caller: string, nowMs: number): boolean {
    const bucket = this.filled(caller, nowMs)
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }

  /** Tokens that the caller lacks of its burst. */
  spent(caller: string, nowMs: number): number {
    return this.rate.burst - this.filled(caller, nowMs).tokens
  }

  /** Whole seconds until the caller has a token again. */
  waitSeconds(caller: string, nowMs: number): number {
    return Math.max(1, Math.ceil((1 - this.filled(caller, nowMs).tokens) / this.rate.perSecond))
  }

  /** The caller's bucket as it is now. */
  private filled(caller: string, nowMs: number): Bucket {
    const { burst, perSecond } = this.rate
    const known = this.buckets.get(caller) ?? { tokens: burst, atMs: nowMs }
    // A clock that was set back gives nothing and takes nothing.
    const gained = (Math.max(0, nowMs - known.atMs) / 1000) * perSecond
    known.tokens = Math.min(burst, known.tokens + gained)
    known.atMs = nowMs
    this.buckets.delete(caller)
    this.buckets.set(caller, known)
    if (this.buckets.size > this.callers) this.buckets.delete(this.buckets.keys().next().value as string)
    return known
  }
}
