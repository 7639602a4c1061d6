import { Alert, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { session, useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { failureWords } from '#kit/failureWords.ts'
import { notify } from '#kit/notify.tsx'
import { useUnsavedGuard } from '#kit/useUnsavedGuard.ts'
import classes from './Profile.module.css'

const EMPTY = { currentPassword: '', newPassword: '', again: '' }

/** @param temporary the current password is temporary: only this form is available */
export function PasswordForm({ temporary = false }: { temporary?: boolean }) {
  const { login } = useAccount().user.identity
  // Typed at the sign-in a moment ago.
  const [known] = useState(() => (temporary ? session.temporaryPassword() : undefined))
  const [form, setForm] = useState({ ...EMPTY, currentPassword: known ?? '' })
  const [wrong, setWrong] = useState<Partial<typeof EMPTY>>({})
  const save = useMutation({
    mutationFn: ({ currentPassword, newPassword }: typeof EMPTY) =>
      api('POST /auth/change-password', { body: { currentPassword, newPassword } }, { forbidden: 'toast' }),
    onSuccess: () => {
      setForm(EMPTY)
      notify.success('Пароль изменён, остальные сеансы завершены')
      void session.reload()
    },
    onError: (error) => setWrong(error instanceof ApiError ? error.byField : {}),
  })
  const field = (name: keyof typeof EMPTY) => ({
    value: form[name],
    error: wrong[name],
    'aria-invalid': wrong[name] ? true : undefined,
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget
      setForm((before) => ({ ...before, [name]: value }))
      setWrong((before) => ({ ...before, [name]: undefined }))
      save.reset()
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const faults: Partial<typeof EMPTY> = {}
    for (const name of ['currentPassword', 'newPassword'] as const) if (!form[name]) faults[name] = 'Обязательное поле'
    if (form.newPassword && form.again !== form.newPassword) faults.again = 'Пароли не совпадают'
    setWrong(faults)
    if (Object.keys(faults).length === 0) save.mutate(form)
  }
  useUnsavedGuard(Boolean(form.newPassword) && !save.isPending)
  const fault = save.error instanceof ApiError && save.error.fields ? undefined : save.error && failureWords(save.error)
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      <input type="text" name="username" autoComplete="username" value={login ?? ''} readOnly hidden />
      {(known === undefined || wrong.currentPassword) && (
        <PasswordInput
          label={temporary ? 'Временный пароль' : 'Текущий пароль'}
          autoComplete="current-password"
          autoFocus={temporary}
          {...field('currentPassword')}
        />
      )}
      <PasswordInput
        label="Новый пароль"
        autoFocus={known !== undefined}
        description="Чем длиннее, тем надёжнее. Логин в пароле не подойдёт"
        autoComplete="new-password"
        {...field('newPassword')}
      />
      <PasswordInput label="Новый пароль ещё раз" autoComplete="new-password" {...field('again')} />
      {fault && (
        <Alert color="red" role="alert">
          {fault}
        </Alert>
      )}
      <ActionButton label="Сменить пароль" type="submit" loading={save.isPending} />
    </form>
  )
}
