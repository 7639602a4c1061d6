import { Badge } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { chatStatuses, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { chatSourceLabel } from '@ordinator/model/areas/chats/source'
import { IconExternalLink, IconMessageOff } from '@tabler/icons-react'
import { ConversationLine, OneCustomersList, useCustomerOfAddress } from '#areas/customers/index.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { Block } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { useEndlessList } from '#records/reads.ts'

const PAGE = 30

/** /migration/customer-chats?idCustomer=5: chats of a patient, in a frame of the former CRM. */
export default function CustomerChatsPage() {
  const idCustomer = useCustomerOfAddress()
  const mayOpen = holds(useActor(), 'supportOperator')
  const chats = useEndlessList(
    LiveAssist,
    { filter: { idCustomer: idCustomer ?? 0 }, sort: '-dateCreate', limit: PAGE, expand: ['user', 'outcome'] },
    { enabled: idCustomer !== undefined },
  )
  return (
    <OneCustomersList
      idCustomer={idCustomer}
      title="Чаты"
      icon={IconMessageOff}
      empty={{ title: 'Чатов нет', text: 'Этот клиент ещё не писал.' }}
      list={chats}
    >
      {(chat) => (
        <ConversationLine
          of={chat}
          head={
            <>
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
            </>
          }
          text={chat.lastMessage && <span className="breaks">{chat.lastMessage}</span>}
        />
      )}
    </OneCustomersList>
  )
}
