import type { PortalMe } from '@ordinator/model/areas/portal/shapes'
import { useState } from 'react'
import { Questions } from './Questions.tsx'
import { Talk } from './Talk.tsx'

/** Чат: with the clinic, and paid with doctors. */
export function Chat({ me }: { me: PortalMe }) {
  const [chosen, setChosen] = useState<'clinic' | 'doctors'>(me.actions.includes('chat') ? 'clinic' : 'doctors')
  if (me.byLink)
    return (
      <p className="card">
        По личной ссылке переписка не открывается. Чтобы писать клинике, выйдите из кабинета в разделе «Данные» и
        войдите кодом из СМС или позвоните.
      </p>
    )
  return (
    <>
      {me.actions.includes('chat') && me.actions.includes('doctor') && (
        <fieldset className="switch">
          <legend className="away">С кем разговор</legend>
          {(['clinic', 'doctors'] as const).map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="talk"
                className="away"
                checked={chosen === one}
                onChange={() => setChosen(one)}
              />
              <span>{one === 'clinic' ? 'Администратор' : 'Врачи'}</span>
            </label>
          ))}
        </fieldset>
      )}
      {chosen === 'clinic' ? <Talk /> : <Questions />}
    </>
  )
}
