import { Text } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { DiscountApproval } from '@ordinator/model/areas/discounts/discount'
import { moneyView } from '@ordinator/model/areas/money/access'
import { PaymentLink } from '@ordinator/model/areas/money/link'
import { depositStatuses } from '@ordinator/model/areas/visits/deposit'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { IconCash, IconDiscount } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DebtMark, ShownLink, TakeDialog } from '#areas/money/index.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { useScheduleRights } from '../rights.ts'
import { KEY, type Price, round } from './usePrice.ts'
import { DiscountDialog } from './VisitDiscount.tsx'
import classes from './VisitPanel.module.css'
import { WithdrawPromise } from './WithdrawPromise.tsx'

interface Props {
  visit: {
    id: number
    idFilial: number
    customer: { id: number } | null
    filial?: { timeZone: string | null } | null
  }
  price: Price
  /** Completed: discounts can change while something is unpaid. */
  completed: boolean
}

/** Totals of a visit, payments, and actions. */
export function VisitMoney({ visit, price, completed }: Props) {
  const actor = useActor()
  const rights = useScheduleRights()
  const cache = useQueryClient()
  const [open, setOpen] = useState<'take' | 'discount' | 'promise'>()
  const mayTake = allowed(actor, 'takePayments') && visit.customer !== null
  const sum = (of: 'base' | 'discount' | 'bonus' | 'paid') =>
    round(price.lines.reduce((all, line) => all + line[of], 0))
  const left = round(price.lines.reduce((all, { final, bonus, paid }) => all + Math.max(0, final - bonus - paid), 0))
  const mayDiscount = rights.edit && (!completed || left > 0) && allowed(actor, 'viewDiscounts')
  const mayWithdraw =
    !completed && allowed(actor, 'editVisitPrices') && price.lines.some(({ isPromised }) => isPromised)
  useHotkey('d', () => setOpen('discount'), { label: 'Скидка', group: 'Запись', enabled: mayDiscount && !open })
  useHotkey('o', () => setOpen('take'), { label: 'Принять оплату', group: 'Запись', enabled: mayTake && !open })
  if (price.lines.length === 0) return null
  return (
    <section aria-label="Оплата">
      <HStack justify="space-between" wrap>
        <h2>Оплата</h2>
        {visit.customer && <DebtMark idCustomer={visit.customer.id} />}
      </HStack>
      <dl className={`${classes.facts} tabular`}>
        <dt>Стоимость</dt>
        <dd>{formatMoney(sum('base'))}</dd>
        {sum('discount') > 0 && (
          <>
            <dt>Скидки</dt>
            <dd>−{formatMoney(sum('discount'))}</dd>
          </>
        )}
        {sum('bonus') > 0 && (
          <>
            <dt>Бонусами</dt>
            <dd>−{formatMoney(sum('bonus'))}</dd>
          </>
        )}
        <dt>Оплачено</dt>
        <dd>{formatMoney(sum('paid'))}</dd>
        <dt>К оплате</dt>
        <dd>
          <strong>{formatMoney(left)}</strong>
        </dd>
      </dl>
      <Deposit idAppointment={visit.id} timeZone={visit.filial?.timeZone} mayTake={mayTake} />
      {(price.code || price.manual) && (
        <Muted component="p" mt={4}>
          {price.code && `Промокод ${price.code}`}
          {price.code && price.manual && ' · '}
          {price.manual &&
            `Вручную ${formatNumber(price.manual.value)} ${price.manual.unit === 'percent' ? '%' : '₽'}: ${price.manual.reason}`}
        </Muted>
      )}
      {allowed(actor, DiscountApproval.access.view) && <Asked idAppointment={visit.id} />}
      <HStack wrap gap={6} mt={8}>
        {mayTake && (
          <ActionButton
            label="Принять оплату"
            icon={IconCash}
            variant={left > 0 ? 'filled' : 'default'}
            onClick={() => setOpen('take')}
          />
        )}
        {mayDiscount && (
          <ActionButton label="Скидка…" icon={IconDiscount} variant="default" onClick={() => setOpen('discount')} />
        )}
        {mayWithdraw && (
          <ActionButton label="Отозвать обещанную цену…" reverse variant="default" onClick={() => setOpen('promise')} />
        )}
        {visit.customer && allowed(actor, moneyView) && (
          <PageLink page="customer" search={{ id: visit.customer.id, tab: 'account' }}>
            Счёт клиента
          </PageLink>
        )}
      </HStack>
      {open === 'take' && visit.customer && (
        <TakeDialog idCustomer={visit.customer.id} visit={visit} onClose={() => setOpen(undefined)} />
      )}
      {open === 'discount' && <DiscountDialog id={visit.id} price={price} onClose={() => setOpen(undefined)} />}
      {open === 'promise' && (
        <WithdrawPromise
          id={visit.id}
          promised={[...new Set(price.lines.flatMap((one) => (one.isPromised && one.promise ? [one.promise] : [])))]}
          onDone={(now) => cache.setQueryData([KEY, visit.id], now)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

/** Deposit required by the visit's services: deadline and link. */
function Deposit({
  idAppointment,
  timeZone,
  mayTake,
}: {
  idAppointment: number
  /** Time zone of the branch, for the deadline. */
  timeZone: string | null | undefined
  mayTake: boolean
}) {
  const [open, setOpen] = useState(false)
  const { data } = useQuery({
    queryKey: ['appointments/deposit', idAppointment],
    queryFn: ({ signal }) =>
      api(
        'GET /appointments/:id/deposit',
        { params: { id: idAppointment } },
        { signal, quiet: true, forbidden: 'silent' },
      ),
    meta: { live: [Appointment.path, PaymentLink.path] },
  })
  const deposit = data?.deposit
  if (!deposit || deposit.status === 'dropped') return null
  const { sum, status, dateTo, link } = deposit
  return (
    <HStack wrap gap={8} mt={4} role="status">
      <Text span size="sm" c={status === 'waiting' ? 'var(--mantine-color-error)' : undefined}>
        {depositStatuses[status]}: {formatMoney(sum)}
        {status === 'waiting' && ` до ${formatDateTime(dateTo, timeZone)}, иначе запись освободится`}
      </Text>
      {status === 'waiting' && link && mayTake && (
        <ActionButton label="Ссылка и QR" size="compact-sm" variant="default" onClick={() => setOpen(true)} />
      )}
      {open && link && <ShownLink made={link} onClose={() => setOpen(false)} />}
    </HStack>
  )
}

/** Approval requests of the visit, pending or refused. */
function Asked({ idAppointment }: { idAppointment: number }) {
  const { data } = useList(
    DiscountApproval,
    { filter: { idAppointment, status: { in: ['asked', 'declined'] } }, expand: ['approver'], sort: '-id', limit: 3 },
    { forbidden: 'silent' },
  )
  return data?.items.map(({ id, unit, value, amount, status, answer, approver }) => {
    const size = unit === 'percent' && value !== null ? `${formatNumber(value)} %` : formatMoney(amount)
    return (
      <Muted component="p" key={id} mt={4} role="status">
        {status === 'asked'
          ? `Скидка ${size} ждёт согласования`
          : `В скидке ${size} отказано${approver ? `, ${approver.shortFio}` : ''}${answer ? `: ${answer}` : ''}`}
      </Muted>
    )
  })
}
