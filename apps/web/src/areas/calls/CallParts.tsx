import { ownedRefusal } from '@ordinator/model/access'
import { type Call, callSources, legParties } from '@ordinator/model/areas/calls/call'
import type { Expanded } from '@ordinator/model/client'
import { formatDuration } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import type { ReactNode } from 'react'
import { CustomerChip } from '#areas/customers/index.ts'
import { Player, TalkPlayer } from '#areas/transcripts/index.ts'
import { useActor } from '#base/session.ts'
import { formatDateTime, formatDateTimeSeconds, formatTime } from '#kit/clock.ts'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { CallKind } from './CallKind.tsx'
import classes from './CallPanel.module.css'
import { RecallBadge } from './RecallBadge.tsx'

/** Relations of a call in the panel. */
export const callExpand = ['user', 'filial', 'outcome', 'legs.user', 'customer'] as const
type ShownCall = Expanded<typeof Call, (typeof callExpand)[number]>

/** Kind, time and people of a call, with its actions. */
export const CallHead = ({ call, children }: { call: ShownCall; children: ReactNode }) => (
  <VStack gap={8}>
    <HStack wrap>
      <CallKind callType={call.callType} />
      <Muted className="tabular">{formatDateTimeSeconds(call.dateCreate)}</Muted>
      <RecallBadge {...call} />
    </HStack>
    <HStack wrap>
      <strong>{call.contactPhone ? <PhoneLink phone={call.contactPhone} /> : 'Номер скрыт'}</strong>
      {call.customer && <CustomerChip customer={call.customer} />}
    </HStack>
    {children}
  </VStack>
)

export const CallFacts = ({ call }: { call: ShownCall }) => (
  <section aria-label="О звонке">
    <h2>О звонке</h2>
    <dl className={classes.facts}>
      <dt>Сотрудник</dt>
      <dd>{call.user ? <UserLink user={call.user} /> : <Muted>никто не ответил</Muted>}</dd>
      <dt>Ожидание</dt>
      <dd>{call.waitS === null ? '—' : formatDuration(call.waitS)}</dd>
      <dt>Разговор</dt>
      <dd>{call.dateEnd === null ? 'ещё идёт' : call.talkS === null ? 'не было' : formatDuration(call.talkS)}</dd>
      {call.dateReady && call.dateEnd && (
        <>
          <dt>Обработка</dt>
          <dd>{formatDuration(Math.round((Date.parse(call.dateReady) - Date.parse(call.dateEnd)) / 1_000))}</dd>
        </>
      )}
      {(call.outcome || call.nextStep || call.needsEnd) && (
        <>
          <dt>Итог</dt>
          <dd className="breaks">
            {call.outcome?.name ??
              (call.nextStep ? (
                [call.nextStep, call.dateNextStep && formatDateTime(call.dateNextStep)].filter(Boolean).join(', ')
              ) : (
                <Muted>не указан</Muted>
              ))}
          </dd>
        </>
      )}
      <dt>Линия</dt>
      <dd>
        {phoneText(call.destPhone) || '—'}
        {call.filial && `, ${call.filial.nameFilial}`}
        {call.queue && `, очередь ${call.queue}`}
      </dd>
      <dt>Источник</dt>
      <dd>{callSources[call.source]}</dd>
    </dl>
  </section>
)

export function CallRecord({ idCall, mayHear }: { idCall: number; mayHear: boolean }) {
  const hasTranscripts = !ownedRefusal(useActor(), { path: 'calls/transcripts' })
  return (
    <section aria-label="Запись разговора">
      <h2>Запись разговора</h2>
      {mayHear ? (
        hasTranscripts ? (
          <TalkPlayer idCall={idCall} />
        ) : (
          <Player idCall={idCall} />
        )
      ) : (
        <Muted>Запись есть. Слушать можно только свои разговоры.</Muted>
      )}
    </section>
  )
}

/** Course of a call: everyone it rang at. */
export const CallLegs = ({ legs }: { legs: ShownCall['legs'] }) => (
  <section aria-label="Ход звонка">
    <h2>Ход звонка</h2>
    <ol className={classes.legs}>
      {legs.map((leg) => (
        <li key={leg.id}>
          <Fine className="tabular">{formatTime(leg.ringAt)}</Fine>
          <span>
            {leg.user ? <UserLink user={leg.user} /> : legParties[leg.party]}
            {leg.sipPhone && ` (${leg.sipPhone})`}
          </span>
          <Fine>{leg.answerAt ? `ответил в ${formatTime(leg.answerAt)}` : 'не ответил'}</Fine>
        </li>
      ))}
    </ol>
  </section>
)
