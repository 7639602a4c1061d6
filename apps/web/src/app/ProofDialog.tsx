import { PasswordInput, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'

/** Asks for the password again before a critical action. */
export default function ProofDialog({ onAnswer }: { onAnswer: (proven: boolean) => void }) {
  const [password, setPassword] = useState('')
  return (
    <ActionDialog
      title="Подтвердите паролем"
      action="Подтвердить"
      size="sm"
      faults={{ password: password === '' && 'Обязательное поле' }}
      run={async () => {
        await api('POST /auth/proof', { body: { password } }, { forbidden: 'silent' })
        onAnswer(true)
      }}
      onClose={() => onAnswer(false)}
    >
      {(errorOf) => (
        <>
          <Text>Вы давно не вводили пароль. Введите его, чтобы никто не сделал этого за вас.</Text>
          <PasswordInput
            label="Пароль"
            autoComplete="current-password"
            value={password}
            error={errorOf('password')}
            aria-invalid={errorOf('password') ? true : undefined}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}
