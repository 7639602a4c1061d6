import { pageByKey } from '@ordinator/model/pages'
import { IconPlugConnected, IconPlugConnectedX, IconRefresh } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { socket, socketWanted } from '#realtime/connection.ts'
import { useSocketState } from '#realtime/useLive.ts'
import { SendForm } from './SendForm.tsx'
import { ServerStats } from './ServerStats.tsx'
import classes from './Socket.module.css'
import { SocketFacts } from './SocketFacts.tsx'
import { Subscriptions } from './Subscriptions.tsx'
import { TrafficLog } from './TrafficLog.tsx'
import { Traffic } from './traffic.ts'

/** Проверка сокета: connection of this tab, subscriptions, traffic, and server metrics. */
export default function SocketPage() {
  const page = pageByKey('socket')
  const active = socketWanted(useAccount().common.settings)
  const state = useSocketState()
  const [traffic] = useState(() => new Traffic())
  useEffect(() => traffic.attach(socket), [traffic])
  return (
    <>
      <PageHead
        title={page.title}
        help={active ? page.help : 'Мгновенные обновления выключены в настройках клиники'}
        actions={
          active && (
            <>
              <ActionButton
                label="Переподключить"
                variant="default"
                icon={IconRefresh}
                onClick={() => socket.reconnect()}
                disabled={state === 'closed' && !socket.retrying}
              />
              {state === 'closed' && !socket.retrying ? (
                <ActionButton label="Подключить" icon={IconPlugConnected} onClick={() => socket.connect()} />
              ) : (
                <ActionButton
                  label="Отключить"
                  variant="default"
                  icon={IconPlugConnectedX}
                  onClick={() => socket.disconnect()}
                />
              )}
            </>
          )
        }
      />
      <VStack gap={16} px="var(--ord-page)" pb="var(--ord-page)">
        <SocketFacts />
        <div className={classes.columns}>
          <VStack gap={16} miw={0}>
            <SendForm />
            <Subscriptions />
            <ServerStats />
          </VStack>
          <TrafficLog traffic={traffic} />
        </div>
      </VStack>
    </>
  )
}
