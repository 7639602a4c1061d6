import { useSyncExternalStore } from 'react'
import { connection } from '#base/connectionSource.ts'
import classes from './ConnectionDot.module.css'

const texts = {
  offline: 'Нет подключения к Интернету',
  connecting: 'Соединение восстанавливается, обновления могут запаздывать',
  closed: 'Нет соединения: страница не обновляется сама',
  crowded: 'Открыто слишком много вкладок: эта не обновляется сама',
  open: 'Соединение установлено: изменения видны сразу',
  off: '',
}

/** A small indicator of the connection. Nothing when all is well and the socket is disabled by settings. */
export function ConnectionDot() {
  const live = useSyncExternalStore(connection.subscribe, connection.state)
  const online = useSyncExternalStore(watchOnline, () => navigator.onLine)
  const state = online ? live : 'offline'
  if (state === 'off') return null
  return (
    <span className={classes.dot} data-state={state} role="status" aria-label={texts[state]} title={texts[state]} />
  )
}

function watchOnline(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
