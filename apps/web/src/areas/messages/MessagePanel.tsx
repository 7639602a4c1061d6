import { holds } from '@ordinator/model/access'
import { messageEvents, messageWays } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import { counted, formatMoney } from '@ordinator/model/format'
import { IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CustomerChip } from '#areas/customers/index.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useRecord } from '#records/reads.ts'
import { MessageStatusMark } from './MessageStatusMark.tsx'
import { mayRepeat, repeatMessages } from './repeat.ts'

/** A message in the side panel: recipient, text, state and times. */
export function MessagePanel({ id, onClose }: { id: number; onClose: () => void }) {
  const answer = useRecord(Message, id, { expand: ['customer', 'template', 'author'] }, { forbidden: 'silent' })
  const cache = useQueryClient()
  const actor = useActor()
  const [busy, setBusy] = useState(false)
  const message = answer.data
  const repeat = async () => {
    setBusy(true)
    await repeatMessages(cache, [id])
      .catch(notifyFailure)
      .finally(() => setBusy(false))
  }
  const facts: [string, ReactNode][] = message
    ? [
        ['О чём', messageEvents[message.event]],
        ['Чем', message.channel ? messageWays[message.channel] : undefined],
        ['Не вышло', message.tried.map((way) => messageWays[way as keyof typeof messageWays]).join(', ') || undefined],
        ['Создано', formatDateTime(message.dateCreate)],
        ['Отправлено', message.dateSent ? formatDateTime(message.dateSent) : undefined],
        ['Доставлено', message.dateDelivered ? formatDateTime(message.dateDelivered) : undefined],
        ['Прочитано', message.dateRead ? formatDateTime(message.dateRead) : undefined],
        [
          'Стоимость',
          message.parts
            ? [counted(message.parts, ['часть', 'части', 'частей']), message.cost !== null && formatMoney(message.cost)]
                .filter(Boolean)
                .join(', ')
            : undefined,
        ],
        ['Шаблон', message.template?.name],
        ['Повторил', message.author && <UserLink key="author" user={message.author} />],
      ]
    : []
  return (
    <SidePanel opened onClose={onClose} title={message ? messageEvents[message.event] : 'Сообщение'}>
      {answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !message ? (
        <LinesSkeleton lines={6} />
      ) : (
        <VStack gap={16}>
          <HStack justify="space-between" wrap>
            <CustomerChip customer={message.customer} />
            <MessageStatusMark status={message.status} />
          </HStack>
          {message.reply && (
            <Block component="section" framed p={12} className="breaks" aria-label="Ответ клиента">
              <Fine component="div">Ответ клиента{message.dateReply && `, ${formatDateTime(message.dateReply)}`}</Fine>
              <div style={{ whiteSpace: 'pre-line' }}>{message.reply}</div>
            </Block>
          )}
          {message.reason && <Block className="breaks">{message.reason}</Block>}
          <Block framed p={12} className="breaks" style={{ whiteSpace: 'pre-wrap' }}>
            {message.text ?? <Muted>Слова появятся при отправке: шаблон ещё можно поправить</Muted>}
          </Block>
          <VStack gap={4}>
            {facts.map(
              ([label, value]) =>
                value && (
                  <HStack key={label} gap={12} align="baseline">
                    <Fine miw={96}>{label}</Fine>
                    <span className="breaks">{value}</span>
                  </HStack>
                ),
            )}
          </VStack>
          {message.idAppointment !== null && (
            <Fine>
              <PageLink page="customer" search={{ id: message.idCustomer, tab: 'visits' }}>
                Записи клиента
              </PageLink>
            </Fine>
          )}
          {mayRepeat(message) && holds(actor, 'sendMessages') && (
            <HStack>
              <ActionButton
                label="Повторить"
                icon={IconRefresh}
                variant="default"
                loading={busy}
                onClick={() => void repeat()}
              />
              {message.status === 'unknown' && <Fine>Прежнее могло дойти: клиент получит его дважды</Fine>}
            </HStack>
          )}
        </VStack>
      )}
    </SidePanel>
  )
}
