import { type ReactNode, useCallback, useState } from 'react'

/**
 * Awaits the answer of a dialog: `const loss = await ask<Loss>((answer) => <LossDialog onAnswer={answer} />)`;
 * undefined when it is cancelled. Render `dialog` somewhere on the screen.
 */
export function useAsk() {
  const [dialog, setDialog] = useState<ReactNode>()
  const ask = useCallback(
    <T>(render: (answer: (value?: T) => void) => ReactNode) =>
      new Promise<T | undefined>((resolve) => {
        let open = true
        setDialog(
          render((value) => {
            // A dialog that has answered also closes.
            if (!open) return
            open = false
            setDialog(undefined)
            resolve(value)
          }),
        )
      }),
    [],
  )
  return { ask, dialog }
}
