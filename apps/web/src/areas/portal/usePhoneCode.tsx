import type { PortalStart } from '@ordinator/model/areas/portal/shapes'
import { type ReactNode, useState } from 'react'
import { demoCode } from './demoCode.ts'
import { Button, Field } from './parts.tsx'
import { useForm } from './useForm.ts'

/** A phone that a code is sent to. @param send asks for the code */
export function usePhoneCode(start: PortalStart, send: (phone: string) => Promise<unknown>) {
  const [phone, setPhone] = useState('')
  const [sent, setSent] = useState(false)
  const [shown, setShown] = useState<string | null>(null)
  const asking = useForm(async () => {
    await send(phone)
    setSent(true)
    setShown(null)
    if (start.demo) void demoCode(phone).then(setShown, () => {})
  })
  return {
    phone,
    setPhone,
    sent,
    setSent,
    asking,
    /** The code itself, in the demo clinic. */
    code: <output className="number">{shown ?? 'готовится…'}</output>,
    /** The form of the phone. @param more further fields */
    form: ({ label, help, more }: { label: string; help: string; more?: ReactNode }) => (
      <form onSubmit={(event) => void asking.submit(event)} noValidate>
        <Field
          label={label}
          type="tel"
          name="phone"
          autoComplete="tel"
          placeholder="+7 900 000-00-00"
          help={help}
          value={phone}
          wrong={asking.wrong.phone ?? asking.wrong.form}
          onChange={(event) => setPhone(event.currentTarget.value)}
        />
        {more}
        <Button type="submit" busy={asking.busy} disabled={phone.trim() === ''}>
          Получить код
        </Button>
      </form>
    ),
  }
}
