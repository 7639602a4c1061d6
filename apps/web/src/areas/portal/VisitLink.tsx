import { phoneText } from '@ordinator/model/phone'
import { useState } from 'react'
import { ask } from './ask.ts'
import { Button, Loaded } from './parts.tsx'
import { dayWords } from './Times.tsx'
import { useAsked } from './useAsked.ts'
import { useForm } from './useForm.ts'

/** A visit by a link from a message: confirm or cancel without sign-in. */
export function VisitLink({ token }: { token: string }) {
  const asked = useAsked((signal) => ask('POST /portal/visit-link/view', { body: { token } }, signal), `visit ${token}`)
  const [sure, setSure] = useState(false)
  const confirm = useForm(async () => {
    await ask('POST /portal/visit-link', { body: { token, action: 'confirm' } })
    asked.again()
  })
  const cancel = useForm(async () => {
    await ask('POST /portal/visit-link', { body: { token, action: 'cancel' } })
    setSure(false)
    asked.again()
  })
  const wrong = confirm.wrong.form ?? cancel.wrong.form
  return (
    <main className="sign-in">
      <Loaded asked={asked}>
        {({ clinicName, visit }) => (
          <>
            <h1>{clinicName || 'Ваш визит'}</h1>
            <section className="card" aria-label="Визит">
              <div className="head">
                <strong>
                  {dayWords(visit.localDate)}, {visit.localStart}
                </strong>
                <span className="chip" data-status={visit.status}>
                  {visit.statusName}
                </span>
              </div>
              <p className="quiet">{[visit.doctor, visit.filial, visit.address].filter(Boolean).join(', ')}</p>
              {wrong && (
                <p className="wrong" role="alert">
                  {wrong}
                </p>
              )}
              {sure ? (
                <div className="steps">
                  <p>Отменить визит? Это время отдадут другому.</p>
                  <Button tone="danger" busy={cancel.busy} onClick={() => void cancel.submit()}>
                    Отменить визит
                  </Button>
                  <Button tone="plain" onClick={() => setSure(false)}>
                    Не отменять
                  </Button>
                </div>
              ) : (
                (visit.mayConfirm || visit.mayCancel) && (
                  <div className="steps">
                    {visit.mayConfirm && (
                      <Button busy={confirm.busy} onClick={() => void confirm.submit()}>
                        Приду
                      </Button>
                    )}
                    {visit.mayCancel && (
                      <Button tone="plain" onClick={() => setSure(true)}>
                        Не приду
                      </Button>
                    )}
                  </div>
                )
              )}
            </section>
            {visit.phone && (
              <p className="quiet foot">
                Вопросы: <a href={`tel:${visit.phone}`}>{phoneText(visit.phone)}</a>
              </p>
            )}
            <p className="quiet">
              <a href="#visits">Личный кабинет</a>
            </p>
          </>
        )}
      </Loaded>
    </main>
  )
}
