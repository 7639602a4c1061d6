import type { PortalBooking } from '@ordinator/model/areas/portal/bookingCalls'
import type { PortalMe, PortalStart } from '@ordinator/model/areas/portal/shapes'
import { phoneText } from '@ordinator/model/phone'
import { useState } from 'react'
import { ask, Refusal } from './ask.ts'
import { Button, Field } from './parts.tsx'
import { useForm } from './useForm.ts'
import { usePhoneCode } from './usePhoneCode.tsx'
import { useProof } from './useProof.tsx'

/** Phone confirmed by a code: signs in to the card, or continues without one. */
export function Phone({
  start,
  booking,
  onEnter,
}: {
  start: PortalStart
  booking: PortalBooking
  /** Null: no card. */
  onEnter: (me: PortalMe | null) => void
}) {
  const [topic, setTopic] = useState('')
  const proof = useProof()
  const first = usePhoneCode(start, (to) =>
    ask('POST /portal/booking/code', { body: { phone: to, ...(topic && { topic }) } }),
  )
  const { phone, sent } = first
  const { code, birthday, isShared } = proof
  const confirm = (more: { birthday?: string; isNew?: boolean }) =>
    proof.tried(async () => onEnter((await ask('POST /portal/booking/phone', { body: { phone, code, ...more } })).me))
  const second = useForm(() => confirm({ ...(birthday && { birthday }) }))
  const other = useForm(() => confirm({ isNew: true }))
  if (!start.ways.includes('code'))
    return (
      <p className="card">
        Записаться отсюда может тот, кто вошёл по личной ссылке.{' '}
        {start.clinicPhone && <>Или позвоните: {phoneText(start.clinicPhone)}</>}
      </p>
    )
  if (!sent)
    return first.form({
      label: 'Ваш телефон',
      help: 'Пришлём на него код, чтобы подтвердить запись',
      more: (
        <div className="away" aria-hidden="true">
          <label>
            Не заполняйте
            <input
              name="topic"
              tabIndex={-1}
              autoComplete="off"
              value={topic}
              onChange={(event) => setTopic(event.currentTarget.value)}
            />
          </label>
        </div>
      ),
    })
  return (
    <form onSubmit={(event) => void second.submit(event)} noValidate>
      <p>
        Код отправлен на <b className="number">{phone}</b>. Он действует 5 минут.
      </p>
      {proof.fields({
        code: second.wrong.code ?? second.wrong.form ?? other.wrong.code ?? other.wrong.form,
        birthday: second.wrong.birthday,
      })}
      <Button type="submit" busy={second.busy} disabled={code.trim() === ''}>
        Продолжить
      </Button>
      <div className="row">
        {isShared && booking.mayBeNew && (
          <Button tone="plain" busy={other.busy} onClick={() => void other.submit()}>
            Я здесь впервые
          </Button>
        )}
        <Button tone="plain" onClick={() => first.setSent(false)}>
          Другой номер
        </Button>
      </div>
      {start.demo && <p className="demo">Сообщения демо-клиники никуда не уходят. Код: {first.code}</p>}
    </form>
  )
}

const OTHER = 'other'

/** Patient, and confirmation. */
export function Confirm({
  me,
  booking,
  onBook,
  onTaken,
  onWhose,
}: {
  me: PortalMe | undefined
  booking: PortalBooking
  /** Another patient, whose price may differ; 0: a new patient. */
  onWhose: (patient: number) => void
  onBook: (idVisit: number, me: PortalMe | null) => void
  onTaken: (refusal: Refusal) => void
}) {
  const people = me ? [me.person, ...me.family] : []
  const mayBeNew = booking.mayBeNew && booking.idConsent !== null
  const [whose, setWhose] = useState(people[0] ? String(people[0].id) : OTHER)
  const [person, setPerson] = useState({ surname: '', name: '', middleName: '', birthday: '' })
  const [agrees, setAgrees] = useState(false)
  const choose = (next: string) => {
    setWhose(next)
    onWhose(next === OTHER ? 0 : Number(next))
  }
  const form = useForm(async () => {
    const { middleName, ...named } = person
    try {
      const { idVisit, me: next } = await ask('POST /portal/booking/book', {
        body:
          whose === OTHER
            ? {
                person: { ...named, ...(middleName && { middleName }) },
                ...(agrees && booking.idConsent !== null && { consent: booking.idConsent }),
              }
            : { patient: Number(whose) },
      })
      onBook(idVisit, next)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'taken') return onTaken(error)
      throw error
    }
  })
  if (whose === OTHER && !mayBeNew)
    return <p className="card">Новых пациентов записывает регистратура: позвоните в клинику.</p>
  const text = (field: keyof typeof person, label: string, more: { autoComplete: string; type?: string }) => (
    <Field
      label={label}
      name={field}
      maxLength={64}
      {...more}
      value={person[field]}
      wrong={form.wrong[`person.${field}`]}
      onChange={(event) => setPerson({ ...person, [field]: event.currentTarget.value })}
    />
  )
  return (
    <form onSubmit={(event) => void form.submit(event)} noValidate>
      {(people.length > 1 || (people.length > 0 && mayBeNew)) && (
        <div className="field">
          <label htmlFor="whose">Кого записать</label>
          <select id="whose" value={whose} onChange={(event) => choose(event.currentTarget.value)}>
            {people.map(({ id, fio }) => (
              <option key={id} value={id}>
                {fio}
              </option>
            ))}
            {mayBeNew && <option value={OTHER}>Другого человека</option>}
          </select>
        </div>
      )}
      {people.length === 1 && !mayBeNew && <p>{people[0]?.fio}</p>}
      {whose === OTHER && (
        <>
          {text('surname', 'Фамилия', { autoComplete: 'family-name' })}
          {text('name', 'Имя', { autoComplete: 'given-name' })}
          {text('middleName', 'Отчество, если есть', { autoComplete: 'additional-name' })}
          {text('birthday', 'Дата рождения', { autoComplete: 'bday', type: 'date' })}
          <label className="agree">
            <input type="checkbox" checked={agrees} onChange={(event) => setAgrees(event.currentTarget.checked)} />
            <span>
              Согласен на{' '}
              <a href="/site/policy/consent" target="_blank" rel="noopener">
                обработку персональных данных
              </a>
            </span>
          </label>
          {form.wrong.consent && (
            <p className="wrong" role="alert">
              {form.wrong.consent}
            </p>
          )}
        </>
      )}
      {form.wrong.form && (
        <p className="wrong" role="alert">
          {form.wrong.form}
        </p>
      )}
      <Button type="submit" busy={form.busy}>
        Записаться
      </Button>
    </form>
  )
}
