import { Progress } from '@mantine/core'
import { type RegulationRun, runStates } from '@ordinator/model/areas/regulations/run'
import type { Expanded } from '@ordinator/model/client'
import { formatHuman } from '../../../kit/clock.ts'
import { UserChip } from '../../../kit/UserChip.tsx'
import { Chip } from '../Chip.tsx'
import { runColors } from './looks.ts'
import classes from './Runs.module.css'

interface Props {
  runs: readonly Expanded<typeof RegulationRun, 'user' | 'regulation'>[]
  /** Name each by its regulation; otherwise by its day. */
  named?: boolean
  onOpen: (id: number) => void
}

/** Runs as lines that open them: whose, when, how far. */
export function RunLines({ runs, named, onOpen }: Props) {
  return (
    <ul className={classes.runs} aria-label="Выполнения">
      {runs.map(({ id, user, regulation, state, dateStart, stepsMarkedCount, stepsTotalCount, violationsCount }) => (
        <li key={id} className={classes.run}>
          <button type="button" className={classes.open} onClick={() => onOpen(id)}>
            {named ? (regulation?.name ?? 'Регламент') : formatHuman(dateStart)}
          </button>
          <Chip color={runColors[state]}>{runStates[state]}</Chip>
          {violationsCount > 0 && <Chip color="orange">нарушений: {violationsCount}</Chip>}
          <span className={classes.rest}>
            {named && <span className={classes.dim}>{formatHuman(dateStart)}</span>}
            <span className={`${classes.far} tabular`}>
              <Progress
                className={classes.bar}
                size={4}
                value={(stepsMarkedCount / Math.max(1, stepsTotalCount)) * 100}
                attributes={{ section: { 'aria-label': `Отмечено шагов: ${stepsMarkedCount} из ${stepsTotalCount}` } }}
              />
              {stepsMarkedCount} из {stepsTotalCount}
            </span>
            {user && <UserChip user={user} />}
          </span>
        </li>
      ))}
    </ul>
  )
}
