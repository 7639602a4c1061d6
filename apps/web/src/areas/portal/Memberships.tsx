import type { MembershipOffer } from '@ordinator/model/areas/memberships/offer'
import type { PortalMemberships } from '@ordinator/model/areas/portal/billCalls'
import type { PortalMe } from '@ordinator/model/areas/portal/shapes'
import { formatMoney } from '@ordinator/model/format'
import { useState } from 'react'
import { ask } from './ask.ts'
import { Button, Empty, Loaded } from './parts.tsx'
import { useAsked } from './useAsked.ts'
import { usePay } from './usePay.tsx'

/** Link to the memberships, if the clinic sells any here. */
export const MembershipsLink = ({ me }: { me: PortalMe }) =>
  me.hasMemberships ? (
    <a className="button wide" data-tone="plain" href="#memberships">
      Купить абонемент
    </a>
  ) : null

/** Абонементы клиники: what is in them, their rules, and the purchase. */
export function Memberships({ me, patient }: { me: PortalMe; patient: number }) {
  const asked = useAsked(
    (signal) => ask('GET /portal/memberships', { query: { patient } }, signal),
    `offers ${patient}`,
  )
  const [bought, setBought] = useState<string>()
  if (!me.isProven) return <p className="card">Войдите по коду, чтобы купить абонемент.</p>
  if (bought)
    return (
      <div className="card" role="status">
        <p>Абонемент «{bought}» куплен. Остаток и история — в разделе «Счёт», чек придёт на телефон или почту.</p>
        <a className="button" href="#bills">
          К счёту
        </a>
      </div>
    )
  return (
    <Loaded asked={asked}>
      {({ items, pay }) =>
        items.length === 0 ? (
          <Empty title="Абонементов сейчас нет">Спросите о них в регистратуре.</Empty>
        ) : (
          <ul className="list">
            {items.map((offer) => (
              <Offer
                key={`${offer.id} ${patient}`}
                offer={offer}
                pay={pay}
                me={me}
                patient={patient}
                onBuy={() => setBought(offer.name)}
                onChange={asked.again}
              />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

interface OfferProps {
  offer: MembershipOffer
  pay: PortalMemberships['pay']
  me: PortalMe
  patient: number
  onBuy: () => void
  /** The offer is not as shown. */
  onChange: () => void
}

/** Buys at the shown price. */
function Offer({ offer, pay, me, patient, onBuy, onChange }: OfferProps) {
  const { id, name, price, whose, covers, rules } = offer
  const people = [me.person, ...me.family]
  const [users, setUsers] = useState<ReadonlySet<number>>(new Set([patient]))
  const [isOpen, setIsOpen] = useState(false)
  const isShared = whose === 'family' && people.length > 1
  const { form, renew, foot } = usePay({
    send: (common) =>
      ask('POST /portal/payments', {
        query: { patient },
        body: {
          ...common,
          membership: { idType: id, ...(isShared && users.size > 0 && { users: [...users] }) },
          sum: price,
        },
      }),
    onPaid: onBuy,
    onChange,
  })
  return (
    <li className="card">
      <div className="head">
        <strong>{name}</strong>
        <b className="number">{formatMoney(price)}</b>
      </div>
      <ul>
        {covers.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {rules.map((one) => (
        <p key={one} className="quiet">
          {one}
        </p>
      ))}
      {!pay.isOn ? (
        <p className="quiet">Купить можно в клинике.</p>
      ) : !isOpen ? (
        <Button tone="plain" className="button wide" onClick={() => setIsOpen(true)}>
          Купить
        </Button>
      ) : (
        <form onSubmit={(event) => void form.submit(event)} noValidate>
          {isShared && (
            <fieldset>
              <legend>Кто будет ходить</legend>
              {people.map((one) => (
                <label key={one.id} className="bill" htmlFor={`user${id}-${one.id}`}>
                  <input
                    id={`user${id}-${one.id}`}
                    type="checkbox"
                    checked={users.has(one.id)}
                    onChange={(event) => {
                      const next = new Set(users)
                      if (event.currentTarget.checked) next.add(one.id)
                      else next.delete(one.id)
                      setUsers(next)
                      renew()
                    }}
                  />
                  <span>{one.fio}</span>
                </label>
              ))}
            </fieldset>
          )}
          {foot({
            isSimulated: pay.isSimulated,
            fields: ['sum', 'membership.users', 'membership.idType'],
            disabled: isShared && users.size === 0,
            label: isShared && users.size === 0 ? 'Выберите, кто будет ходить' : `Оплатить ${formatMoney(price)}`,
          })}
        </form>
      )}
    </li>
  )
}
