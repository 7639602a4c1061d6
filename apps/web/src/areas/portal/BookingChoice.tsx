import type { PortalTime } from '@ordinator/model/areas/portal/bookingCalls'
import { useState } from 'react'
import { ask } from './ask.ts'
import { Button, Empty, Field, Loaded } from './parts.tsx'
import { Times } from './Times.tsx'
import { useAsked } from './useAsked.ts'
import { useWords } from './useWords.ts'

/** Chooses a service, then a time. */
export function ChooseTime({
  service,
  doctor,
  filial,
  onPick,
}: {
  /** Preselected. */
  service?: number
  /** Of the preselected service alone. */
  doctor?: number
  filial?: number
  onPick: (idService: number, time: PortalTime) => void
}) {
  const [idService, setService] = useState(service)
  return idService === undefined ? (
    <Services onPick={setService} />
  ) : (
    <ServiceTimes
      idService={idService}
      {...(idService === service && { doctor, filial })}
      onPick={(time) => onPick(idService, time)}
      onLeave={() => setService(undefined)}
    />
  )
}

function Services({ onPick }: { onPick: (idService: number) => void }) {
  const { typed, setTyped, words } = useWords()
  const asked = useAsked(
    (signal) => ask('GET /portal/booking/services', { query: words ? { q: words } : {} }, signal),
    `services ${words}`,
  )
  return (
    <>
      <Field label="Услуга" type="search" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
      <Loaded asked={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Ничего не нашлось">Попробуйте другие слова или позвоните в клинику.</Empty>
          ) : (
            <ul className="list">
              {items.map(({ id, name, group, price }) => (
                <li key={id}>
                  <button type="button" className="card choice" onClick={() => onPick(id)}>
                    <strong>{name}</strong>
                    <span className="quiet">{[group, price].filter(Boolean).join(', ')}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}

function ServiceTimes({
  idService,
  doctor,
  filial,
  onPick,
  onLeave,
}: {
  idService: number
  doctor?: number | undefined
  filial?: number | undefined
  onPick: (time: PortalTime) => void
  onLeave: () => void
}) {
  const asked = useAsked(
    (signal) =>
      ask(
        'GET /portal/booking/times',
        { query: { service: idService, ...(doctor && { doctor }), ...(filial && { filial }) } },
        signal,
      ),
    `times ${idService} ${doctor} ${filial}`,
  )
  return (
    <>
      <Loaded asked={asked}>
        {({ service, items }) => (
          <>
            <h2>{service}</h2>
            {items.length === 0 ? (
              <p className="quiet">Свободного времени на две недели вперёд нет. Позвоните в клинику.</p>
            ) : (
              <Times times={items} busy={false} onPick={onPick} />
            )}
          </>
        )}
      </Loaded>
      <Button tone="plain" onClick={onLeave}>
        Другая услуга
      </Button>
    </>
  )
}
