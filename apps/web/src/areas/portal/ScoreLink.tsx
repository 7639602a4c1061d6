import { useState } from 'react'
import { ask } from './ask.ts'
import { Button, Loaded } from './parts.tsx'
import { dayWords } from './Times.tsx'
import { useAsked } from './useAsked.ts'
import { useForm } from './useForm.ts'

const scores = Array.from({ length: 11 }, (_, at) => at)

/** Scores beside which a letter to the head of the clinic is offered. */
const LOW = 6

/** Rating of a visit by a link from a message: one answer, without sign-in. */
export function ScoreLink({ token }: { token: string }) {
  const asked = useAsked((signal) => ask('POST /portal/score-link/view', { body: { token } }, signal), `score ${token}`)
  const [score, setScore] = useState<number>()
  const [comment, setComment] = useState('')
  const give = useForm(async () => {
    if (score === undefined) return
    await ask('POST /portal/score-link', { body: { token, score, comment } })
    asked.again()
  })
  const wrong = give.wrong.form ?? give.wrong.comment ?? give.wrong.score
  return (
    <main className="sign-in">
      <Loaded asked={asked}>
        {(visit) => (
          <>
            <h1>{visit.clinicName || 'Ваш визит'}</h1>
            <section className="card" aria-label="Оценка визита">
              <p className="quiet">
                {[dayWords(visit.localDate), visit.doctor, visit.filial].filter(Boolean).join(', ')}
              </p>
              {visit.score !== null ? (
                <>
                  <p role="status">Спасибо! Ваша оценка — {visit.score} из 10. Её видят руководители клиники.</p>
                  {visit.score <= LOW && <ToHead token={token} />}
                  {visit.routes.length > 0 && (
                    <>
                      <p>Если хотите, расскажите о клинике и другим:</p>
                      <ul className="list">
                        {visit.routes.map(({ site, url }) => (
                          <li key={url}>
                            <a className="button wide" data-tone="plain" href={url} target="_blank" rel="noreferrer">
                              {site}
                            </a>
                          </li>
                        ))}
                      </ul>
                    </>
                  )}
                </>
              ) : (
                <>
                  <fieldset className="scores">
                    <legend>Посоветуете ли вы нашу клинику близким?</legend>
                    {scores.map((one) => (
                      <label key={one}>
                        <input type="radio" name="score" checked={score === one} onChange={() => setScore(one)} />
                        <span>{one}</span>
                      </label>
                    ))}
                  </fieldset>
                  <p className="quiet">0 — точно нет, 10 — точно да. Отвечать не обязательно.</p>
                  <div className="field">
                    <label htmlFor="score-comment">Что понравилось или что исправить, если хотите</label>
                    <textarea
                      id="score-comment"
                      rows={3}
                      maxLength={1000}
                      value={comment}
                      onChange={(event) => setComment(event.currentTarget.value)}
                    />
                  </div>
                  {wrong && (
                    <p className="wrong" role="alert">
                      {wrong}
                    </p>
                  )}
                  <Button busy={give.busy} disabled={score === undefined} onClick={() => void give.submit()}>
                    Отправить оценку
                  </Button>
                </>
              )}
            </section>
            <p className="quiet">
              <a href="#visits">Личный кабинет</a>
            </p>
          </>
        )}
      </Loaded>
    </main>
  )
}

/** A letter to the head of the clinic, beside a low score. */
function ToHead({ token }: { token: string }) {
  const [text, setText] = useState('')
  const [isSent, setSent] = useState(false)
  const send = useForm(async () => {
    await ask('POST /portal/score-link/head', { body: { token, text } })
    setSent(true)
  })
  const wrong = send.wrong.form ?? send.wrong.text
  if (isSent) return <p role="status">Руководитель прочитает ваше письмо и ответит вам.</p>
  return (
    <>
      <div className="field">
        <label htmlFor="score-head">Написать руководителю</label>
        <textarea
          id="score-head"
          rows={4}
          maxLength={2000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <p className="quiet">Что произошло и как вам ответить. Это прочитает только руководитель.</p>
      </div>
      {wrong && (
        <p className="wrong" role="alert">
          {wrong}
        </p>
      )}
      <Button busy={send.busy} disabled={text.trim() === ''} onClick={() => void send.submit()}>
        Отправить руководителю
      </Button>
    </>
  )
}
