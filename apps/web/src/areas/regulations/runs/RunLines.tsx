import { Progress } from '@mantine/core'
import { type RegulationRun, runStates } from '@ordinator/model/areas/regulations/run'
import type { Expanded } from '@ordinator/model/client'
import { formatHuman } from '#kit/clock.ts'
import { Block, HStack } from '#kit/Stacks.tsx'
import { UserChip } from '#kit/UserChip.tsx'
import { Muted } from '#kit/Words.tsx'
import { Chip } from '../Chip.tsx'
import { runColors } from './looks.ts'
import classes from './Runs.module.css'

interface Props {
  runs: readonly Expanded<typeof RegulationRun, 'user' | 'regulation'>[]
  /** Labels runs by regulation; otherwise by day. */
  named?: boolean
  onOpen: (id: number) => void
}

/** Links to runs: person, time, progress. */
export function RunLines({ runs, named, onOpen }: Props) {
  return (
    <Block component="ul" framed mt={4} aria-label="Выполнения">
      {runs.map(({ id, user, regulation, state, dateStart, stepsMarkedCount, stepsTotalCount, violationsCount }) => (
        <li key={id} className={classes.run}>
          <button type="button" className={classes.open} onClick={() => onOpen(id)}>
            {named ? (regulation?.name ?? 'Регламент') : formatHuman(dateStart)}
          </button>
          <Chip color={runColors[state]}>{runStates[state]}</Chip>
          {violationsCount > 0 && <Chip color="orange">нарушений: {violationsCount}</Chip>}
          <HStack component="span" gap="4px 12px" wrap ml="auto">
            {named && <Muted>{formatHuman(dateStart)}</Muted>}
            <HStack component="span" c="dimmed" className="tabular">
              <Progress
                w={64}
                size={4}
                value={(stepsMarkedCount / Math.max(1, stepsTotalCount)) * 100}
                attributes={{ section: { 'aria-label': `Отмечено шагов: ${stepsMarkedCount} из ${stepsTotalCount}` } }}
              />
              {stepsMarkedCount} из {stepsTotalCount}
            </HStack>
            {user && <UserChip user={user} />}
          </HStack>
        </li>
      ))}
    </Block>
  )
}
