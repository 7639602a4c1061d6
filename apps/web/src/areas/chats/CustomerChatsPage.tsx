import { Badge } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { chatStatuses, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { chatSourceLabel } from '@ordinator/model/areas/chats/source'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { IconExternalLink, IconMessageOff } from '@tabler/icons-react'
import { useAddress } from '../../base/address.ts'
import { id } from '../../base/addressValues.ts'
import { PageLink } from '../../base/PageLink.tsx'
import { useActor } from '../../base/session.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { formatDateTime } from '../../kit/clock.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { ErrorState } from '../../kit/ErrorState.tsx'
import { LinesSkeleton } from '../../kit/Skeletons.tsx'
import { Block, HStack, VStack } from '../../kit/Stacks.tsx'
import { UserLink } from '../../kit/UserLink.tsx'
import { Fine, Muted } from '../../kit/Words.tsx'
import { useCan } from '../../records/Can.tsx'
import { useEndlessList, useRecord } from '../../records/reads.ts'
import classes from './CustomerChatsPage.module.css'

const PAGE = 30

/** /migration/customer-chats?idCustomer=5: the chats of one patient, in a frame of the older CRM. */
export default function CustomerChatsPage() {
  const [{ idCustomer }] = useAddress((search) => ({ idCustomer: id(search.idCustomer) }))
  const sees = useCan('view', Customer)
  const mayOpen = holds(useActor(), 'supportOperator')
  const customer = useRecord(Customer, sees ? idCustomer : undefined, {}, { forbidden: 'silent' }).data
  const chats = useEndlessList(
    LiveAssist,
    { filter: { idCustomer: idCustomer ?? 0 }, sort: '-dateCreate', limit: PAGE, expand: ['user', 'outcome'] },
    { enabled: idCustomer !== undefined, forbidden: 'silent' },
  )
  return (
    <VStack gap={16} p="var(--ord-page)">
      <h1>Чаты{customer && `: ${customer.fio}`}</h1>
      {idCustomer === undefined ? (
        <EmptyState icon={IconMessageOff} title="Клиент не указан" text="В адресе нет номера клиента: idCustomer." />
      ) : chats.isError && chats.items.length === 0 ? (
        <ErrorState title="Чаты не загрузились" error={chats.error} onRetry={() => void chats.refetch()} />
      ) : chats.isPending ? (
        <LinesSkeleton lines={8} />
      ) : chats.items.length === 0 ? (
        <EmptyState icon={IconMessageOff} title="Чатов нет" text="Этот клиент ещё не писал." />
      ) : (
        <ul className={classes.list} aria-label="Чаты">
          {chats.items.map((chat) => (
            <li key={chat.id} className={classes.line}>
              <HStack wrap gap="4px 16px">
                <span className="tabular nowrap">{formatDateTime(chat.dateLast ?? chat.dateCreate)}</span>
                <Badge variant="default" tt="none">
                  {chat.sourceName || chatSourceLabel(chat.source)}
                </Badge>
                <Muted>{chatStatuses[chat.status]}</Muted>
                <Block grow />
                {chat.user ? <UserLink user={chat.user} /> : <Muted>никто не ответил</Muted>}
                {mayOpen && (
                  <ActionButton
                    label="Открыть"
                    aria-label={`Открыть чат ${formatDateTime(chat.dateCreate)}`}
                    icon={IconExternalLink}
                    size="compact-sm"
                    variant="default"
                    renderRoot={(props) => (
                      <PageLink {...props} page="liveAssist" search={{ chat: chat.id }} target="_blank" />
                    )}
                  />
                )}
              </HStack>
              {chat.lastMessage && <span className="breaks">{chat.lastMessage}</span>}
              {(chat.outcome || chat.nextStep) && <Fine className="breaks">{chat.outcome?.name ?? chat.nextStep}</Fine>}
            </li>
          ))}
        </ul>
      )}
      {chats.hasNextPage && (
        <HStack>
          <ActionButton
            label="Показать ещё"
            variant="default"
            loading={chats.isFetchingNextPage}
            onClick={() => void chats.fetchNextPage()}
          />
        </HStack>
      )}
    </VStack>
  )
}
