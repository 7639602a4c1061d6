import { type FormEvent, useState } from 'react'
import type { Refusal } from './ask.ts'

type Wrong = Readonly<Record<string, string>>

/** Runs a form's action; errors are shown at their fields, or below the form. */
export function useForm(run: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Wrong>({})
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    setBusy(true)
    setWrong({})
    try {
      await run()
    } catch (error) {
      const { byField, message, code } = error as Refusal
      // The page of the payment system opens: not an error, and nothing more to press here.
      if (code === 'link') return
      setWrong(Object.keys(byField ?? {}).length > 0 ? byField : { form: message })
    }
    setBusy(false)
  }
  return { busy, wrong, submit }
}
