import { type ReactNode, useCallback, useState } from 'react'

/**
 * For code that awaits what a dialog is answered: `const loss = await ask<Loss>((answer) => <LossDialog onAnswer={answer} />)`;
 * undefined when the person has thought better of it. `dialog` stands somewhere on the screen.
 */
export function useAsk() {
  const [dialog, setDialog] = useState<ReactNode>()
  const ask = useCallback(
    <T>(render: (answer: (value?: T) => void) => ReactNode) =>
      new Promise<T | undefined>((resolve) => {
        let open = true
        setDialog(
          render((value) => {
            // A dialog that has answered closes too.
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
