import { Anchor } from '@mantine/core'
import { promiseKinds } from '@ordinator/model/areas/appeals/appeal'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { formatWall } from '@ordinator/model/format'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerLink } from '#areas/customers/index.ts'
import { DebtMark } from '#areas/money/index.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useList } from '#records/reads.ts'
import { useSave } from '#records/writes.ts'
import classes from './context.module.css'
import type { OpenChat } from './tabs.ts'

const VISITS = 3
const DEALS = 5
const PROMISES = 5

/** The chat's patient: visits, open deals, debt and promises. */
export function ChatPatient({ chat, customer }: { chat: OpenChat; customer: NonNullable<OpenChat['customer']> }) {
  const save = useSave(LiveAssist)
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
      <Visits idCustomer={customer.id} />
      <Deals idCustomer={customer.id} />
      <Promises idCustomer={customer.id} />
      <HStack wrap>
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

/** Future visits, else the last one. */
function Visits({ idCustomer }: { idCustomer: number }) {
  const sees = useCan('view', Appointment)
  const [now] = useState(() => new Date().toISOString())
  const next = useList(
    Appointment,
    { filter: { idCustomer, dateFrom: { gte: now } }, sort: 'dateFrom', limit: VISITS, expand: ['user'] },
    { enabled: sees, forbidden: 'silent' },
  )
  const last = useList(
    Appointment,
    { filter: { idCustomer, dateFrom: { lt: now } }, sort: '-dateFrom', limit: 1, expand: ['user'] },
    { enabled: sees, forbidden: 'silent' },
  )
  if (!sees) return null
  const coming = next.data?.items ?? []
  const past = last.data?.items[0]
  const line = (visit: (typeof coming)[number]) => (
    <span key={visit.id}>
      {formatWall(visit)}
      {visit.user && (
        <>
          {' · '}
          <UserLink user={visit.user} />
        </>
      )}
    </span>
  )
  return (
    <VStack gap={2}>
      <Muted>{coming.length > 1 ? 'Следующие визиты' : 'Следующий визит'}</Muted>
      {coming.length > 0 ? coming.map(line) : <span>не назначен</span>}
      {past && (
        <>
          <Muted>Был</Muted>
          {line(past)}
        </>
      )}
    </VStack>
  )
}

function Deals({ idCustomer }: { idCustomer: number }) {
  const sees = useCan('view', Lead)
  const deals = useList(
    Lead,
    {
      filter: { 'contacts.idCustomer': idCustomer, dateClosed: { null: true } },
      expand: ['stage'],
      sort: '-id',
      limit: DEALS,
    },
    { enabled: sees, forbidden: 'silent' },
  )
  const items = deals.data?.items ?? []
  if (items.length === 0) return null
  return (
    <VStack gap={2}>
      <Muted>Открытые сделки</Muted>
      {items.map((deal) => (
        <span key={deal.id}>
          <Anchor
            inherit
            renderRoot={(props) => (
              <PageLink {...props} page="deals" search={{ funnel: deal.idFunnel ?? undefined, lead: deal.id }} />
            )}
          >
            {deal.title}
          </Anchor>{' '}
          <Fine>{deal.stage?.name}</Fine>
        </span>
      ))}
    </VStack>
  )
}

function Promises({ idCustomer }: { idCustomer: number }) {
  const promises = useQuery({
    queryKey: ['promises', 'customer', idCustomer],
    queryFn: ({ signal }) =>
      api('GET /promises', { query: { customer: idCustomer } }, { signal, quiet: true, forbidden: 'silent' }),
    retry: false,
  })
  const items = promises.data?.items.slice(0, PROMISES) ?? []
  if (items.length === 0) return null
  return (
    <VStack gap={2}>
      <Muted>Обещано</Muted>
      {items.map(({ kind, source, id, about, dueAt }) => (
        <span key={`${source} ${kind} ${id}`} className="breaks">
          {promiseKinds[kind]}
          {about && `: ${about}`} <Fine className="tabular">до {formatDateTime(dueAt)}</Fine>
        </span>
      ))}
    </VStack>
  )
}
