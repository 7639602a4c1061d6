import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { session, useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'

/** Own internal number; the button appears after a change. */
export function SipPhone() {
  const saved = useAccount().user.identity.sipPhone ?? ''
  const [text, setText] = useState<string>()
  const save = useMutation({
    mutationFn: (sipPhone: string) =>
      api('POST /users/set-sip-phone', { body: { sipPhone: sipPhone || null } }, { forbidden: 'toast' }),
    onSuccess: async () => {
      await session.reload()
      setText(undefined)
      notify.success('Внутренний номер сохранён')
    },
  })
  const changed = text !== undefined && text.trim() !== saved
  const { error } = save
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (changed) save.mutate(text.trim())
      }}
    >
      <TextInput
        label="Внутренний номер (SIP)"
        description="На него приходят звонки клиники"
        value={text ?? saved}
        maxLength={32}
        autoComplete="off"
        error={error ? (error instanceof ApiError && error.byField.sipPhone) || errorMessage(error) : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {changed && <ActionButton label="Сохранить номер" type="submit" mt="xs" loading={save.isPending} />}
    </form>
  )
}
