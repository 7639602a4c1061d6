import { messageEvents, messageWays } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import { useState } from 'react'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useEndlessList } from '#records/reads.ts'
import { MessagePanel } from './MessagePanel.tsx'
import { MessageStatusMark } from './MessageStatusMark.tsx'

const PORTION = 30

/** Messages to a patient, the latest first. */
export default function CustomerMessages({ idCustomer }: { idCustomer: number }) {
  const [open, setOpen] = useState<number>()
  const list = useEndlessList(Message, { filter: { idCustomer }, limit: PORTION }, { forbidden: 'silent' })
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <LinesSkeleton lines={5} />
  if (list.items.length === 0)
    return <EmptyState title="Сообщений нет" text="Здесь будут напоминания о визитах и другие сообщения клиенту." />
  return (
    <VStack gap={16}>
      <Block component="ul" framed aria-label="Сообщения">
        {list.items.map(({ id, event, status, channel, text, reason, reply, dateCreate, dateSent }, at) => (
          <HStack
            key={id}
            component="li"
            gap="4px 12px"
            px={12}
            py={8}
            wrap
            align="flex-start"
            rule={at ? 'top' : undefined}
          >
            <span className="tabular">{formatDateTime(dateSent ?? dateCreate)}</span>
            <Block flex="1 1 260px" miw={0} className="breaks">
              <button type="button" className="link" onClick={() => setOpen(id)}>
                {messageEvents[event]}
              </button>
              {channel && <Fine> {messageWays[channel].toLowerCase()}</Fine>}
              <Fine component="div">{[reason, text, reply && `Ответ: ${reply}`].filter(Boolean).join(' · ')}</Fine>
            </Block>
            <MessageStatusMark status={status} />
          </HStack>
        ))}
      </Block>
      <MoreRows list={list} />
      {open !== undefined && <MessagePanel id={open} onClose={() => setOpen(undefined)} />}
    </VStack>
  )
}
