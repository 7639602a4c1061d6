import { Text } from '@mantine/core'
import { type RegulationRun, type RunStep, Violation, violationLevels } from '@ordinator/model/areas/regulations/run'
import type { Row } from '@ordinator/model/entity'
import { formatDuration } from '@ordinator/model/format'
import { formatDateTime } from '#kit/clock.ts'
import { VStack } from '#kit/Stacks.tsx'
import { UserChip } from '#kit/UserChip.tsx'
import { useList } from '#records/reads.ts'
import { Chip } from '../Chip.tsx'
import { violationColors } from '../looks.ts'
import classes from './Run.module.css'

interface Props {
  run: Row<typeof RegulationRun>
  rows: readonly Row<typeof RunStep>[]
}

/** Summary of a run: duration, done steps, violations. */
export function RunSummary({ run, rows }: Props) {
  const found = useList(
    Violation,
    { filter: { idRun: run.id }, expand: ['user'], sort: 'id', limit: 500 },
    { forbidden: 'silent' },
  )
  const violations = found.data?.items ?? []
  const count = (state: string) => rows.filter((row) => row.state === state).length
  const seconds = (Date.parse(run.dateEnd ?? rows.at(-1)?.dateEnd ?? run.dateStart) - Date.parse(run.dateStart)) / 1000
  const facts: [string, string | number][] = [
    ['Начат', formatDateTime(run.dateStart)],
    ['Длился', formatDuration(seconds)],
    ['Выполнено', count('done')],
    ['Пропущено', count('skipped')],
    ['Не выполнено', count('failed')],
  ]
  return (
    <VStack component="section" gap={12} framed mb={16} px={16} py={12} bg="var(--ord-canvas)" aria-label="Итог">
      <dl className={classes.totals}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
      {violations.length === 0 ? (
        <Text c="dimmed">{found.isPending ? 'Загрузка данных...' : 'Нарушений нет'}</Text>
      ) : (
        <ul className={classes.violations} aria-label="Нарушения">
          {violations.map(({ id, idStep, level, description, user }) => (
            <li key={id}>
              <Chip color={violationColors[level]}>{violationLevels[level]}</Chip>
              <VStack component="span" gap={0} miw={160} flex={1}>
                Шаг {rows.findIndex((row) => row.idStep === idStep) + 1}: {description}
              </VStack>
              {user && <UserChip user={user} />}
            </li>
          ))}
        </ul>
      )}
    </VStack>
  )
}
