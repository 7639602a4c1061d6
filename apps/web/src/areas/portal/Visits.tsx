import type { PortalMe, PortalVisit } from '@ordinator/model/areas/portal/shapes'
import { formatMoney } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { useState } from 'react'
import { ask, type Refusal } from './ask.ts'
import { GoodsLink } from './Goods.tsx'
import { Move } from './Move.tsx'
import { Button, CalendarLink, ConfirmPrompt, Cost, Empty, Loaded } from './parts.tsx'
import { dayWords } from './Times.tsx'
import { useAsked } from './useAsked.ts'

/** Мои визиты: future and past. */
export function Visits({ me, patient }: { me: PortalMe; patient: number }) {
  const asked = useAsked((signal) => ask('GET /portal/visits', { query: { patient } }, signal), `visits ${patient}`)
  return (
    <Loaded asked={asked}>
      {({ ahead, past }) =>
        ahead.length + past.length === 0 ? (
          <>
            <Empty title="Визитов пока нет">Когда вас запишут, здесь будут день, время и адрес.</Empty>
            <BookLink me={me} />
            <GoodsLink me={me} />
          </>
        ) : (
          <>
            <BookLink me={me} />
            <h2>Предстоящие</h2>
            {ahead.length === 0 && <p className="quiet">Записей впереди нет.</p>}
            <ul className="list">
              {ahead.map((visit) => (
                <Visit key={visit.id} visit={visit} me={me} patient={patient} onChange={asked.again} />
              ))}
            </ul>
            {past.length > 0 && (
              <>
                <h2>Прошедшие</h2>
                <ul className="list">
                  {past.map((visit) => (
                    <Visit key={visit.id} visit={visit} me={me} patient={patient} onChange={asked.again} />
                  ))}
                </ul>
              </>
            )}
            <GoodsLink me={me} />
          </>
        )
      }
    </Loaded>
  )
}

const BookLink = ({ me }: { me: PortalMe }) =>
  me.actions.includes('book') && me.isProven ? (
    <a className="button wide" href="#book">
      Записаться
    </a>
  ) : null

function Visit({
  visit,
  me,
  patient,
  onChange,
}: {
  visit: PortalVisit
  me: PortalMe
  patient: number
  onChange: () => void
}) {
  const [asks, setAsks] = useState(false)
  const [moves, setMoves] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const act = async (action: 'confirm' | 'cancel') => {
    setBusy(true)
    setRefused(undefined)
    try {
      await ask('POST /portal/visits/:id/answer', { params: { id: visit.id }, query: { patient }, body: { action } })
      onChange()
    } catch (error) {
      setRefused((error as Refusal).message)
    }
    setBusy(false)
    setAsks(false)
  }
  const ahead = visit.mayConfirm || visit.mayCancel || visit.mayMove
  return (
    <li className="card">
      <div className="head">
        <strong>
          {dayWords(visit.localDate)}, {visit.localStart}
        </strong>
        <span className="chip" data-status={visit.status}>
          {visit.statusName}
        </span>
      </div>
      {visit.services && <p>{visit.services}</p>}
      <p>{visit.doctor}</p>
      <p className="quiet">{[visit.filial, visit.address].filter(Boolean).join(', ')}</p>
      {visit.cost !== null && (visit.cost > 0 || visit.fullCost !== null) && (
        <Cost price={visit.cost} full={visit.fullCost} why={visit.why} />
      )}
      {visit.deposit && (
        <p role="status">
          Внесите предоплату {formatMoney(visit.deposit.sum)} до {visit.deposit.until}, иначе запись освободится.{' '}
          {visit.deposit.url ? <a href={visit.deposit.url}>Внести предоплату</a> : 'Её принимают в клинике.'}
        </p>
      )}
      {refused && (
        <p className="wrong" role="alert">
          {refused}
        </p>
      )}
      {ahead && !asks && !moves && (
        <div className="row">
          {visit.mayConfirm && (
            <Button busy={busy} onClick={() => void act('confirm')}>
              Подтвердить
            </Button>
          )}
          {visit.mayMove && (
            <Button tone="plain" onClick={() => setMoves(true)}>
              Перенести
            </Button>
          )}
          {visit.mayCancel && (
            <Button tone="plain" onClick={() => setAsks(true)}>
              Отменить
            </Button>
          )}
          <CalendarLink href={`/portal/visits/${visit.id}/calendar?patient=${patient}`} />
        </div>
      )}
      {moves && (
        <Move
          visit={visit}
          patient={patient}
          onLeave={() => setMoves(false)}
          onMove={() => {
            setMoves(false)
            onChange()
          }}
        />
      )}
      {asks && (
        <ConfirmPrompt
          question="Отменить этот визит?"
          yes="Да, отменить"
          busy={busy}
          onYes={() => void act('cancel')}
          onNo={() => setAsks(false)}
        />
      )}
      {!visit.mayCancel &&
        ['booked', 'confirmed'].includes(visit.status) &&
        visit.phone &&
        me.actions.includes('cancel') && (
          <p className="quiet">
            Отменить или перенести: <a href={`tel:${visit.phone}`}>{phoneText(visit.phone)}</a>
          </p>
        )}
    </li>
  )
}
