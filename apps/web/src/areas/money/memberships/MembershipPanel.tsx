import { allowed } from '@ordinator/model/access'
import {
  Membership,
  MembershipMove,
  MembershipUser,
  membershipMoves,
} from '@ordinator/model/areas/memberships/membership'
import { membershipStates, restWords } from '@ordinator/model/areas/memberships/rules'
import { Payment } from '@ordinator/model/areas/money/payment'
import type { Row } from '@ordinator/model/entity'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { IconPlayerPause, IconPlayerPlay, IconReceiptRefund } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerLink } from '#areas/customers/index.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { notifyTitledFailure } from '#records/notifyFailure.ts'
import { useList, useRecord } from '#records/reads.ts'
import { PartList } from '#records/registry/PartList.tsx'
import { RefundDialog } from '../desk/RefundDialog.tsx'

type MembershipRow = Row<typeof Membership>

/** The rest of a membership, the refund by its formula, freezing. */
export function MembershipActions({ membership }: { membership: MembershipRow }) {
  const actor = useActor()
  const [open, setOpen] = useState<'freeze' | 'refund'>()
  const { id, state, freezeDays, frozenDays, frozenTo, dateTo } = membership
  const quote = useQuery({
    queryKey: ['records', Membership.path, 'refund', id],
    queryFn: ({ signal }) => api('GET /memberships/:id/refund', { params: { id } }, { signal, forbidden: 'silent' }),
    meta: { live: [Payment.path] },
  })
  const sale = useRecord(Payment, quote.data?.idPayment ?? undefined, {}, { forbidden: 'silent' })
  const mayTake = allowed(actor, 'takePayments')
  return (
    <VStack gap={12}>
      <Block framed p={12}>
        <strong>{membershipStates[state]}</strong>: {restWords(membership)}
        {membership.reserved > 0 && `, записано ${membership.reserved}`}
        <Fine component="div">
          На счёте абонемента {formatMoney(membership.held)} из {formatMoney(membership.price)}
          {freezeDays > 0 && ` · заморозки осталось ${freezeDays - frozenDays} дн.`}
          {frozenTo && frozenTo >= today() && ` · заморожен по ${formatDay(frozenTo)}`}
        </Fine>
        {quote.data && state !== 'returned' && (
          <Fine component="div">К возврату сегодня: {quote.data.why ?? quote.data.formula}</Fine>
        )}
      </Block>
      {quote.isError && <ErrorState error={quote.error} onRetry={() => void quote.refetch()} />}
      <HStack wrap>
        {mayTake && dateTo && freezeDays > frozenDays && (state === 'active' || state === 'waiting') && (
          <ActionButton label="Заморозить" variant="default" icon={IconPlayerPause} onClick={() => setOpen('freeze')} />
        )}
        {mayTake && frozenTo && frozenTo >= today() && (
          <ActionButton
            label="Разморозить"
            variant="default"
            icon={IconPlayerPlay}
            onClick={async () => {
              try {
                await api('POST /memberships/:id/unfreeze', { params: { id } }, { forbidden: 'toast' })
                notify.success('Абонемент разморожен')
              } catch (error) {
                notifyTitledFailure('Абонемент не разморожен', error)
              }
            }}
          />
        )}
        {allowed(actor, 'refundPayments') && quote.data?.why === null && sale.data && (
          <ActionButton
            label={`Вернуть ${formatMoney(quote.data.sum)}`}
            variant="default"
            icon={IconReceiptRefund}
            onClick={() => setOpen('refund')}
          />
        )}
      </HStack>
      {open === 'freeze' && <FreezeDialog membership={membership} onClose={() => setOpen(undefined)} />}
      {open === 'refund' && sale.data && (
        <RefundDialog payment={sale.data} most={quote.data?.sum} onClose={() => setOpen(undefined)} />
      )}
    </VStack>
  )
}

function FreezeDialog({ membership, onClose }: { membership: MembershipRow; onClose: () => void }) {
  const { id, freezeDays, frozenDays } = membership
  return (
    <FormDialog
      title="Заморозить абонемент"
      action="Заморозить"
      draft={{ dateFrom: today() as string | null, days: (freezeDays - frozenDays) as number | null }}
      required={{ dateFrom: 'Укажите день', days: 'Укажите, на сколько дней' }}
      send={({ dateFrom, days }) =>
        api('POST /memberships/:id/freeze', {
          params: { id },
          body: { dateFrom: dateFrom as string, days: days as number },
        })
      }
      done={() => notify.success('Абонемент заморожен: срок продлён на эти дни')}
      onClose={onClose}
    >
      {({ number, value }) => (
        <>
          <DateField label="С какого дня" required {...value('dateFrom')} />
          <NumberField label="Дней" required {...number('days')} />
        </>
      )}
    </FormDialog>
  )
}

/** What happened to a membership, the newest first. */
export function MembershipHistory({ idMembership }: { idMembership: number }) {
  const list = useList(
    MembershipMove,
    { filter: { idMembership }, expand: ['author'], limit: 200 },
    { forbidden: 'silent' },
  )
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <LinesSkeleton lines={3} />
  if (list.data.items.length === 0) return <EmptyState title="Движений пока нет" />
  return (
    <section aria-label="История абонемента">
      <VStack component="ul" gap={4}>
        {list.data.items.map(({ id, kind, localDate, visits, sum, comment, author }) => (
          <HStack key={id} component="li" framed px={12} py={6} justify="space-between" gap={12}>
            <Block miw={0} className="breaks">
              {membershipMoves[kind]}
              {visits !== null && visits > 1 && ` × ${visits}`}
              <Fine component="div">
                {[formatDay(localDate), comment, author?.shortFio].filter(Boolean).join(' · ')}
              </Fine>
            </Block>
            {sum !== null && <span className="tabular nowrap">{formatMoney(sum)}</span>}
          </HStack>
        ))}
      </VStack>
    </section>
  )
}

/** Patients whose visits a membership pays for. */
export const MembershipUsers = ({ idMembership }: { idMembership: number }) => (
  <PartList
    entity={MembershipUser}
    of={{ idMembership }}
    title="Кто пользуется"
    fields={['idCustomer']}
    expand={['customer']}
    face={({ customer }) => (customer ? <CustomerLink customer={customer} /> : <Muted>Карта недоступна</Muted>)}
  />
)
