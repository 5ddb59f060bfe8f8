import { RadxError } from '@radx/contracts'

/** The line is full, or the caller's part of it. */
export class Busy extends RadxError {
  override readonly name = 'Busy'
  constructor() {
    super(
      'request.busy',
      429,
      'Trop de calculs sont demandés à la fois. Attendre la fin des précédents, puis réessayer.',
    )
  }
}

export interface QueueLimits {
  /** Works that run at once, of everyone and of one user. */
  running: number
  runningOfUser: number
  /** Works that wait, of everyone and of one user. */
  waiting: number
  waitingOfUser: number
}

interface Work {
  key: string
  start(): Promise<unknown>
  /** Who waits for it, a user once for each time that he asked. */
  users: string[]
  state: 'waiting' | 'running' | 'dropped'
  result: Promise<unknown>
  settle: { resolve(value: unknown): void; reject(error: unknown): void }
}

/**
 * Lets work begin a few at a time, the users in turn: who asks for much waits behind himself, not others
 * behind him. What is asked for again while it waits or runs is done once, for all who asked.
 */
export class FairQueue {
  private readonly limits: QueueLimits
  private readonly works = new Map<string, Work>()
  /** What each user waits for, the user who is next first. */
  private readonly lines = new Map<string, Work[]>()
  private readonly running = new Map<string, number>()
  private runningTotal = 0
  private waitingTotal = 0

  constructor(limits: QueueLimits) {
    this.limits = limits
  }

  /**
   * Runs `start` when it is its turn.
   * @param key the same for works whose results are the same
   * @param gone aborted when the user no longer waits, perhaps already; work that nobody waits for is not begun
   * @throws Busy
   */
  run<T>(user: string, key: string, start: () => Promise<T>, gone?: AbortSignal): Promise<T> {
    // Its signal tells nothing any more, so that the work would stay in line for nobody.
    if (gone?.aborted) return Promise.reject(new Busy())
    const known = this.works.get(key)
    if (known?.state === 'running') return known.result as Promise<T>
    const line = this.lines.get(user) ?? []
    const inLine = known !== undefined && line.includes(known)
    const full = line.length >= this.limits.waitingOfUser
    if (!inLine && (full || (!known && this.waitingTotal >= this.limits.waiting)))
      return Promise.reject(new Busy())
    const work = known ?? this.add(key, start)
    work.users.push(user)
    if (!inLine) this.lines.set(user, [...line, work])
    gone?.addEventListener('abort', () => this.leave(user, work), { once: true })
    this.dispatch()
    return work.result as Promise<T>
  }

  get waiting(): number {
    return this.waitingTotal
  }

  private add(key: string, start: () => Promise<unknown>): Work {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    // Everyone who waits hears of a failure; when nobody does any more, that is no fault.
    promise.catch(() => undefined)
    const work: Work = {
      key,
      start,
      users: [],
      state: 'waiting',
      result: promise,
      settle: { resolve, reject },
    }
    this.works.set(key, work)
    this.waitingTotal++
    return work
  }

  private dispatch(): void {
    while (this.runningTotal < this.limits.running) {
      const next = this.next()
      if (next === null) return
      const [user, [work]] = next
      this.forget(work)
      // Last in turn from now on.
      const line = this.lines.get(user)
      if (line) {
        this.lines.delete(user)
        this.lines.set(user, line)
      }
      void this.begin(user, work)
    }
  }

  /** First user in turn who may have another work running, with his line. */
  private next(): [user: string, line: Work[]] | null {
    for (const entry of this.lines)
      if ((this.running.get(entry[0]) ?? 0) < this.limits.runningOfUser) return entry
    return null
  }

  private async begin(user: string, work: Work): Promise<void> {
    work.state = 'running'
    this.waitingTotal--
    this.runningTotal++
    this.running.set(user, (this.running.get(user) ?? 0) + 1)
    try {
      work.settle.resolve(await work.start())
    } catch (error) {
      work.settle.reject(error)
    } finally {
      this.works.delete(work.key)
      this.runningTotal--
      const left = this.running.get(user)! - 1
      if (left === 0) this.running.delete(user)
      else this.running.set(user, left)
      this.dispatch()
    }
  }

  /** Takes a work out of every line. */
  private forget(work: Work): void {
    for (const user of work.users) this.cut(user, work)
  }

  private cut(user: string, work: Work): void {
    const line = this.lines.get(user)?.filter((other) => other !== work) ?? []
    if (line.length === 0) this.lines.delete(user)
    else this.lines.set(user, line)
  }

  private leave(user: string, work: Work): void {
    if (work.state !== 'waiting') return
    work.users.splice(work.users.indexOf(user), 1)
    if (!work.users.includes(user)) this.cut(user, work)
    if (work.users.length > 0) return
    work.state = 'dropped'
    this.works.delete(work.key)
    this.waitingTotal--
    work.settle.reject(new Busy())
  }
}
