import type { PortalTime } from '@ordinator/model/areas/portal/bookingCalls'
import { formatMoney } from '@ordinator/model/format'

/** «Среда, 25 ноября» */
export const dayWords = (day: string): string => {
  const words = new Intl.DateTimeFormat('ru', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(new Date(day))
  return words.charAt(0).toLocaleUpperCase('ru') + words.slice(1)
}

/** Free times by days and doctors: each is a button. */
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
      {[...Map.groupBy(ofDay, ({ idUser, idFilial }) => `${idUser} ${idFilial}`)].map(([key, own]) => (
        <div key={key}>
          <p className="quiet">
            {[own[0]?.doctor, hasFilials && own[0]?.filial, own[0]?.price ? formatMoney(own[0].price) : '']
              .filter(Boolean)
              .join(', ')}
          </p>
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
