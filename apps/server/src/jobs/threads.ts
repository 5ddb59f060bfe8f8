import { Worker } from 'node:worker_threads'
import type { JobKind } from './kind.ts'
import type { ThreadData } from './thread.ts'

interface Idle {
  thread: Worker
  timer: NodeJS.Timeout
}

/** Takes off whoever listens, by name: Worker itself listens for listeners, and would hear nothing more without. */
function forget(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event)
}

/** Threads for tries of jobs. One of a kind that stays (`staysSeconds`) waits for the next job of its kind for that long. */
export class JobThreads {
  private readonly kindsModule: string
  private readonly idle = new Map<string, Idle[]>()
  private isClosed = false

  constructor(kindsModule: string) {
    this.kindsModule = kindsModule
  }

  /** A thread that waits for a try of this kind, the one that worked last first. */
  take(kind: JobKind): Worker {
    const found = this.idle.get(kind.name)?.pop()
    if (!found) return this.start(kind)
    clearTimeout(found.timer)
    forget(found.thread)
    found.thread.ref()
    return found.thread
  }

  /** @param isWhole whether its last try ended by itself: another one may follow then */
  async give(kind: JobKind, thread: Worker, isWhole: boolean): Promise<void> {
    forget(thread)
    // Whatever is still said is nobody's.
    for (const event of ['message', 'error']) thread.on(event, () => undefined)
    if (!isWhole || kind.staysSeconds === undefined || this.isClosed) {
      await thread.terminate()
      return
    }
    const own = this.idle.get(kind.name) ?? []
    this.idle.set(kind.name, own)
    const leave = () => {
      const at = own.indexOf(entry)
      if (at < 0) return
      own.splice(at, 1)
      clearTimeout(entry.timer)
      void thread.terminate()
    }
    const entry: Idle = { thread, timer: setTimeout(leave, kind.staysSeconds * 1_000) }
    // Neither keeps the program.
    entry.timer.unref()
    thread.unref()
    thread.once('exit', leave)
    own.push(entry)
  }

  /** Ends those that wait; none waits any more. */
  async close(): Promise<void> {
    this.isClosed = true
    const all = [...this.idle.values()].flat()
    this.idle.clear()
    for (const { timer } of all) clearTimeout(timer)
    await Promise.all(all.map(({ thread }) => thread.terminate()))
  }

  private start(kind: JobKind): Worker {
    return new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { kindsModule: this.kindsModule, kind: kind.name } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: kind.memoryMb },
    })
  }
}
