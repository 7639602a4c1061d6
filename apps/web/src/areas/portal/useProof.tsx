import { CODE_DIGITS } from '@ordinator/model/areas/portal/rules'
import { useState } from 'react'
import { Refusal } from './ask.ts'
import { Field } from './parts.tsx'

/** Proof of the own phone: a code, and the birthday if the phone is shared. */
export function useProof() {
  const [code, setCode] = useState('')
  const [birthday, setBirthday] = useState('')
  const [isShared, setShared] = useState(false)
  return {
    code,
    birthday,
    isShared,
    /** An error at the birthday shows its field. */
    async tried<T>(call: () => Promise<T>): Promise<T> {
      try {
        return await call()
      } catch (error) {
        if (error instanceof Refusal && error.byField.birthday) setShared(true)
        throw error
      }
    },
    fields: (wrong: { code: string | undefined; birthday: string | undefined }) => (
      <>
        <Field
          label="Код из сообщения"
          inputMode="numeric"
          autoComplete="one-time-code"
          name="code"
          maxLength={CODE_DIGITS + 2}
          value={code}
          wrong={wrong.code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {isShared && (
          <Field
            label="Дата рождения"
            type="date"
            name="birthday"
            autoComplete="bday"
            help="На этом номере несколько пациентов"
            value={birthday}
            wrong={wrong.birthday}
            onChange={(event) => setBirthday(event.currentTarget.value)}
          />
        )}
      </>
    ),
  }
}
