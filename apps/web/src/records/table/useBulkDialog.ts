import { useRef, useState } from 'react'
import type { BulkAction } from './BulkBar.tsx'

interface BulkDialog<R> {
  /** Spread into the action that opens it. */
  opens: Pick<BulkAction<R>, 'opens' | 'run'>
  /** The rows concerned; undefined while it is closed. */
  rows: R[] | undefined
  /** @param done whether it was executed: the selection is then cleared, else kept */
  close: (done: boolean) => void
}

/** A bulk action with a dialog, which the screen renders. */
export function useBulkDialog<R>(among: (rows: R[]) => R[] = (rows) => rows): BulkDialog<R> {
  const [rows, setRows] = useState<R[]>()
  const settle = useRef<(done: boolean) => void>(undefined)
  return {
    opens: {
      opens: true,
      run: (given) =>
        new Promise<boolean>((resolve) => {
          settle.current = resolve
          setRows(among(given))
        }),
    },
    rows,
    close: (done) => {
      setRows(undefined)
      settle.current?.(done)
      settle.current = undefined
    },
  }
}
