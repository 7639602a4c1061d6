import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatDateTimeSeconds } from '#kit/clock.ts'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './Socket.module.css'
import { type SocketFactsValue, useSocketFacts } from './useSocketFacts.ts'

const states = {
  open: { label: 'Открыто', color: 'teal' },
  connecting: { label: 'Подключается', color: 'yellow' },
  closed: { label: 'Закрыто', color: 'red' },
} as const

/** Connection state, latency and disconnects. */
export function SocketFacts() {
  const facts = useSocketFacts()
  const { delay, reconnects, queued, openedAt } = facts
  return (
    <dl className={classes.facts}>
      <Fact label="Состояние">
        <State facts={facts} />
      </Fact>
      <Fact label="Открыто с">{openedAt ? formatDateTimeSeconds(openedAt).slice(-8) : '—'}</Fact>
      <Fact label="Отклик">{delay === undefined ? '—' : `${delay} мс`}</Fact>
      <Fact label="Переподключений">{reconnects}</Fact>
      <Fact label="Ждут отправки">{queued}</Fact>
    </dl>
  )
}

function State({ facts: { state, retrying, tries } }: { facts: SocketFactsValue }) {
  const { label, color } = states[state]
  return (
    <HStack component="span" wrap display="inline-flex" role="status">
      <Badge color={color} size="lg">
        {label}
      </Badge>
      {state !== 'open' && retrying && tries > 0 && <Fine className="breaks">попытка {tries} из 100</Fine>}
    </HStack>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
