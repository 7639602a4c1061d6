import { requestKinds } from '@ordinator/model/areas/consents/requestKinds'
import { formatDay } from '@ordinator/model/format'
import { useState } from 'react'
import { ask } from './ask.ts'
import { Button, Loaded } from './parts.tsx'
import { useAsked } from './useAsked.ts'
import { useForm } from './useForm.ts'

type Kind = keyof typeof requestKinds
const MAX_TEXT = 4000

/** Запросы о своих данных: requests with deadlines and answers. */
export function Requests({ patient }: { patient: number }) {
  const asked = useAsked((signal) => ask('GET /portal/requests', { query: { patient } }, signal), `requests ${patient}`)
  const [writing, setWriting] = useState(false)
  return (
    <>
      <h2>Запросы о данных</h2>
      <Loaded asked={asked}>
        {({ items }) => (
          <>
            {items.length === 0 && !writing && (
              <p className="quiet">Спросите, какие ваши данные хранит клиника, попросите исправить их или удалить.</p>
            )}
            <ul className="list">
              {items.map(({ id, kind, text, status, dateReceived, dateDue, dateAnswered, answer }) => (
                <li key={id} className="card">
                  <div className="head">
                    <strong>{kind}</strong>
                    <span className="chip">{status}</span>
                  </div>
                  <p className="said">{text}</p>
                  <p className="quiet">
                    {`Получен ${formatDay(dateReceived)}, `}
                    {dateAnswered ? `отвечен ${formatDay(dateAnswered)}` : `ответят до ${formatDay(dateDue)}`}
                  </p>
                  {answer && <p className="said">{answer}</p>}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {writing ? (
        <Writing
          patient={patient}
          onDone={(sent) => {
            setWriting(false)
            if (sent) asked.again()
          }}
        />
      ) : (
        <Button className="button wide" tone="plain" onClick={() => setWriting(true)}>
          Написать запрос
        </Button>
      )}
    </>
  )
}

function Writing({ patient, onDone }: { patient: number; onDone: (sent: boolean) => void }) {
  const [kind, setKind] = useState<Kind>('access')
  const [text, setText] = useState('')
  const form = useForm(async () => {
    await ask('POST /portal/requests', { query: { patient }, body: { kind, text } })
    onDone(true)
  })
  const wrong = form.wrong.text ?? form.wrong.kind ?? form.wrong.form
  return (
    <form className="card steps" onSubmit={(event) => void form.submit(event)} noValidate>
      <div className="field">
        <label htmlFor="request-kind">О чём</label>
        <select id="request-kind" value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
          {Object.entries(requestKinds).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="request-text">Содержание</label>
        <textarea
          id="request-text"
          rows={5}
          maxLength={MAX_TEXT}
          value={text}
          aria-invalid={wrong !== undefined}
          aria-describedby="request-said"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <p id="request-said" className={wrong ? 'wrong' : 'quiet'} role={wrong ? 'alert' : undefined}>
          {wrong ?? 'По закону клиника отвечает за 10 рабочих дней'}
        </p>
      </div>
      <Button type="submit" busy={form.busy} disabled={text.trim() === ''}>
        Отправить
      </Button>
      <Button tone="plain" onClick={() => onDone(false)}>
        Не отправлять
      </Button>
    </form>
  )
}
