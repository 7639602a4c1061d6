import { useState } from 'react'

/** A dialog whose code is loaded when it is first opened, and kept after that for its closing move. */
export function useLazyDialog() {
  const [state, setState] = useState({ wanted: false, opened: false })
  const [is] = useState({
    open: () => setState({ wanted: true, opened: true }),
    close: () => setState({ wanted: true, opened: false }),
  })
  return [state, is] as const
}
