import { paidStates } from '@ordinator/model/areas/chats/online'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { formatMoney, formatSpan, formatWall } from '@ordinator/model/format'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { CustomerLink } from '#areas/customers/index.ts'
import { DebtMark } from '#areas/money/index.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useList } from '#records/reads.ts'
import classes from '../context.module.css'
import type { OpenDialog } from './openDialog.ts'

const VISITS = 5

/** Context of a dialogue: card, visits, debt, and progress. */
export function OnlineContext({ dialog }: { dialog: OpenDialog }) {
  const { customer } = dialog
  const seesVisits = useCan('view', Appointment)
  const seesCards = useCan('view', Customer)
  const [now] = useState(() => new Date().toISOString())
  const visits = useList(
    Appointment,
    {
      filter: { idCustomer: dialog.idCustomer, dateFrom: { gte: now } },
      sort: 'dateFrom',
      limit: VISITS,
      expand: ['user'],
    },
    { enabled: seesVisits, forbidden: 'silent' },
  )
  return (
    <VStack gap={16}>
      {customer && <Patient customer={customer} />}
      {seesCards && (
        <HStack wrap>
          <DebtMark idCustomer={dialog.idCustomer} />
        </HStack>
      )}
      {seesVisits && (
        <VStack gap={2}>
          <Muted>Предстоящие визиты</Muted>
          {(visits.data?.items ?? []).map((visit) => (
            <span key={visit.id}>
              {formatWall(visit)}
              {visit.user && (
                <>
                  {' · '}
                  <UserLink user={visit.user} />
                </>
              )}
            </span>
          ))}
          {visits.data?.items.length === 0 && <span>не назначены</span>}
        </VStack>
      )}
      {seesCards && (
        <HStack wrap>
          {seesVisits && (
            <ActionButton
              label="Записать"
              size="compact-sm"
              variant="default"
              icon={IconCalendarPlus}
              renderRoot={(props) => (
                <PageLink {...props} page="calendar" search={{ book: 1, customer: dialog.idCustomer }} />
              )}
            />
          )}
          <ActionButton
            label="Лента клиента"
            size="compact-sm"
            variant="default"
            renderRoot={(props) => (
              <PageLink {...props} page="customer" search={{ id: dialog.idCustomer, tab: 'thread' }} />
            )}
          />
        </HStack>
      )}
      <dl className={classes.about}>
        <dt>Начат</dt>
        <dd className="tabular">{formatDateTime(dialog.dateCreate)}</dd>
        {dialog.paidState && (
          <>
            <dt>Платный</dt>
            <dd className="tabular">
              {formatMoney(dialog.paidSum ?? 0)}, {paidStates[dialog.paidState].toLowerCase()}
            </dd>
          </>
        )}
        {dialog.paidState === 'paid' && dialog.answerBy && (
          <>
            <dt>Ответить до</dt>
            <dd className="tabular">{formatDateTime(dialog.answerBy)}</dd>
          </>
        )}
        {dialog.filial && (
          <>
            <dt>Филиал</dt>
            <dd>{dialog.filial.nameFilial}</dd>
          </>
        )}
        {dialog.averageAnswerTime !== null && (
          <>
            <dt>Средний ответ</dt>
            <dd className="tabular">{formatSpan(dialog.averageAnswerTime)}</dd>
          </>
        )}
        {dialog.closeReason && (
          <>
            <dt>Чем закончился</dt>
            <dd className="breaks">{dialog.closeReason}</dd>
          </>
        )}
        {dialog.rating !== null && (
          <>
            <dt>Оценка</dt>
            <dd className="tabular">{dialog.rating} из 5</dd>
          </>
        )}
      </dl>
    </VStack>
  )
}

function Patient({ customer }: { customer: NonNullable<OpenDialog['customer']> }) {
  const seesCards = useCan('view', Customer)
  const { id, fio = 'Пациент', birthday, phone } = customer
  return (
    <VStack gap={2}>
      {seesCards && id !== undefined ? (
        <CustomerLink customer={{ id, shortFio: fio }} className={classes.customer} />
      ) : (
        <span>{fio}</span>
      )}
      <HStack wrap gap="0 12px">
        {birthday && <Fine>{birthday}</Fine>}
        {phone && (
          <Fine>
            <PhoneLink phone={phone} bare />
          </Fine>
        )}
      </HStack>
    </VStack>
  )
}
