import type { PortalDoctorTalk, PortalDoctorTalks } from '@ordinator/model/areas/portal/doctorCalls'
import { counted, formatMoney } from '@ordinator/model/format'
import { useState } from 'react'
import { ask, type Refusal } from './ask.ts'
import { Button, ConfirmPrompt, Empty, Loaded } from './parts.tsx'
import { Talk } from './Talk.tsx'
import { useAsked } from './useAsked.ts'
import { useForm } from './useForm.ts'

type Shown = 'list' | 'new' | number

/** Вопросы врачам: paid; answered in time, or refunded. */
export function Questions() {
  const [shown, setShown] = useState<Shown>('list')
  const asked = useAsked((signal) => ask('GET /portal/doctor-dialogs', undefined, signal), 'doctors')
  const back = () => {
    setShown('list')
    asked.again()
  }
  return (
    <Loaded asked={asked}>
      {({ offer, dialogs }) => {
        const one = dialogs.find(({ id }) => id === shown)
        if (one) return <Question dialog={one} onBack={back} onChange={asked.again} />
        if (shown === 'new' && offer)
          return (
            <NewQuestion
              offer={offer}
              onBack={back}
              onAsk={(id) => {
                setShown(id)
                asked.again()
              }}
            />
          )
        return (
          <>
            {offer && (
              <div className="card">
                <p>
                  Врач ответит письменно за {counted(offer.hours, ['час', 'часа', 'часов'])}. Если ответа не будет,
                  вернём деньги.
                </p>
                <Button className="button wide" onClick={() => setShown('new')}>
                  Спросить врача
                </Button>
              </div>
            )}
            {dialogs.length === 0 ? (
              <Empty title="Вопросов пока нет">
                {offer
                  ? 'Здесь будут ваши вопросы и ответы врачей.'
                  : 'Сейчас клиника не отвечает на вопросы врачам: запишитесь на приём или напишите администратору.'}
              </Empty>
            ) : (
              <ul className="list gap">
                {dialogs.map((dialog) => (
                  <li key={dialog.id} className="card">
                    <div className="head">
                      <strong>{dialog.doctor}</strong>
                      <span className="chip">{dialog.stateName}</span>
                    </div>
                    <p className="quiet number">
                      {momentOf(dialog.dateCreate)}, {formatMoney(dialog.sum)}
                      {dialog.unread > 0 && `, новых сообщений: ${dialog.unread}`}
                    </p>
                    <Button
                      className="button wide"
                      tone={dialog.state === 'ordered' ? 'main' : 'plain'}
                      onClick={() => setShown(dialog.id)}
                      aria-label={`${dialog.state === 'ordered' ? 'Оплатить вопрос' : 'Открыть разговор'}: ${dialog.doctor}, ${momentOf(dialog.dateCreate)}`}
                    >
                      {dialog.state === 'ordered' ? `Оплатить ${formatMoney(dialog.sum)}` : 'Открыть'}
                    </Button>
                  </li>
                ))}
              </ul>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

const momentOf = (moment: string): string =>
  new Date(moment).toLocaleString('ru-RU', { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' })

function NewQuestion({
  offer,
  onBack,
  onAsk,
}: {
  offer: NonNullable<PortalDoctorTalks['offer']>
  onBack: () => void
  onAsk: (id: number) => void
}) {
  const [doctor, setDoctor] = useState(offer.doctors[0]?.id)
  const [text, setText] = useState('')
  const chosen = offer.doctors.find(({ id }) => id === doctor)
  const form = useForm(async () => {
    const { id } = await ask('POST /portal/doctor-dialogs', {
      body: { doctor: chosen?.id ?? 0, text: text.trim(), sum: chosen?.price ?? 0 },
    })
    onAsk(id)
  })
  return (
    <form onSubmit={(event) => void form.submit(event)} noValidate>
      <Button tone="plain" onClick={onBack}>
        К вопросам
      </Button>
      <fieldset className="asks gap">
        <legend>Кого спросить</legend>
        <ul className="list">
          {offer.doctors.map(({ id, name, post, price }) => (
            <li key={id} className="card">
              <label className="bill" htmlFor={`doctor${id}`}>
                <input
                  id={`doctor${id}`}
                  type="radio"
                  name="doctor"
                  checked={doctor === id}
                  onChange={() => setDoctor(id)}
                />
                <span>
                  <strong>{name}</strong>
                  {post && <span className="quiet block">{post}</span>}
                </span>
                <b className="number">{formatMoney(price)}</b>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <div className="field gap">
        <label htmlFor="question">Ваш вопрос</label>
        <textarea
          id="question"
          rows={6}
          maxLength={4096}
          aria-invalid={form.wrong.text !== undefined}
          aria-describedby="question-said"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <p
          id="question-said"
          className={form.wrong.text ? 'wrong' : 'quiet'}
          role={form.wrong.text ? 'alert' : undefined}
        >
          {form.wrong.text ?? 'Что беспокоит, с каких пор, какие лекарства принимаете'}
        </p>
      </div>
      <p className="quiet">Ответ не заменяет приём: диагноз и лечение врач назначает только на осмотре.</p>
      {form.wrong.form && (
        <p className="wrong" role="alert">
          {form.wrong.form}
        </p>
      )}
      <Button type="submit" className="button wide" busy={form.busy}>
        Дальше: оплата {chosen && formatMoney(chosen.price)}
      </Button>
    </form>
  )
}

function Question({
  dialog,
  onBack,
  onChange,
}: {
  dialog: PortalDoctorTalk
  onBack: () => void
  onChange: () => void
}) {
  const { id, doctor, state, stateName, answerBy } = dialog
  return (
    <>
      <Button tone="plain" onClick={onBack}>
        К вопросам
      </Button>
      <div className="head gap">
        <h2>{doctor}</h2>
        <span className="chip">{stateName}</span>
      </div>
      {answerBy && <p className="quiet">Врач ответит до {momentOf(answerBy)}.</p>}
      {state === 'refundDue' && (
        <p className="card">Деньги остались на вашем счёте: клиника вернёт их или зачтёт в следующий визит.</p>
      )}
      {state === 'ordered' ? (
        <Order dialog={dialog} onDrop={onBack} onPay={onChange} />
      ) : (
        <Talk dialog={id} closed={state !== 'paid' && state !== 'open'} onChange={onChange} />
      )}
    </>
  )
}

/** Pays a question; a retry after a lost response has the same key, so nothing is paid twice. */
function Order({
  dialog: { id, sum },
  onDrop,
  onPay,
}: {
  dialog: PortalDoctorTalk
  onDrop: () => void
  onPay: () => void
}) {
  const [key, setKey] = useState(() => crypto.randomUUID())
  const form = useForm(async () => {
    try {
      await ask('POST /portal/doctor-dialogs/:id/pay', { params: { id }, body: { key } })
      onPay()
    } catch (error) {
      // A failed payment is final: the next attempt gets a new key.
      if ((error as Refusal).code === 'declined') setKey(crypto.randomUUID())
      throw error
    }
  })
  const drop = useForm(async () => {
    await ask('DELETE /portal/doctor-dialogs/:id', { params: { id } })
    onDrop()
  })
  const [asks, setAsks] = useState(false)
  const wrong = form.wrong.form ?? drop.wrong.form
  return (
    <div className="card">
      <p>Вопрос сохранён. Врач увидит его сразу после оплаты.</p>
      {wrong && (
        <p className="wrong" role="alert">
          {wrong}
        </p>
      )}
      {asks ? (
        <ConfirmPrompt
          question="Удалить вопрос? Написанное пропадёт."
          yes="Да, удалить"
          busy={drop.busy}
          onYes={() => void drop.submit()}
          onNo={() => setAsks(false)}
        />
      ) : (
        <div className="steps">
          <Button busy={form.busy} onClick={() => void form.submit()}>
            Оплатить {formatMoney(sum)}
          </Button>
          <Button tone="plain" onClick={() => setAsks(true)}>
            Отказаться
          </Button>
        </div>
      )}
    </div>
  )
}
