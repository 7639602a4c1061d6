import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

/** What hangs is not waited for any longer, milliseconds since what all is made of has come. */
const LONGEST_MS = 4_000

const Change = createContext<(by: 1 | -1) => void>(() => undefined)
const Over = createContext(true)

interface HoldingProps {
  /** What all of it is made of has not come. */
  busy?: boolean
  children: ReactNode
}

/**
 * A screen whose upper parts come by themselves: whatever stands in `Held` is shown when all of them are there, so that
 * nothing moves under the eye. It happens once, when the screen opens.
 */
export function Holding({ busy = false, children }: HoldingProps) {
  const held = useRef(0)
  const [over, setOver] = useState(false)
  const [, redraw] = useState(0)
  const change = useCallback((by: 1 | -1) => {
    held.current += by
    redraw((turn) => turn + 1)
  }, [])
  // Before anything is drawn: where nothing is waited for, nothing flickers.
  useLayoutEffect(() => {
    if (!busy && held.current === 0) setOver(true)
  })
  useEffect(() => {
    if (busy) return
    const timer = setTimeout(() => setOver(true), LONGEST_MS)
    return () => clearTimeout(timer)
  }, [busy])
  return (
    <Change.Provider value={change}>
      <Over.Provider value={over}>{children}</Over.Provider>
    </Change.Provider>
  )
}

/** The part of the screen that waits: it is made at once, so that it reads what it needs meanwhile. */
export function Held({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const over = useContext(Over)
  return (
    <>
      {!over && fallback}
      <div style={{ display: over ? 'contents' : 'none' }}>{children}</div>
    </>
  )
}

/** Of a part that takes room only when it has come. */
export function useHold(busy: boolean): void {
  const change = useContext(Change)
  useLayoutEffect(() => {
    if (!busy) return
    change(1)
    return () => change(-1)
  }, [busy, change])
}

/** The same of a part whose program has not come: what stands in its place. */
export function Hold() {
  useHold(true)
  return null
}
