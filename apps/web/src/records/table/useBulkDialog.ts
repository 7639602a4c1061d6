import { useRef, useState } from 'react'
import type { BulkAction } from './BulkBar.tsx'

interface BulkDialog<R> {
  /** To be put into the action that opens it. */
  opens: Pick<BulkAction<R>, 'opens' | 'run'>
  /** Of whom the dialog asks; none while it is shut. */
  rows: R[] | undefined
  /** @param done whether it was done: the selection is dropped then, and kept otherwise */
  close: (done: boolean) => void
}

/** An action on what is selected that asks in a dialog first. The dialog is the screen's to show. */
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
