import type {
  PortalBillLine,
  PortalBills,
  PortalMembership,
  PortalPayment,
} from '@ordinator/model/areas/portal/billCalls'
import type { PortalMe } from '@ordinator/model/areas/portal/shapes'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { useState } from 'react'
import { ask } from './ask.ts'
import { Family } from './Family.tsx'
import { MembershipsLink } from './Memberships.tsx'
import { Button, Empty, Loaded } from './parts.tsx'
import { useAsked } from './useAsked.ts'
import { useForm } from './useForm.ts'
import { usePay } from './usePay.tsx'

/** Счёт: unpaid services and payments. */
export function Bills({ me, patient }: { me: PortalMe; patient: number }) {
  const asked = useAsked((signal) => ask('GET /portal/bills', { query: { patient } }, signal), `bills ${patient}`)
  if (!me.isProven)
    return <p className="card">По этой ссылке видно только время визитов. Войдите по коду, чтобы увидеть счёт.</p>
  const hasFamily = me.hasFamily && patient === me.person.id
  return (
    <Loaded asked={asked}>
      {(bills) =>
        !hasFamily &&
        bills.lines.length + bills.payments.length + bills.memberships.length === 0 &&
        bills.debt + bills.advance === 0 ? (
          <>
            <Empty title="Расчётов пока нет">Здесь будут счета, платежи и чеки.</Empty>
            <MembershipsLink me={me} />
          </>
        ) : (
          <>
            <Balance bills={bills} />
            {hasFamily && <Family />}
            {bills.lines.length > 0 && <Unpaid bills={bills} patient={patient} onPay={asked.again} />}
            {bills.memberships.length > 0 && (
              <>
                <h2>Абонементы</h2>
                <ul className="list">
                  {bills.memberships.map((one) => (
                    <Membership key={one.id} membership={one} />
                  ))}
                </ul>
              </>
            )}
            <MembershipsLink me={me} />
            {bills.payments.length > 0 && (
              <>
                <h2>Платежи</h2>
                <ul className="list">
                  {bills.payments.map((one) => (
                    <Payment key={one.id} payment={one} patient={patient} onChange={asked.again} />
                  ))}
                </ul>
              </>
            )}
          </>
        )
      }
    </Loaded>
  )
}

const Balance = ({ bills: { debt, advance } }: { bills: PortalBills }) => (
  <dl className="card facts sums">
    <div>
      <dt>Долг</dt>
      <dd className="number">{formatMoney(debt)}</dd>
    </div>
    <div>
      <dt>Аванс</dt>
      <dd className="number">{formatMoney(advance)}</dd>
    </div>
  </dl>
)

const Membership = ({ membership: { name, state, moves } }: { membership: PortalMembership }) => (
  <li className="card">
    <strong>{name}</strong>
    <div>{state}</div>
    {moves.length > 0 && (
      <details>
        <summary>История</summary>
        <ul>
          {moves.map(({ id, localDate, what }) => (
            <li key={id}>
              {formatDay(localDate)}: {what.toLowerCase()}
            </li>
          ))}
        </ul>
      </details>
    )}
  </li>
)

const sumOf = (lines: readonly PortalBillLine[]): number =>
  lines.reduce((all, { rest }) => all + Math.round(rest * 100), 0) / 100

/** Pays the chosen services together. */
function Unpaid({ bills, patient, onPay }: { bills: PortalBills; patient: number; onPay: () => void }) {
  const payable = bills.lines.filter(({ mayPay }) => mayPay)
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const chosen = bills.pay.isOn ? payable.filter(({ id }) => !left.has(id)) : []
  const sum = sumOf(chosen)
  const { form, renew, foot } = usePay({
    send: (common) =>
      ask('POST /portal/payments', {
        query: { patient },
        body: { ...common, lines: chosen.map(({ id }) => id), sum },
      }),
    onPaid: onPay,
    onChange: onPay,
  })
  return (
    <form onSubmit={(event) => void form.submit(event)} noValidate>
      <h2>Не оплачено</h2>
      <ul className="list">
        {bills.lines.map((line) => {
          const mayPay = bills.pay.isOn && line.mayPay
          return (
            <li key={line.id} className="card">
              {mayPay ? (
                <label className="bill" htmlFor={`line${line.id}`}>
                  <input
                    id={`line${line.id}`}
                    type="checkbox"
                    checked={!left.has(line.id)}
                    onChange={(event) => {
                      const next = new Set(left)
                      if (event.currentTarget.checked) next.delete(line.id)
                      else next.add(line.id)
                      setLeft(next)
                      renew()
                    }}
                  />
                  <Line line={line} />
                </label>
              ) : (
                <div className="bill">
                  <Line line={line} />
                </div>
              )}
            </li>
          )
        })}
      </ul>
      {bills.pay.isOn && payable.length > 0 ? (
        foot({
          isSimulated: bills.pay.isSimulated,
          fields: ['lines', 'sum'],
          disabled: chosen.length === 0,
          label: chosen.length === 0 ? 'Выберите, что оплатить' : `Оплатить ${formatMoney(sum)}`,
        })
      ) : (
        <p className="quiet">Оплатить можно в клинике.</p>
      )}
    </form>
  )
}

const Line = ({ line }: { line: PortalBillLine }) => (
  <>
    <span>
      {line.service}
      <br />
      <span className="quiet">
        {formatDay(line.localDate)}, {line.doctor}
        {line.isGiven ? '' : ', заранее'}
      </span>
    </span>
    <b className="number">{formatMoney(line.rest)}</b>
  </>
)

function Payment({ payment, patient, onChange }: { payment: PortalPayment; patient: number; onChange: () => void }) {
  const form = useForm(async () => {
    await ask('POST /portal/payments/:id/settle', { params: { id: payment.id }, query: { patient } })
    onChange()
  })
  const { receipt } = payment
  return (
    <li className="card">
      <div className="head">
        <strong className="number">
          {payment.kind === 'refund' && '−'}
          {formatMoney(payment.sum)}
        </strong>
        <span className="chip">{payment.kind === 'refund' ? payment.kindName : payment.statusName}</span>
      </div>
      <p className="quiet">{[formatDay(payment.localDate), payment.methods].filter(Boolean).join(', ')}</p>
      {payment.refusal && <p className="wrong">{payment.refusal}</p>}
      {receipt && (
        <p className="quiet number">
          Чек: ФД {receipt.fd}
          {receipt.fpd && `, ФПД ${receipt.fpd}`}
          {receipt.fn && `, ФН ${receipt.fn}`}
        </p>
      )}
      {payment.status === 'work' && (
        <>
          <p>Ждём ответа банка. Второй раз деньги не спишутся.</p>
          {form.wrong.form && (
            <p className="wrong" role="alert">
              {form.wrong.form}
            </p>
          )}
          <Button tone="plain" busy={form.busy} onClick={() => void form.submit()}>
            Проверить
          </Button>
        </>
      )}
    </li>
  )
}
