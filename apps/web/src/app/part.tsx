import {
  Component,
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { errorTexts, shellTexts, partTexts as texts } from '../texts/shell.ts'
import { errorView } from './api/errors.ts'
import { useOnline } from './online.ts'
import classes from './part.module.css'

/** Nothing is asked for without a network: browsers remember for good that a script did not come. */
const OFFLINE = 'module script failed: no network'
/** A server that takes the call and never answers counts as silent after this, ms; extras wait 20 s before they ask. */
const SILENT_MS = 45_000
const SILENT = 'module script failed: no answer'
/** How often a part that did not come is asked for again, ms. */
const RETRY_MS = 10_000
const PROBE_MS = 8_000

/**
 * Where a part says that it is missing: in its own place; over the lower edge of the window for what has no place, such
 * as a dialog; nowhere for what nobody asked for. A screen leaves what failed inside it to the error page.
 */
type Say = 'here' | 'floating' | 'nothing' | 'screen'

/**
 * A component that comes when it is first shown. One that does not come, or fails, leaves the rest of the page as it
 * is: it says so in its place and is asked for again, by itself once the network is back. To be shown below a Suspense.
 */
// biome-ignore lint/suspicious/noExplicitAny: as React's own `lazy` has it
export function part<T extends ComponentType<any>>(
  load: () => Promise<{ default: T }>,
  say: Say = 'here',
): ComponentType<ComponentProps<T>> {
  const ask = () =>
    // Behind the service worker scripts come without a network as well.
    navigator.onLine || navigator.serviceWorker?.controller
      ? inTime(load())
      : Promise.reject(new TypeError(OFFLINE))
  const held = { load: ask, Content: lazy(ask) } as unknown as Held
  return (props) => <Part held={held} say={say} props={props} />
}

/** @throws TypeError when it has not come in time */
async function inTime<T>(coming: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new TypeError(SILENT)), SILENT_MS)
  })
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}

interface Held {
  load: () => Promise<{ default: ComponentType<object> }>
  /** Of the last try: what has failed once stays so. */
  Content: ComponentType<object>
}

function Part({ held, say, props }: { held: Held; say: Say; props: object }) {
  const [attempt, setAttempt] = useState(0)
  const [old, setOld] = useState(false)
  const retry = (answered: boolean) => {
    held.Content = lazy(held.load)
    setOld(answered)
    setAttempt((n) => n + 1)
  }
  const { Content } = held
  return (
    <PartBoundary
      key={attempt}
      scriptOnly={say === 'screen'}
      fallback={(error) => <Missing error={error} say={say} old={old} onRetry={retry} />}
    >
      <Content {...props} />
    </PartBoundary>
  )
}

interface BoundaryProps {
  children: ReactNode
  fallback: (error: unknown) => ReactNode
  /** Everything but a script that did not come is thrown on. */
  scriptOnly: boolean
}

class PartBoundary extends Component<BoundaryProps, { failed: boolean; error: unknown }> {
  override state = { failed: false, error: null as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { failed: true, error }
  }

  override render() {
    const { failed, error } = this.state
    if (!failed) return this.props.children
    if (this.props.scriptOnly && !errorView(error).isScript) throw error
    return this.props.fallback(error)
  }
}

interface MissingProps {
  error: unknown
  say: Say
  /** It did not come although the server answered: the script is one of an older version. */
  old: boolean
  onRetry: (answered: boolean) => void
}

/** Of many parts that wait for the network one says so; the others keep their places. */
let told = false

function Missing({ error, say, old, onRetry }: MissingProps) {
  const online = useOnline()
  const { isScript, message } = errorView(error)
  const retry = useRef(onRetry)
  retry.current = onRetry
  // What is still on its way is no script of an older version.
  const silent = error instanceof Error && error.message === SILENT
  const waits = isScript && online && (!old || silent)

  useEffect(() => {
    if (!waits) return
    const leave = new AbortController()
    const probe = async () => {
      if ((await serverAnswers(leave.signal)) && !leave.signal.aborted) retry.current(true)
    }
    void probe()
    const timer = setInterval(() => void probe(), RETRY_MS)
    return () => {
      leave.abort()
      clearInterval(timer)
    }
  }, [waits])

  const outdated = isScript && online && old && !silent
  // Browsers remember that a script did not come, also once the server that was away is back.
  const [there, setThere] = useState(false)
  useEffect(() => {
    const script = outdated && /\S+\.(js|css)$/.exec(String(error))?.[0]
    if (script) fetch(script, { method: 'HEAD' }).then(({ ok }) => setThere(ok), Boolean)
  }, [outdated, error])

  const [quiet, setQuiet] = useState(false)
  const waitsHere = isScript && !online && say === 'here'
  useLayoutEffect(() => {
    setQuiet(waitsHere && told)
    if (!waitsHere || told) return
    told = true
    return () => {
      told = false
    }
  }, [waitsHere])

  if (say === 'nothing') return null
  if (quiet) return <p className={classes.quiet}>{texts.waits}</p>
  const text = !isScript
    ? message
    : !online
      ? texts.offline
      : outdated
        ? there
          ? texts.back
          : errorTexts.defaultMessage
        : texts.silent
  return (
    <div className={classes.root} data-say={say} role="alert">
      <p>{text}</p>
      <button type="button" onClick={outdated ? () => window.location.reload() : () => onRetry(false)}>
        {outdated ? shellTexts.reload : shellTexts.retry}
      </button>
    </div>
  )
}

async function serverAnswers(signal: AbortSignal): Promise<boolean> {
  try {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)])
    return (await fetch('/healthz', { cache: 'no-store', signal: inTime })).status < 500
  } catch {
    return false
  }
}
