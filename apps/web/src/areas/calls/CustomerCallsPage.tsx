import { holds } from '@ordinator/model/access'
import { Call, INTERNAL, MISSED } from '@ordinator/model/areas/calls/call'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { formatDuration } from '@ordinator/model/format'
import { IconPhoneOff, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useAddress } from '../../base/address.ts'
import { id } from '../../base/addressValues.ts'
import { useActor } from '../../base/session.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { formatDateTime } from '../../kit/clock.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { ErrorState } from '../../kit/ErrorState.tsx'
import { PhoneLink } from '../../kit/PhoneLink.tsx'
import { LinesSkeleton } from '../../kit/Skeletons.tsx'
import { Block, HStack, VStack } from '../../kit/Stacks.tsx'
import { UserLink } from '../../kit/UserLink.tsx'
import { Fine, Muted } from '../../kit/Words.tsx'
import { useCan } from '../../records/Can.tsx'
import { useEndlessList, useRecord } from '../../records/reads.ts'
import { CallKind } from './CallKind.tsx'
import classes from './CustomerCallsPage.module.css'
import { Player } from './Player.tsx'
import { RecallBadge } from './RecallBadge.tsx'

const PAGE = 30

/** /migration/customer-calls?idCustomer=5: the calls of one patient, in a frame of the older CRM. */
export default function CustomerCallsPage() {
  const [{ idCustomer }] = useAddress((search) => ({ idCustomer: id(search.idCustomer) }))
  const sees = useCan('view', Customer)
  const customer = useRecord(Customer, sees ? idCustomer : undefined, {}, { forbidden: 'silent' }).data
  const calls = useEndlessList(
    Call,
    { filter: { idCustomer: idCustomer ?? 0 }, sort: '-dateCreate', limit: PAGE, expand: ['user', 'outcome'] },
    { enabled: idCustomer !== undefined, forbidden: 'silent' },
  )
  return (
    <VStack gap={16} p="var(--ord-page)">
      <h1>Звонки{customer && `: ${customer.fio}`}</h1>
      {idCustomer === undefined ? (
        <EmptyState icon={IconPhoneOff} title="Клиент не указан" text="В адресе нет номера клиента: idCustomer." />
      ) : calls.isError && calls.items.length === 0 ? (
        <ErrorState title="Звонки не загрузились" error={calls.error} onRetry={() => void calls.refetch()} />
      ) : calls.isPending ? (
        <LinesSkeleton lines={8} />
      ) : calls.items.length === 0 ? (
        <EmptyState icon={IconPhoneOff} title="Звонков нет" text="С этим клиентом ещё не говорили по телефону." />
      ) : (
        <ul className={classes.list} aria-label="Звонки">
          {calls.items.map((call) => (
            <Line key={call.id} call={call} />
          ))}
        </ul>
      )}
      {calls.hasNextPage && (
        <HStack>
          <ActionButton
            label="Показать ещё"
            variant="default"
            loading={calls.isFetchingNextPage}
            onClick={() => void calls.fetchNextPage()}
          />
        </HStack>
      )}
    </VStack>
  )
}

type OneCall = ReturnType<typeof useEndlessList<typeof Call, 'user' | 'outcome'>>['items'][number]

function Line({ call }: { call: OneCall }) {
  const [plays, setPlays] = useState(false)
  const actor = useActor()
  const mayListen = holds(actor, 'listenCalls') || call.idUser === actor.id
  const length = call.callType === MISSED || call.callType === INTERNAL ? null : call.duration
  return (
    <li className={classes.line}>
      <HStack wrap gap="4px 16px">
        <span className="tabular nowrap">{formatDateTime(call.dateCreate)}</span>
        <CallKind callType={call.callType} />
        {call.contactPhone && <PhoneLink phone={call.contactPhone} bare />}
        <RecallBadge recall={call.recall} recallS={call.recallS} />
        <Block grow />
        {call.user ? <UserLink user={call.user} /> : <Muted>никто не ответил</Muted>}
        {length !== null && <span className="tabular">{formatDuration(length)}</span>}
        {call.hasRecord && mayListen && (
          <ActionButton
            label="Запись"
            aria-label={`Запись звонка ${formatDateTime(call.dateCreate)}`}
            icon={IconPlayerPlay}
            size="compact-sm"
            variant="default"
            aria-expanded={plays}
            onClick={() => setPlays(!plays)}
          />
        )}
      </HStack>
      {(call.outcome || call.nextStep) && <Fine className="breaks">{call.outcome?.name ?? call.nextStep}</Fine>}
      {plays && <Player idCall={call.id} />}
    </li>
  )
}
