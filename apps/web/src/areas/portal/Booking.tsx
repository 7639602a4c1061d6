import type { PortalBooking, PortalTime } from '@ordinator/model/areas/portal/bookingCalls'
import type { PortalMe, PortalStart } from '@ordinator/model/areas/portal/shapes'
import { solveWork } from '@ordinator/model/areas/portal/work'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { ask, Refusal } from './ask.ts'
import { ChooseTime } from './BookingChoice.tsx'
import { Confirm, Phone } from './BookingSteps.tsx'
import { Button, CalendarLink, Cost, Loaded } from './parts.tsx'
import { sent } from './sent.ts'
import { dayWords, Times } from './Times.tsx'
import { useAsked } from './useAsked.ts'

export interface Choice {
  service: number
  doctor: number
  filial: number
  day: string
  start: string
}

/** Parses a link of the site to a free time: `#book=12.5.3.2026-12-01.10:30`. */
export function choiceOf(hash: string): Choice | undefined {
  const found = /^#book=(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.(\d{4}-\d\d-\d\d)\.(\d\d:\d\d)$/.exec(hash)
  if (!found) return undefined
  const [, service, doctor, filial, day = '', start = ''] = found
  return { service: Number(service), doctor: Number(doctor), filial: Number(filial), day, start }
}

/** Interval of renewals of a hold, ms. */
const PROLONG_MS = 60_000
/** Interval while the phone is not confirmed: the desk may give the time away. */
const UNKNOWN_MS = 10_000

/** Titles above errors, by code. */
const TITLES: Readonly<Record<string, string>> = {
  taken: 'Это время заняли',
  overruled: 'Это время отдали другому',
}

/** Holds the time; does the proof of work if required. @param onWork called when it starts @throws Refusal */
async function held(choice: Choice, onWork: () => void): Promise<PortalBooking> {
  const chosen = { ...choice, ...(sent.click && { click: sent.click }), ...(sent.friend && { friend: sent.friend }) }
  try {
    return await ask('POST /portal/booking', { body: chosen })
  } catch (error) {
    if (!(error instanceof Refusal && error.work)) throw error
    // Browsers provide Web Crypto only on https pages.
    if (!globalThis.crypto?.subtle)
      throw new Refusal(
        error.status,
        'Сейчас записываются очень многие. Войдите по номеру телефона или позвоните в клинику',
      )
    onWork()
    const work = await solveWork(error.work)
    return ask('POST /portal/booking', { body: { ...chosen, work } })
  }
}

/** Запись: holds a time chosen on the site or here, identifies the patient, and books. */
export function Booking({
  start,
  me,
  choice,
  onEnter,
}: {
  start: PortalStart
  me: PortalMe | undefined
  choice: Choice | undefined
  onEnter: (me: PortalMe) => void
}) {
  const [booking, setBooking] = useState<PortalBooking>()
  const [isNew, setNew] = useState(false)
  const [gone, setGone] = useState<{ refusal: Refusal; service: number }>()
  const [busy, setBusy] = useState<'holds' | 'works'>()
  const asked = useAsked((signal) => ask('GET /portal/booking', undefined, signal), 'booking')
  useEffect(() => {
    document.title = 'Запись на приём'
  }, [])
  const begin = useCallback(async (chosen: Choice) => {
    setBusy('holds')
    setGone(undefined)
    try {
      setBooking(await held(chosen, () => setBusy('works')))
      // A reload resumes the held booking.
      history.replaceState(null, '', '#book')
    } catch (error) {
      setGone({ refusal: error as Refusal, service: chosen.service })
    }
    setBusy(undefined)
  }, [])
  const begun = useRef('')
  useEffect(() => {
    const mark = JSON.stringify(choice)
    if (!choice || begun.current === mark) return
    begun.current = mark
    void begin(choice)
  }, [choice, begin])

  const pick = (service: number) => (time: PortalTime) =>
    void begin({ service, doctor: time.idUser, filial: time.idFilial, day: time.localDate, start: time.localStart })
  const leave = async () => {
    await ask('DELETE /portal/booking').catch(() => {})
    setBooking(undefined)
    asked.again()
  }
  const change = useCallback((next: PortalBooking) => {
    setBooking(next)
    if (!next.isOverruled) return
    setBooking(undefined)
    const words =
      'Телефон ещё не был подтверждён, и клиника записала на это время другого пациента. Выберите другое время'
    setGone({ refusal: new Refusal(409, words, { code: 'overruled' }), service: next.idService })
  }, [])
  if (gone)
    return (
      <Frame me={me} title={TITLES[gone.refusal.code ?? ''] ?? 'Записаться не получилось'}>
        <p className="wrong" role="alert">
          {gone.refusal.message}
        </p>
        {gone.refusal.alternatives.length > 0 && (
          <Times times={gone.refusal.alternatives} busy={false} onPick={pick(gone.service)} />
        )}
        {gone.refusal.code === 'overruled' ? (
          <ChooseTime service={gone.service} onPick={(service, time) => pick(service)(time)} />
        ) : (
          <Button tone="plain" onClick={() => setGone(undefined)}>
            Выбрать другое время
          </Button>
        )}
      </Frame>
    )
  if (busy || (choice && begun.current === ''))
    return (
      <Frame me={me} title="Запись на приём">
        <div className="waits" role="status">
          {busy === 'works' ? (
            <>
              <p>Сейчас записываются очень многие.</p>
              <p className="quiet">
                Браузер показывает, что вы не программа. Это займёт несколько секунд, делать ничего не нужно.
              </p>
            </>
          ) : (
            'Держим время за вами…'
          )}
        </div>
      </Frame>
    )
  return (
    <Loaded asked={asked}>
      {(kept) => {
        const now = booking ?? kept.booking
        if (!now || now.isOverruled || (now.idVisit !== null && !booking))
          return (
            <Frame me={me} title="Запись на приём">
              <ChooseTime {...sent.place} onPick={(service, time) => pick(service)(time)} />
            </Frame>
          )
        if (now.idVisit !== null)
          return (
            <Frame me={me} title="Вы записаны">
              <Summary booking={now} />
              <p role="status">
                Мы ждём вас.{' '}
                {now.preparation && 'К приёму нужно подготовиться: спросите в клинике или прочитайте на сайте.'}
              </p>
              <div className="row">
                {me && (
                  <a className="button" href="#visits">
                    Мои визиты
                  </a>
                )}
                <CalendarLink href="/portal/booking/calendar" />
              </div>
            </Frame>
          )
        return (
          <Frame me={me} title="Запись на приём">
            <Summary booking={now} />
            <Held booking={now} isKnown={me !== undefined || now.phone !== null} onChange={change} />
            {me?.isProven || isNew || now.phone !== null ? (
              <Confirm
                me={me}
                booking={now}
                onBook={(idVisit, next) => {
                  setBooking({ ...now, idVisit })
                  if (next) onEnter(next)
                }}
                onWhose={(patient) => {
                  ask('GET /portal/booking', { query: { patient } }).then(
                    (next) => next.booking && setBooking(next.booking),
                    () => {},
                  )
                }}
                onTaken={(refusal) => setGone({ refusal, service: now.idService })}
              />
            ) : (
              <Phone
                start={start}
                booking={now}
                onEnter={(next) => {
                  if (next) onEnter(next)
                  else setNew(true)
                }}
              />
            )}
            <Button tone="plain" onClick={() => void leave()}>
              Выбрать другое время
            </Button>
          </Frame>
        )
      }}
    </Loaded>
  )
}

const Frame = ({ me, title, children }: { me: PortalMe | undefined; title: string; children: ReactNode }) => (
  <main className="sign-in booking">
    {me && (
      <p>
        <a href="#visits">← Мои визиты</a>
      </p>
    )}
    <h1>{title}</h1>
    {children}
  </main>
)

const Summary = ({ booking }: { booking: PortalBooking }) => (
  <div className="card">
    <p>
      <strong>
        {dayWords(booking.localDate)}, {booking.localStart}
      </strong>
    </p>
    <p>{booking.service}</p>
    <p>{booking.doctor}</p>
    <p className="quiet">{[booking.filial, booking.address].filter(Boolean).join(', ')}</p>
    {booking.price !== null && (booking.price > 0 || booking.fullPrice !== null) && (
      <Cost price={booking.price} full={booking.fullPrice} why={booking.why} />
    )}
  </div>
)

/** Remaining hold; renewed while the page is visible. */
function Held({
  booking,
  isKnown,
  onChange,
}: {
  booking: PortalBooking
  isKnown: boolean
  onChange: (booking: PortalBooking) => void
}) {
  const { heldUntil } = booking
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const latest = useRef(booking)
  latest.current = booking
  useEffect(() => {
    const timer = setInterval(
      () => {
        if (document.visibilityState === 'visible')
          ask('POST /portal/booking/prolong').then(
            (next) => onChange({ ...latest.current, ...next }),
            () => {},
          )
      },
      isKnown ? PROLONG_MS : UNKNOWN_MS,
    )
    return () => clearInterval(timer)
  }, [onChange, isKnown])
  const left = heldUntil === null ? 0 : Math.max(0, Math.round((Date.parse(heldUntil) - now) / 1000))
  return (
    <p className="quiet" aria-live="off">
      {left > 0 ? (
        <>
          Время держится за вами ещё{' '}
          <span className="number">
            {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
          </span>
        </>
      ) : (
        'Время больше не держится за вами: если его не заняли, запишем.'
      )}
    </p>
  )
}
