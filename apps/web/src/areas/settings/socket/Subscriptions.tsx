import { Badge } from '@mantine/core'
import { entityAt } from '@ordinator/model/entities'
import type { Subscription } from '../../../realtime/socket.ts'
import { listenerKey } from '../../../realtime/wire.ts'
import classes from './Socket.module.css'
import { useSocketFacts } from './useSocketFacts.ts'

const states = {
  on: { label: 'Действует', color: 'teal' },
  waiting: { label: 'Ждёт ответа', color: 'yellow' },
  refused: { label: 'Отказ', color: 'red' },
} as const

/** What this tab listens to. */
export function Subscriptions() {
  const { subscriptions } = useSocketFacts()
  return (
    <section className={classes.card} aria-labelledby="socket-subscriptions">
      <h2 id="socket-subscriptions" className={classes.heading}>
        Подписки вкладки <span className={classes.count}>{subscriptions.length}</span>
      </h2>
      {subscriptions.length === 0 ? (
        <p className={classes.empty}>Подписок нет: открытые экраны ничего не показывают с сервера</p>
      ) : (
        <ul className={classes.list}>
          {subscriptions.map((one) => (
            <Line key={listenerKey(one)} subscription={one} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ subscription: { path, id, filter, state, message } }: { subscription: Subscription }) {
  const { label, color } = states[state]
  const what = [id !== undefined && `№ ${id}`, filter && JSON.stringify(filter)].filter(Boolean).join(' · ')
  return (
    <li className={classes.line}>
      <div className={classes.grow}>
        <div className={classes.code}>{path}</div>
        <div className={classes.dimmed}>
          {message ?? ([entityAt(path)?.label[0], what].filter(Boolean).join(' · ') || 'все записи')}
        </div>
      </div>
      <Badge color={color}>{label}</Badge>
    </li>
  )
}
