import { Alert, Checkbox, Group, PasswordInput, TextInput } from '@mantine/core'
import { counted } from '@ordinator/model/format'
import { IconAlertCircle } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError } from '#base/apiError.ts'
import { type SecondFactorAsked, type SignIn, session } from '#base/session.ts'
import { PRODUCT } from '#base/title.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { part } from '#kit/chunk.ts'
import { SignInLayout } from './SignInLayout.tsx'

const SessionWarning = part(() => import('./SessionWarning.tsx'))
const SecondFactor = part(() => import('./SecondFactor.tsx'))

interface Props {
  /** Shows the page that was asked for. */
  onEntered: () => void
  /** The user has begun to type: the page that follows may be loaded. */
  onBegun?: () => void
}

/** Name and password, and the second factor where one is required. */
export function SignInForm({ onEntered, onBegun }: Props) {
  const [form, setForm] = useState({ login: '', password: '', rememberMe: true, sipPhone: '' })
  const [withPhone, setWithPhone] = useState(false)
  const [wrong, setWrong] = useState<{ login?: string; password?: string }>({})
  const [failure, setFailure] = useState('')
  const [waitUntil, setWaitUntil] = useState(0)
  const [busy, setBusy] = useState(false)
  const [warning, setWarning] = useState(false)
  const [forced, setForced] = useState(false)
  const [asked, setAsked] = useState<SecondFactorAsked>()
  const [given, setGiven] = useState<Pick<SignIn, 'code' | 'passkey'>>({})
  const wait = useSecondsLeft(waitUntil)

  const enter = async () => {
    if (await session.ensure()) onEntered()
    else setFailure('Не удалось получить аккаунт')
  }
  const signIn = async (forceLogin: boolean, factor = given) => {
    setForced(forceLogin)
    setBusy(true)
    setFailure('')
    try {
      const result = await session.signIn({ ...form, ...factor, forceLogin })
      setWarning(result === 'session-warning')
      if (result === 'in') await enter()
      else if (result !== 'session-warning') {
        if ('asked' in result) setAsked(result.asked)
        else setFailure(result.error)
      }
    } catch (error) {
      setWarning(false)
      const refused = error instanceof ApiError ? error : undefined
      if (refused?.status === 429 && refused.retryAfter) setWaitUntil(Date.now() + refused.retryAfter * 1000)
      else setFailure(refused?.status ? refused.message : 'Ошибка сети')
    } finally {
      setBusy(false)
    }
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const missing = {
      login: form.login.trim() ? undefined : 'Обязательное поле',
      password: form.password ? undefined : 'Обязательное поле',
    }
    setWrong(missing)
    if (missing.login || missing.password) {
      document.getElementById(missing.login ? 'login' : 'password')?.focus()
      return
    }
    void signIn(false)
  }
  // The button that opened it was busy and had lost the focus before.
  const leaveWarning = () => {
    setWarning(false)
    document.getElementById('password')?.focus()
  }
  const change = (patch: Partial<typeof form>) => {
    setForm((before) => ({ ...before, ...patch }))
    setWrong({})
  }

  return (
    <>
      <SignInLayout title={PRODUCT} hint="Рабочее место сотрудника клиники">
        {session.failed() && !failure && (
          <Alert color="yellow" variant="light" mb="md" role="status" title="Не удалось получить аккаунт">
            <ActionButton label="Повторить" size="compact-sm" variant="default" onClick={() => void enter()} />
          </Alert>
        )}
        {(failure || wait > 0) && (
          <Alert color="red" variant="light" mb="md" icon={<IconAlertCircle size={18} />} role="alert">
            {failure}
            {wait > 0 && (
              <>
                Слишком много попыток входа.
                <div className="tabular" role="timer">
                  Попробуйте через {counted(wait, ['секунду', 'секунды', 'секунд'])}.
                </div>
              </>
            )}
          </Alert>
        )}
        {asked && (
          <SecondFactor
            asked={asked}
            failure=""
            busy={busy && !warning}
            onAnswer={(factor) => {
              setGiven(factor)
              void signIn(forced, factor)
            }}
            onBack={() => {
              setAsked(undefined)
              setGiven({})
              setFailure('')
            }}
          />
        )}
        <form onSubmit={onSubmit} onInput={onBegun} noValidate hidden={asked !== undefined}>
          <TextInput
            id="login"
            label="Логин"
            name="login"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            size="md"
            value={form.login}
            error={wrong.login}
            onChange={(event) => change({ login: event.currentTarget.value })}
          />
          <PasswordInput
            id="password"
            label="Пароль"
            name="password"
            autoComplete="current-password"
            size="md"
            mt="md"
            value={form.password}
            error={wrong.password}
            aria-invalid={wrong.password ? true : undefined}
            onChange={(event) => change({ password: event.currentTarget.value })}
          />
          {withPhone && (
            <TextInput
              label="Внутренний номер телефона (SIP)"
              name="sipPhone"
              inputMode="numeric"
              autoComplete="off"
              size="md"
              mt="md"
              autoFocus
              value={form.sipPhone}
              onChange={(event) => change({ sipPhone: event.currentTarget.value })}
            />
          )}
          <Group justify="space-between" mt="md" gap="xs">
            <Checkbox
              label="Запомнить меня"
              checked={form.rememberMe}
              onChange={(event) => change({ rememberMe: event.currentTarget.checked })}
            />
            {!withPhone && (
              <ActionButton
                label="Внутренний номер"
                variant="subtle"
                size="compact-sm"
                onClick={() => setWithPhone(true)}
              />
            )}
          </Group>
          <ActionButton
            label="Войти"
            type="submit"
            size="md"
            fullWidth
            mt="lg"
            loading={busy && !warning}
            disabled={wait > 0}
          />
        </form>
      </SignInLayout>
      {warning && <SessionWarning onCancel={leaveWarning} onForce={() => signIn(true)} />}
    </>
  )
}

function useSecondsLeft(until: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (until <= Date.now()) return
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= until) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [until])
  return Math.max(0, Math.ceil((until - now) / 1000))
}
