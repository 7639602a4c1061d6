import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { chatSourceLabel } from '@ordinator/model/areas/chats/source'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { formatSpan, formatWall } from '@ordinator/model/format'
import { IconCalendarPlus, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageLink } from '../../base/PageLink.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { AjaxSelect } from '../../kit/AjaxSelect.tsx'
import { formatDateTime } from '../../kit/clock.ts'
import { PhoneLink } from '../../kit/PhoneLink.tsx'
import { HStack, VStack } from '../../kit/Stacks.tsx'
import { UserLink } from '../../kit/UserLink.tsx'
import { Fine, Muted } from '../../kit/Words.tsx'
import { useCan } from '../../records/Can.tsx'
import { useList } from '../../records/reads.ts'
import { useSave } from '../../records/writes.ts'
import { CustomerLink, findByPhones, searchCustomers } from '../customers/index.ts'
import { DebtMark } from '../money/index.ts'
import classes from './chats.module.css'
import type { OpenChat } from './tabs.ts'

/** Who one talks with: what he says of himself, whose card it is, when he comes next and what he owes. */
export function ChatContext({ chat }: { chat: OpenChat }) {
  const sees = useCan('view', Customer)
  return (
    <VStack gap={16}>
      <dl className={classes.about}>
        <dt>Имя</dt>
        <dd>{chat.name}</dd>
        {chat.phone && (
          <>
            <dt>Телефон</dt>
            <dd>
              <PhoneLink phone={chat.phone} />
            </dd>
          </>
        )}
        {chat.email && (
          <>
            <dt>Почта</dt>
            <dd>{chat.email}</dd>
          </>
        )}
        <dt>Откуда</dt>
        <dd>
          {[...new Set([chatSourceLabel(chat.source), chat.sourceName, chat.domain?.name])].filter(Boolean).join(' · ')}
        </dd>
        {chat.filial && (
          <>
            <dt>Филиал</dt>
            <dd>{chat.filial.nameFilial}</dd>
          </>
        )}
        <dt>Начат</dt>
        <dd className="tabular">{formatDateTime(chat.dateCreate)}</dd>
        {chat.averageAnswerTime !== null && (
          <>
            <dt>Средний ответ</dt>
            <dd className="tabular">{formatSpan(chat.averageAnswerTime)}</dd>
          </>
        )}
        {chat.outcome && (
          <>
            <dt>Итог</dt>
            <dd>{chat.outcome.name}</dd>
          </>
        )}
        {chat.nextStep && (
          <>
            <dt>Дальше</dt>
            <dd className="breaks">
              {[chat.nextStep, chat.dateNextStep && formatDateTime(chat.dateNextStep)].filter(Boolean).join(', ')}
            </dd>
          </>
        )}
        {chat.rating !== null && (
          <>
            <dt>Оценка</dt>
            <dd className="tabular">{chat.rating} из 5</dd>
          </>
        )}
      </dl>
      {sees && (chat.customer ? <Patient chat={chat} customer={chat.customer} /> : <WhoIsIt chat={chat} />)}
    </VStack>
  )
}

function Patient({ chat, customer }: { chat: OpenChat; customer: NonNullable<OpenChat['customer']> }) {
  const save = useSave(LiveAssist)
  const seesVisits = useCan('view', Appointment)
  const [now] = useState(() => new Date().toISOString())
  const next = useList(
    Appointment,
    { filter: { idCustomer: customer.id, dateFrom: { gte: now } }, sort: 'dateFrom', limit: 1, expand: ['user'] },
    { enabled: seesVisits, forbidden: 'silent' },
  )
  const visit = next.data?.items[0]
  return (
    <VStack gap={12}>
      <h2 className={classes.part}>Клиент</h2>
      <VStack gap={2}>
        <CustomerLink customer={{ ...customer, shortFio: customer.fio }} className={classes.customer} />
        <HStack wrap gap="0 12px">
          {customer.birthday && <Fine>{customer.birthday}</Fine>}
          {customer.phone && customer.phone !== chat.phone && (
            <Fine>
              <PhoneLink phone={customer.phone} bare />
            </Fine>
          )}
        </HStack>
      </VStack>
      <HStack wrap>
        <DebtMark idCustomer={customer.id} />
      </HStack>
      {seesVisits && (
        <VStack gap={2}>
          <Muted>Следующий визит</Muted>
          <span>
            {visit ? formatWall(visit) : 'не назначен'}
            {visit?.user && (
              <>
                {' · '}
                <UserLink user={visit.user} />
              </>
            )}
          </span>
        </VStack>
      )}
      <HStack wrap>
        {seesVisits && (
          <ActionButton
            label="Записать"
            size="compact-sm"
            variant="default"
            icon={IconCalendarPlus}
            renderRoot={(props) => <PageLink {...props} page="calendar" search={{ book: 1, customer: customer.id }} />}
          />
        )}
        <ActionButton
          label="Лента клиента"
          size="compact-sm"
          variant="default"
          renderRoot={(props) => <PageLink {...props} page="customer" search={{ id: customer.id, tab: 'thread' }} />}
        />
        <ActionButton
          label="Это не он"
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => save.mutate({ id: chat.id, idCustomer: null })}
        />
      </HStack>
    </VStack>
  )
}

/** The card is offered by the phone, and chosen by a person: what a visitor says of himself proves nothing. */
function WhoIsIt({ chat }: { chat: OpenChat }) {
  const save = useSave(LiveAssist)
  const { phone } = chat
  const found = useQuery({
    queryKey: ['chatCandidates', phone],
    queryFn: async () => (await findByPhones([phone as string])).get(phone as string) ?? [],
    enabled: phone !== null,
  })
  const ids = (found.data ?? []).slice(0, 5)
  const cards = useList(
    Customer,
    { filter: { id: { in: ids } }, limit: 5 },
    { enabled: ids.length > 0, forbidden: 'silent' },
  )
  const link = (idCustomer: number) => save.mutate({ id: chat.id, idCustomer })
  return (
    <VStack gap={8}>
      <h2 className={classes.part}>Клиент</h2>
      {ids.length > 0 && (cards.data?.items.length ?? 0) > 0 && (
        <>
          <Muted>С таким телефоном:</Muted>
          {cards.data?.items.map((one) => (
            <HStack key={one.id} justify="space-between">
              <span>
                <CustomerLink customer={{ id: one.id, shortFio: one.fio }} /> <Fine>{one.birthday}</Fine>
              </span>
              <ActionButton
                label="Это он"
                size="compact-sm"
                variant="default"
                onClick={() => link(one.id)}
                aria-label={`Это он: ${one.fio}`}
              />
            </HStack>
          ))}
        </>
      )}
      <AjaxSelect
        label="Найти карту"
        placeholder="Имя, телефон, дата рождения"
        value={null}
        load={searchCustomers}
        onChange={(option) => option && link(option.value)}
      />
      <HStack>
        <ActionButton
          label="Новый клиент"
          size="compact-sm"
          variant="subtle"
          icon={IconUserPlus}
          renderRoot={(props) => <PageLink {...props} page="customers" search={{ open: 'new' }} />}
        />
      </HStack>
    </VStack>
  )
}
