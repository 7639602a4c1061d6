import { holds, ownedRefusal } from '@ordinator/model/access'
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { Call, INTERNAL, MISSED, RECALLED } from '@ordinator/model/areas/calls/call'
import type { Create, Row } from '@ordinator/model/entity'
import { IconCircleCheck, IconMessageReport, IconPencil, IconPhone, IconPhoneOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EndDialog } from '#areas/appeals/index.ts'
import { CallAi } from '#areas/prompts/index.ts'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { notify } from '#kit/notify.tsx'
import { useCallProps } from '#kit/PhoneLink.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RemoveItem } from '#records/RemoveItem.tsx'
import { useRecord } from '#records/reads.ts'
import { useRemove } from '#records/writes.ts'
import { CallByHand } from './CallByHand.tsx'
import { CallFacts, CallHead, CallLegs, CallRecord, callExpand } from './CallParts.tsx'
import { CallCheckList } from './incoming/CallCheckList.tsx'

/** A call in the side panel: people, course, recording, and its appeal. */
export function CallPanel({ id, onClose }: { id: number; onClose: () => void }) {
  const answer = useRecord(Call, id, { expand: callExpand }, { forbidden: 'silent' })
  const call = answer.data
  const actor = useActor()
  const go = useGo()
  const mayAppeal = useCan('create', Appeal)
  const cache = useQueryClient()
  const hasPrompts = holds(actor, 'iiCallPrompt') && !ownedRefusal(actor, { path: 'calls/:id/prompt' })
  const mayListen = holds(actor, 'listenCalls') || call?.idUser === actor.id
  const [busy, setBusy] = useState(false)
  const [ending, setEnding] = useState(false)
  const [changing, setChanging] = useState(false)
  const isMissed = call?.callType === MISSED || call?.callType === RECALLED
  const keeper = call?.idOwner ?? call?.idUser ?? null
  const mayEnd =
    call !== undefined &&
    call.dateEnd !== null &&
    call.callType !== INTERNAL &&
    (isMissed || keeper === null || keeper === actor.id || call.idUser === actor.id || holds(actor, 'listenCalls'))
  const appeal = async () => {
    if (busy) return
    setBusy(true)
    try {
      const made = await api('POST /calls/:id/appeal', { params: { id } }, { forbidden: 'toast' })
      void go({ page: 'appeals', search: { open: made.id } })
    } finally {
      setBusy(false)
    }
  }
  const remove = useRemove(Call, { again: () => call && asWritten(call) })
  const isMine =
    call?.source === 'manual' &&
    (call.idUser === actor.id || call.idFirstUser === actor.id || holds(actor, 'listenCalls'))
  useHotkey('o', () => void appeal(), { label: 'Обращение из звонка', group: 'Звонок', enabled: mayAppeal })
  useHotkey('e', () => setEnding(true), { label: 'Итог звонка', group: 'Звонок', enabled: mayEnd })
  return (
    <SidePanel
      opened
      onClose={onClose}
      title={call ? `Звонок № ${id}` : 'Звонок'}
      actions={
        call &&
        isMine && (
          <ActionMenu label="Действия со звонком">
            <MenuItem label="Изменить…" icon={IconPencil} onClick={() => setChanging(true)} />
            <RemoveItem entity={Call} row={call} onRemove={() => remove.mutate(id, { onSuccess: onClose })} />
          </ActionMenu>
        )
      }
    >
      {answer.isError ? (
        (answer.error as { status?: number }).status === 404 ? (
          <EmptyState icon={IconPhoneOff} title="Звонок не найден" text="Возможно, ссылка устарела." />
        ) : (
          <ErrorState title="Звонок не загрузился" error={answer.error} onRetry={() => void answer.refetch()} />
        )
      ) : !call ? (
        <LinesSkeleton lines={6} />
      ) : (
        <VStack gap={20}>
          <CallHead call={call}>
            {(mayAppeal || mayEnd || call.contactPhone) && (
              <HStack wrap gap={6} pt={4}>
                {call.contactPhone && (
                  <CallBack
                    phone={call.contactPhone}
                    label={isMissed ? 'Перезвонить' : 'Позвонить'}
                    isNext={call.callType === MISSED && !call.needsEnd}
                  />
                )}
                {mayEnd && (
                  <ActionButton
                    label={call.idOutcome || call.nextStep ? 'Изменить итог…' : 'Итог…'}
                    icon={IconCircleCheck}
                    variant={call.needsEnd ? 'filled' : 'default'}
                    onClick={() => setEnding(true)}
                    aria-keyshortcuts="E"
                  />
                )}
                {mayAppeal && (
                  <ActionButton
                    variant="default"
                    label="Обращение"
                    icon={IconMessageReport}
                    loading={busy}
                    onClick={() => void appeal()}
                    aria-keyshortcuts="O"
                  />
                )}
              </HStack>
            )}
          </CallHead>
          <CallFacts call={call} />
          {call.hasRecord && <CallRecord idCall={id} mayHear={mayListen} />}
          {hasPrompts && call.hasRecord && mayListen && <CallAi key={call.id} call={call} />}
          {call.dateAnswer && call.callType !== INTERNAL && (
            <section aria-label="Чек-лист">
              <h2>Чек-лист</h2>
              <CallCheckList idCall={id} mayMark={holds(actor, 'listenCalls') || call.idUser === actor.id} />
            </section>
          )}
          {call.legs.length > 0 && <CallLegs legs={call.legs} />}
        </VStack>
      )}
      {changing && call && <CallByHand call={call} onClose={() => setChanging(false)} />}
      {ending && call && (
        <EndDialog
          title={isMissed ? 'Почему перезванивать не нужно?' : 'Чем закончился звонок?'}
          action="Записать"
          before={call}
          demanded={isMissed}
          run={async (body) => {
            await api('POST /calls/:id/end', { params: { id }, body })
            await invalidateRecords(cache, Call.path)
            notify.success('Итог записан')
          }}
          onClose={() => setEnding(false)}
        />
      )}
    </SidePanel>
  )
}

/** Form values of a call entered by hand. */
const asWritten = (call: Row<typeof Call>): Create<typeof Call> => ({
  callType: call.callType === RECALLED ? MISSED : call.callType,
  contactPhone: call.contactPhone,
  localPhone: call.localPhone,
  destPhone: call.destPhone,
  idCustomer: call.idCustomer,
  isPrimaryCustomer: call.isPrimaryCustomer,
  idUser: call.idUser,
  idFilial: call.idFilial,
  dateCreate: call.dateCreate,
  dateAnswer: call.dateAnswer,
  dateEnd: call.dateEnd,
})

interface CallBackProps {
  phone: string
  label: string
  /** It is what the call waits for. */
  isNext: boolean
}

const CallBack = ({ phone, label, isNext }: CallBackProps) => (
  <ActionButton
    label={label}
    icon={IconPhone}
    variant={isNext ? 'filled' : 'default'}
    component="a"
    {...useCallProps(phone)}
  />
)
