import type { PortalTime } from '@ordinator/model/areas/portal/bookingCalls'
import { Cost } from './parts.tsx'

/** «Среда, 25 ноября», with the year of another one. */
export const dayWords = (day: string): string => {
  const words = new Intl.DateTimeFormat('ru', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(Number(day.slice(0, 4)) !== new Date().getFullYear() && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(day))
  return words.charAt(0).toLocaleUpperCase('ru') + words.slice(1)
}

/** Groups times of one doctor, branch and price. */
const ownKey = ({ idUser, idFilial, price, why }: PortalTime) => JSON.stringify([idUser, idFilial, price, why])

function Offer({
  time: { doctor, filial, price, fullPrice, why },
  hasFilials,
}: {
  time: PortalTime
  hasFilials: boolean
}) {
  const isPriced = price !== null && (price > 0 || fullPrice !== null)
  return (
    <>
      <p className="quiet">{[doctor, hasFilials && filial].filter(Boolean).join(', ')}</p>
      {isPriced && <Cost price={price} full={fullPrice} why={why} />}
    </>
  )
}

/** Free times by day and doctor, as buttons. */
export function Times({
  times,
  busy,
  onPick,
}: {
  times: readonly PortalTime[]
  busy: boolean
  onPick: (time: PortalTime) => void
}) {
  const days = [...Map.groupBy(times, ({ localDate }) => localDate)]
  const hasFilials = new Set(times.map(({ idFilial }) => idFilial)).size > 1
  return days.map(([day, ofDay]) => (
    <section key={day} className="day">
      <h3>{dayWords(day)}</h3>
      {[...Map.groupBy(ofDay, ownKey)].map(([key, own]) => (
        <div key={key}>
          {own[0] && <Offer time={own[0]} hasFilials={hasFilials} />}
          <ul className="times">
            {own.map((time) => (
              <li key={time.localStart}>
                <button
                  type="button"
                  className="time"
                  disabled={busy}
                  aria-label={`${dayWords(day)}, ${time.localStart}, ${time.doctor}`}
                  onClick={() => onPick(time)}
                >
                  {time.localStart}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  ))
}
