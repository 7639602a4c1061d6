import type { PortalFamily, PortalPaidFor } from '@ordinator/model/areas/portal/billCalls'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { ask } from './ask.ts'
import { Button, Loaded } from './parts.tsx'
import { useAsked } from './useAsked.ts'
import { useForm } from './useForm.ts'

/** Семейный счёт: those for whom the patient pays, and those who pay for the patient. */
export function Family() {
  const asked = useAsked((signal) => ask('GET /portal/family', undefined, signal), 'family')
  return (
    <Loaded asked={asked}>
      {({ isBlocked, members, payers }) => (
        <>
          {members.length > 0 && (
            <>
              <h2>Вы платите за семью</h2>
              {isBlocked && <p className="wrong">Счёт заблокирован: позвоните в клинику.</p>}
              <ul className="list">
                {members.map((one) => (
                  <Member key={one.id} member={one} />
                ))}
              </ul>
            </>
          )}
          {payers.map((one) => (
            <Payer key={one.id} payer={one} onChange={asked.again} />
          ))}
        </>
      )}
    </Loaded>
  )
}

const ofMonth = ({ spent, limit }: Pick<PortalPaidFor, 'spent' | 'limit'>): string =>
  limit === null
    ? `в этом месяце ${formatMoney(spent)}`
    : `в этом месяце ${formatMoney(spent)} из ${formatMoney(limit)}`

const Member = ({ member: { name, moves, seesServices, ...sums } }: { member: PortalPaidFor }) => (
  <li className="card">
    <strong>{name}</strong>
    <div>{ofMonth(sums)}</div>
    {moves.length > 0 && (
      <details>
        <summary>Платежи</summary>
        <ul>
          {moves.map(({ id, localDate, sum, services }) => (
            <li key={id}>
              {formatDay(localDate)}: <span className="number">{formatMoney(sum)}</span>
              {services && <span className="quiet">, {services}</span>}
            </li>
          ))}
        </ul>
        {!seesServices && <p className="quiet">Услуги видны, если сам пациент на это согласен.</p>}
      </details>
    )}
  </li>
)

function Payer({ payer, onChange }: { payer: PortalFamily['payers'][number]; onChange: () => void }) {
  const { id, name, isOpen, isBlocked } = payer
  const form = useForm(async () => {
    await ask('POST /portal/family/:id/open', { params: { id }, body: { isOpen: !isOpen } })
    onChange()
  })
  return (
    <section className="card" aria-label="Кто платит за вас">
      <h2>За вас платит {name}</h2>
      <p>{isBlocked ? 'Счёт заблокирован: платите сами или позвоните в клинику.' : `${ofMonth(payer)}.`}</p>
      <p className="quiet">
        {isOpen
          ? 'Плательщик видит суммы и названия ваших услуг.'
          : 'Плательщик видит только суммы: ваши визиты — врачебная тайна.'}
      </p>
      {form.wrong.form && (
        <p className="wrong" role="alert">
          {form.wrong.form}
        </p>
      )}
      <div className="row">
        <Button tone="plain" busy={form.busy} onClick={() => void form.submit()}>
          {isOpen ? 'Не показывать услуги' : 'Показывать услуги'}
        </Button>
      </div>
    </section>
  )
}
