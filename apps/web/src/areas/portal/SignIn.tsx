import type { PortalMe, PortalStart } from '@ordinator/model/areas/portal/shapes'
import { formatDay } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { useEffect, useState } from 'react'
import { ask } from './ask.ts'
import { Button, Field } from './parts.tsx'
import { useForm } from './useForm.ts'
import { usePhoneCode } from './usePhoneCode.tsx'
import { useProof } from './useProof.tsx'

/** Sign-in: phone, code, and the birthday if the phone is shared. */
export function SignIn({ start, onEnter }: { start: PortalStart; onEnter: (me: PortalMe) => void }) {
  const proof = useProof()
  const { code, birthday } = proof
  const [wait, setWait] = useState(0)

  useEffect(() => {
    if (wait <= 0) return
    const timer = setTimeout(() => setWait(wait - 1), 1000)
    return () => clearTimeout(timer)
  }, [wait])

  const first = usePhoneCode(start, async (to) => {
    await ask('POST /portal/code', { body: { phone: to } })
    setWait(60)
  })
  const { phone, setPhone, sent } = first
  const second = useForm(() =>
    proof.tried(async () =>
      onEnter(await ask('POST /portal/session', { body: { phone, code, ...(birthday && { birthday }) } })),
    ),
  )

  if (!start.isOn)
    return (
      <SignInLayout start={start}>
        <p>Личный кабинет сейчас закрыт.</p>
      </SignInLayout>
    )
  if (!start.ways.includes('code'))
    return (
      <SignInLayout start={start}>
        <p>Вход открывает личная ссылка: её даёт клиника, когда вы звоните или приходите.</p>
      </SignInLayout>
    )
  return (
    <SignInLayout start={start}>
      {!sent ? (
        first.form({ label: 'Телефон', help: 'Тот, что вы оставили клинике. Пришлём на него код' })
      ) : (
        <form onSubmit={(event) => void second.submit(event)} noValidate>
          <p>
            Если номер <b className="number">{phone}</b> есть в клинике, на него придёт код. Он действует 5 минут.
          </p>
          {proof.fields({ code: second.wrong.code ?? second.wrong.form, birthday: second.wrong.birthday })}
          <Button type="submit" busy={second.busy} disabled={code.trim() === ''}>
            Войти
          </Button>
          {wait === 0 && <p className="quiet">Не пришло? Позвоните в клинику.</p>}
          <div className="row">
            <Button
              tone="plain"
              disabled={wait > 0}
              busy={first.asking.busy}
              onClick={() => void first.asking.submit()}
            >
              {wait > 0 ? `Новый код через ${wait} с` : 'Прислать новый код'}
            </Button>
            <Button tone="plain" onClick={() => first.setSent(false)}>
              Другой номер
            </Button>
          </div>
        </form>
      )}
      {start.demo && (
        <aside className="demo" aria-label="Демо-клиника">
          <h2>Демо-клиника</h2>
          {sent ? (
            <p>Сообщения здесь никуда не уходят. Код для входа: {first.code}</p>
          ) : (
            <>
              <p>Пациенты вымышлены, войдите за любого:</p>
              <ul>
                {start.demo.map((one) => (
                  <li key={one.phone}>
                    <button type="button" className="link" onClick={() => setPhone(phoneText(one.phone))}>
                      {phoneText(one.phone)}
                    </button>{' '}
                    {one.name}
                    {one.birthday && `, ${formatDay(one.birthday)}`}
                  </li>
                ))}
              </ul>
            </>
          )}
        </aside>
      )}
    </SignInLayout>
  )
}

/** Sign-in by a personal link; the birthday is optional and opens medical data. */
export function LinkIn({
  start,
  token,
  onEnter,
}: {
  start: PortalStart
  token: string
  onEnter: (me: PortalMe) => void
}) {
  const [birthday, setBirthday] = useState('')
  const withDay = useForm(async () => onEnter(await ask('POST /portal/link', { body: { token, birthday } })))
  const without = useForm(async () => onEnter(await ask('POST /portal/link', { body: { token } })))
  return (
    <SignInLayout start={start}>
      <form onSubmit={(event) => void withDay.submit(event)} noValidate>
        <p>Вы открыли личную ссылку. Она действует сутки и только на этом устройстве.</p>
        <Field
          label="Дата рождения пациента"
          type="date"
          autoComplete="bday"
          help="Чтобы увидеть услуги и свои данные"
          value={birthday}
          wrong={withDay.wrong.birthday ?? withDay.wrong.form ?? without.wrong.form}
          onChange={(event) => setBirthday(event.currentTarget.value)}
        />
        <Button type="submit" busy={withDay.busy} disabled={birthday === ''}>
          Войти
        </Button>
        <Button tone="plain" busy={without.busy} onClick={() => void without.submit()}>
          Только время визитов, без даты рождения
        </Button>
      </form>
    </SignInLayout>
  )
}

export const SignInLayout = ({ start, children }: { start: PortalStart; children: React.ReactNode }) => (
  <main className="sign-in">
    <h1>{start.clinicName || 'Личный кабинет'}</h1>
    <p className="quiet">Личный кабинет пациента</p>
    {children}
    {start.clinicPhone && (
      <p className="quiet foot">
        Не получается войти? Позвоните: <a href={`tel:${start.clinicPhone}`}>{phoneText(start.clinicPhone)}</a>
      </p>
    )}
  </main>
)
