import { Alert, Text, TextInput } from '@mantine/core'
import { startAuthentication } from '@simplewebauthn/browser'
import { IconKey } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { SecondFactorAsked } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'

interface Props {
  asked: SecondFactorAsked
  failure: string
  busy: boolean
  onAnswer: (given: { code?: string; passkey?: { id: string; type: 'public-key' } }) => void
  onBack: () => void
}

/** The second step of the sign-in: a TOTP code, a passkey, or a recovery code. */
export default function SecondFactor({ asked, failure, busy, onAnswer, onBack }: Props) {
  const [code, setCode] = useState('')
  const [fault, setFault] = useState('')
  const hasApp = asked.ways.includes('totp')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim()) onAnswer({ code: code.trim() })
    else setFault('Впишите код')
  }
  const askPasskey = async () => {
    setFault('')
    try {
      const passkey = await startAuthentication({ optionsJSON: asked.passkey })
      onAnswer({ passkey: { ...passkey } })
    } catch {
      setFault('Ключ доступа не ответил. Попробуйте ещё раз или впишите код')
    }
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      {(failure || fault) && (
        <Alert color="red" variant="light" mb="md" role="alert">
          {failure || fault}
        </Alert>
      )}
      {asked.passkey && (
        <ActionButton
          label="Войти ключом доступа"
          icon={IconKey}
          size="md"
          fullWidth
          mb="md"
          disabled={busy}
          onClick={() => void askPasskey()}
        />
      )}
      <TextInput
        label={hasApp ? 'Код из приложения' : 'Код восстановления'}
        description={
          hasApp ? 'Шесть цифр. Телефона нет — подойдёт код восстановления' : 'Один из тех, что вам показали'
        }
        name="code"
        autoComplete="one-time-code"
        inputMode={hasApp ? 'text' : undefined}
        autoFocus
        size="md"
        value={code}
        onChange={(event) => {
          setCode(event.currentTarget.value)
          setFault('')
        }}
      />
      <Text size="sm" c="dimmed" mt="xs">
        Потеряли и телефон, и коды — администратор сбросит второй фактор.
      </Text>
      <ActionButton
        label="Войти"
        type="submit"
        variant={asked.passkey ? 'default' : 'filled'}
        size="md"
        fullWidth
        mt="lg"
        loading={busy}
      />
      <ActionButton label="Назад" variant="subtle" fullWidth mt="xs" onClick={onBack} />
    </form>
  )
}
