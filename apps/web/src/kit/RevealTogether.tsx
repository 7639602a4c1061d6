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

/** Maximum wait, milliseconds since the base data have arrived. */
const LONGEST_MS = 4_000

const Change = createContext<(by: 1 | -1) => void>(() => undefined)
const Over = createContext(true)
const Settled = createContext(true)

interface HoldingProps {
  /** The base data have not arrived yet. */
  busy?: boolean
  /** Something to show is known already: nothing waits. */
  ready?: boolean
  children: ReactNode
}

/**
 * A screen whose upper parts load independently: content in `Revealed` is shown when all of them are ready, so that nothing
 * shifts. Happens once, when the screen opens.
 */
export function RevealTogether({ busy = false, ready = false, children }: HoldingProps) {
  const held = useRef(0)
  const [over, setOver] = useState(ready)
  const [settled, setSettled] = useState(false)
  const [, redraw] = useState(0)
  const change = useCallback((by: 1 | -1) => {
    held.current += by
    redraw((turn) => turn + 1)
  }, [])
  // Before painting: without anything to wait for, nothing flickers.
  useLayoutEffect(() => {
    if (busy || held.current > 0) return
    setOver(true)
    setSettled(true)
  })
  useEffect(() => {
    if (busy) return
    const timer = setTimeout(() => {
      setOver(true)
      setSettled(true)
    }, LONGEST_MS)
    return () => clearTimeout(timer)
  }, [busy])
  return (
    <Change.Provider value={change}>
      <Over.Provider value={over}>
        <Settled.Provider value={settled}>{children}</Settled.Provider>
      </Over.Provider>
    </Change.Provider>
  )
}

/** The part that waits: it is mounted at once, so that it loads its data meanwhile. */
export function Revealed({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const over = useContext(Over)
  return (
    <>
      {!over && fallback}
      <div style={{ display: over ? 'contents' : 'none' }}>{children}</div>
    </>
  )
}

/** Whether `Revealed` displays its children: sizes can be measured from then on. */
export const useRevealed = (): boolean => useContext(Over)

/** Whether all parts have their data; room kept for them may go. */
export const useSettled = (): boolean => useContext(Settled)

/** Delays `Revealed` while this part is busy. */
export function useRevealDelay(busy: boolean): void {
  const change = useContext(Change)
  useLayoutEffect(() => {
    if (!busy) return
    change(1)
    return () => change(-1)
  }, [busy, change])
}

/** The fallback of a part whose code is still loading. */
export function RevealDelay() {
  useRevealDelay(true)
  return null
}
