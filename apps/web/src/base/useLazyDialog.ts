import { useState } from 'react'

/** A dialog whose code is loaded when first opened; it stays mounted for its closing animation. */
export function useLazyDialog() {
  const [state, setState] = useState({ wanted: false, opened: false })
  const [is] = useState({
    open: () => setState({ wanted: true, opened: true }),
    close: () => setState({ wanted: true, opened: false }),
  })
  return [state, is] as const
}
