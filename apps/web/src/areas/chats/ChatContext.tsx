import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { GUEST, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { chatSourceLabel } from '@ordinator/model/areas/chats/source'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { formatSpan } from '@ordinator/model/format'
import { pageAllowed, pageByKey } from '@ordinator/model/pages'
import { phoneText } from '@ordinator/model/phone'
import { IconBriefcase, IconCalendarPlus, IconUserPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerLink, calledParts, findByPhones, NewCustomer, searchCustomers } from '#areas/customers/index.ts'
import { PatientBooking } from '#areas/schedule/index.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { notify } from '#kit/notify.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useList } from '#records/reads.ts'
import { useSave } from '#records/writes.ts'
import { ChatPatient } from './ChatPatient.tsx'
import classes from './context.module.css'
import type { OpenChat } from './tabs.ts'

/** Context of a chat: the visitor's data, the card, next visit and debt. */
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
      {sees && (chat.customer ? <ChatPatient chat={chat} customer={chat.customer} /> : <WhoIsIt chat={chat} />)}
      <Makes chat={chat} />
    </VStack>
  )
}

/** Suggests cards by phone for an operator to choose: a visitor's data are not proof. */
function WhoIsIt({ chat }: { chat: OpenChat }) {
  const save = useSave(LiveAssist)
  const { phone } = chat
  const mayMake = useCan('create', Customer)
  const [making, setMaking] = useState(false)
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
      {mayMake && (
        <HStack>
          <ActionButton
            label="Новый клиент"
            size="compact-sm"
            variant="subtle"
            icon={IconUserPlus}
            onClick={() => setMaking(true)}
          />
        </HStack>
      )}
      {making && (
        <NewCustomer
          phone={phone}
          email={chat.email}
          called={chat.name === GUEST ? '' : chat.name}
          onMade={link}
          onClose={() => setMaking(false)}
        />
      )}
    </VStack>
  )
}

/** Creates a visit or deal from the chat. */
function Makes({ chat }: { chat: OpenChat }) {
  const actor = useActor()
  const cache = useQueryClient()
  const save = useSave(LiveAssist)
  const [booking, setBooking] = useState(false)
  const [busy, setBusy] = useState(false)
  const mayBook = actor.permissions.createAppointments === true && pageAllowed(pageByKey('calendar'), actor)
  const mayLead = useCan('create', Lead)
  const mayAppeal = useCan('create', Appeal)
  const mayDeal = mayLead && mayAppeal
  const deal = async () => {
    setBusy(true)
    try {
      const { id } = await api('POST /live-assist/:id/appeal', { params: { id: chat.id } }, { forbidden: 'toast' })
      await api('POST /appeals/:id/lead', { params: { id } }, { forbidden: 'toast' })
      notify.success('Сделка создана')
      await invalidateRecords(cache, Lead.path)
    } catch (error) {
      notifyFailure(error as Error)
    }
    setBusy(false)
  }
  useHotkey('b', () => setBooking(true), { label: 'Записать на приём', group: 'Чат', enabled: mayBook && !booking })
  if (!mayBook && !mayDeal) return null
  return (
    <HStack wrap>
      {mayBook && (
        <ActionButton
          label="Записать на приём"
          size="compact-sm"
          icon={IconCalendarPlus}
          onClick={() => setBooking(true)}
        />
      )}
      {mayDeal && (
        <ActionButton
          label="Сделка"
          size="compact-sm"
          variant="default"
          icon={IconBriefcase}
          loading={busy}
          onClick={() => void deal()}
        />
      )}
      {booking && (
        <PatientBooking
          idCustomer={chat.idCustomer ?? undefined}
          {...(chat.idCustomer === null && {
            fresh: {
              ...calledParts(chat.name === GUEST ? '' : chat.name),
              phone: chat.phone ? phoneText(chat.phone) : '',
              birthday: null,
            },
          })}
          idFilial={chat.idFilial ?? undefined}
          onSpoken={async (message) => {
            const body = { idLiveAssist: chat.id, clientId: crypto.randomUUID(), message, seenNo: chat.inCount }
            await api('POST /live-assist/messages', { body }, { forbidden: 'silent' })
            await invalidateRecords(cache, LiveAssist.path)
          }}
          onPatient={(idCustomer) => save.mutate({ id: chat.id, idCustomer })}
          onClose={() => setBooking(false)}
        />
      )}
    </HStack>
  )
}
