import { holds } from '@ordinator/model/access'
import { Call, INTERNAL, MISSED } from '@ordinator/model/areas/calls/call'
import { formatDuration } from '@ordinator/model/format'
import { IconPhoneOff, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { ConversationLine, OneCustomersList, useCustomerOfAddress } from '#areas/customers/index.ts'
import { Player } from '#areas/transcripts/index.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { Block } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { useEndlessList } from '#records/reads.ts'
import { CallKind } from './CallKind.tsx'
import { RecallBadge } from './RecallBadge.tsx'

const PAGE = 30

/** /migration/customer-calls?idCustomer=5: calls of a patient, in a frame of the former CRM. */
export default function CustomerCallsPage() {
  const idCustomer = useCustomerOfAddress()
  const calls = useEndlessList(
    Call,
    { filter: { idCustomer: idCustomer ?? 0 }, sort: '-dateCreate', limit: PAGE, expand: ['user', 'outcome'] },
    { enabled: idCustomer !== undefined },
  )
  return (
    <OneCustomersList
      idCustomer={idCustomer}
      title="Звонки"
      icon={IconPhoneOff}
      empty={{ title: 'Звонков нет', text: 'С этим клиентом ещё не говорили по телефону.' }}
      list={calls}
    >
      {(call) => <Line call={call} />}
    </OneCustomersList>
  )
}

type OneCall = ReturnType<typeof useEndlessList<typeof Call, 'user' | 'outcome'>>['items'][number]

function Line({ call }: { call: OneCall }) {
  const [plays, setPlays] = useState(false)
  const actor = useActor()
  const mayListen = holds(actor, 'listenCalls') || call.idUser === actor.id
  const length = call.callType === MISSED || call.callType === INTERNAL ? null : call.duration
  return (
    <ConversationLine
      of={call}
      head={
        <>
          <span className="tabular nowrap">{formatDateTime(call.dateCreate)}</span>
          <CallKind callType={call.callType} />
          {call.contactPhone && <PhoneLink phone={call.contactPhone} bare />}
          <RecallBadge {...call} />
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
        </>
      }
      more={plays && <Player idCall={call.id} />}
    />
  )
}
