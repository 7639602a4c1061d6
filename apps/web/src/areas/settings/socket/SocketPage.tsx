import { Button } from '@mantine/core'
import { pageByKey } from '@ordinator/model/pages'
import { IconPlugConnected, IconPlugConnectedX, IconRefresh } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useAccount } from '../../../base/session.ts'
import { PageHead } from '../../../kit/PageHead.tsx'
import { socket, socketWanted } from '../../../realtime/connection.ts'
import { useSocketState } from '../../../realtime/useLive.ts'
import { SendForm } from './SendForm.tsx'
import { ServerStats } from './ServerStats.tsx'
import classes from './Socket.module.css'
import { SocketFacts } from './SocketFacts.tsx'
import { Subscriptions } from './Subscriptions.tsx'
import { TrafficLog } from './TrafficLog.tsx'
import { Traffic } from './traffic.ts'

/** Проверка сокета: the connection of this tab, what it listens to and says, and the server's figures. */
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
              <Button
                variant="default"
                leftSection={<IconRefresh size={18} />}
                onClick={() => socket.reconnect()}
                disabled={state === 'closed' && !socket.retrying}
              >
                Переподключить
              </Button>
              {state === 'closed' && !socket.retrying ? (
                <Button leftSection={<IconPlugConnected size={18} />} onClick={() => socket.connect()}>
                  Подключить
                </Button>
              ) : (
                <Button
                  variant="default"
                  leftSection={<IconPlugConnectedX size={18} />}
                  onClick={() => socket.disconnect()}
                >
                  Отключить
                </Button>
              )}
            </>
          )
        }
      />
      <div className={classes.page}>
        <SocketFacts />
        <div className={classes.columns}>
          <div className={classes.column}>
            <SendForm />
            <Subscriptions />
            <ServerStats />
          </div>
          <TrafficLog traffic={traffic} />
        </div>
      </div>
    </>
  )
}
