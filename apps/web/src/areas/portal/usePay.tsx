import { type ReactNode, useState } from 'react'
import type { Refusal } from './ask.ts'
import { Button, Field } from './parts.tsx'
import { useForm } from './useForm.ts'

interface Common {
  key: string
  method: 'card'
  contact?: string
}

interface Pay {
  /** Sends the payment: what all of them have is given. */
  send: (common: Common) => Promise<unknown>
  onPaid: () => void
  /** What is paid for is not as shown. */
  onChange: () => void
}

/** A payment by a patient; a retry after a lost response has the same key, so nothing is paid twice. */
export function usePay({ send, onPaid, onChange }: Pay) {
  const [contact, setContact] = useState('')
  const [key, setKey] = useState(() => crypto.randomUUID())
  const renew = () => setKey(crypto.randomUUID())
  const form = useForm(async () => {
    try {
      await send({ key, method: 'card', ...(contact.trim() && { contact: contact.trim() }) })
      renew()
      onPaid()
    } catch (error) {
      const { code } = error as Refusal
      // A failed payment is final: the next attempt gets a new key.
      if (code === 'declined' || code === 'changed' || code === 'key') {
        renew()
        if (code === 'changed') onChange()
      }
      throw error
    }
  })
  return {
    form,
    /** A changed choice is another payment. */
    renew,
    /** Where to send the receipt, errors at `fields` of the body, and the button. */
    foot: ({ isSimulated, fields, disabled, label }: Foot) => {
      const wrong = ['form', ...fields].map((name) => form.wrong[name]).find(Boolean)
      return (
        <>
          <Field
            label="Куда прислать чек"
            type="text"
            name="contact"
            autoComplete="email"
            help="Почта или телефон; пусто — туда, что записано в карте"
            value={contact}
            wrong={form.wrong.contact}
            onChange={(event) => setContact(event.currentTarget.value)}
          />
          {isSimulated && <p className="demo">Оплата учебная: деньги не списываются, чек не настоящий.</p>}
          {wrong && (
            <p className="wrong" role="alert">
              {wrong}
            </p>
          )}
          <Button type="submit" className="button wide" busy={form.busy} disabled={disabled}>
            {label}
          </Button>
        </>
      )
    },
  }
}

interface Foot {
  isSimulated: boolean
  fields: readonly string[]
  disabled: boolean
  label: ReactNode
}
