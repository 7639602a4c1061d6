import { formatFromNow } from '@ordinator/model/format'
import { useState } from 'react'
import { deviceName } from '#base/device.ts'
import { ask } from './ask.ts'
import { Button, Loaded } from './parts.tsx'
import { useAsked } from './useAsked.ts'

/** Где вы вошли: other devices can be signed out. */
export function Sessions() {
  const asked = useAsked((signal) => ask('GET /portal/sign-ins', {}, signal), 'sessions')
  const [ending, setEnding] = useState<number>()
  const [wrong, setWrong] = useState<string>()
  const end = async (id: number) => {
    setEnding(id)
    setWrong(undefined)
    try {
      await ask('DELETE /portal/sign-ins/:id', { params: { id } })
    } catch (error) {
      setWrong((error as Error).message)
    }
    setEnding(undefined)
    asked.again()
  }
  return (
    <>
      <h2>Где вы вошли</h2>
      {wrong && <p role="alert">{wrong}</p>}
      <Loaded asked={asked}>
        {({ items }) => (
          <ul className="list">
            {items.map(({ id, userAgent, byLink, dateSeen, isCurrent }) => (
              <li key={id} className="card">
                <div className="head">
                  <strong>{deviceName(userAgent)}</strong>
                  {isCurrent && <span className="chip">Это устройство</span>}
                </div>
                <p className="quiet">
                  {[byLink && 'по личной ссылке', `активность ${formatFromNow(dateSeen)}`].filter(Boolean).join(', ')}
                </p>
                {!isCurrent && (
                  <Button tone="plain" busy={ending === id} onClick={() => void end(id)}>
                    Выйти там
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  )
}
