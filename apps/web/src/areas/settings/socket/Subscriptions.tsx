import { Badge, Box, Text } from '@mantine/core'
import { Block } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import type { Subscription } from '#realtime/subscriptions.ts'
import { listenerKey } from '#realtime/wire.ts'
import { briefAt } from '#records/declarations.ts'
import classes from './Socket.module.css'
import { useSocketFacts } from './useSocketFacts.ts'

const states = {
  on: { label: 'Действует', color: 'teal' },
  waiting: { label: 'Ждёт ответа', color: 'yellow' },
  refused: { label: 'Отказ', color: 'red' },
} as const

/** Subscriptions of this tab. */
export function Subscriptions() {
  const { subscriptions } = useSocketFacts()
  return (
    <Block component="section" framed p={16} miw={0} aria-labelledby="socket-subscriptions">
      <h2 id="socket-subscriptions" className={classes.heading}>
        Подписки вкладки <Muted>{subscriptions.length}</Muted>
      </h2>
      {subscriptions.length === 0 ? (
        <Text py={24} c="dimmed" ta="center">
          Подписок нет: открытые экраны ничего не показывают с сервера
        </Text>
      ) : (
        <ul>
          {subscriptions.map((one) => (
            <Line key={listenerKey(one)} subscription={one} />
          ))}
        </ul>
      )}
    </Block>
  )
}

function Line({ subscription: { path, id, filter, state, message } }: { subscription: Subscription }) {
  const { label, color } = states[state]
  const what = [id !== undefined && `№ ${id}`, filter && JSON.stringify(filter)].filter(Boolean).join(' · ')
  return (
    <li className={classes.line}>
      <Box miw={0} flex={1}>
        <div className={classes.code}>{path}</div>
        <Fine component="div" className="breaks">
          {message ?? ([briefAt(path)?.label[0], what].filter(Boolean).join(' · ') || 'все записи')}
        </Fine>
      </Box>
      <Badge color={color}>{label}</Badge>
    </li>
  )
}
