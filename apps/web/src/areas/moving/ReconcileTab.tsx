import type { Move } from '@ordinator/model/areas/moving/move'
import { moveSums, moveTables } from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import { counted, formatMoney, formatNumber } from '@ordinator/model/format'
import { IconAlertTriangle, IconCheck, IconDownload } from '@tabler/icons-react'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import sharedClasses from './Moving.module.css'
import { saveLeft, useReconciliation } from './movingCalls.ts'
import classes from './ReconcileTab.module.css'

/** The sums of the files beside those of our own books, and the rows that were left. */
export function ReconcileTab({ move }: { move: Row<typeof Move> }) {
  const found = useReconciliation(move.id)
  if (found.isError && !found.data)
    return <ErrorState title="Сверка не получена" error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data)
    return (
      <Block p="16px var(--ord-page)" maw={820}>
        <LinesSkeleton lines={8} />
      </Block>
    )
  const { sums, tables } = found.data
  if (tables.length === 0)
    return <EmptyState title="Сверять пока нечего" text="Суммы появятся, когда будет загружена первая таблица плана." />
  const left = tables.reduce((all, table) => all + table.left, 0)
  const both = tables.reduce((all, table) => all + table.both, 0)
  const save = (what: 'wrong' | 'both') =>
    void saveLeft(move.id, what).catch((error) => notify.error(errorMessage(error)))
  return (
    <VStack gap={24} p="16px var(--ord-page) 32px" maw={1100}>
      {sums.length > 0 && (
        <section aria-label="Суммы">
          <h2 className={sharedClasses.heading}>Суммы</h2>
          <ul className={classes.cards}>
            {sums.map(({ kind, people, peopleHere, file, left: rest, here, unread }) => {
              const differs = Math.round((file - rest - here) * 100) !== 0
              const agrees = !differs && unread === 0
              const show = (value: number) => (kind === 'bonus' ? formatNumber(value) : formatMoney(value))
              return (
                <Block component="li" framed key={kind} className={classes.card} data-agrees={agrees || undefined}>
                  <HStack justify="space-between">
                    <h3 className={sharedClasses.title}>{moveSums[kind].label}</h3>
                    {agrees ? (
                      <span className={classes.good}>
                        <IconCheck size={16} aria-hidden /> Сходится
                      </span>
                    ) : (
                      <span className={classes.differs}>
                        <IconAlertTriangle size={16} aria-hidden />{' '}
                        {differs ? `Разница ${show(Math.abs(file - rest - here))}` : 'Прочитано не всё'}
                      </span>
                    )}
                  </HStack>
                  <dl className={classes.facing}>
                    <dt>В файлах</dt>
                    <dd>{show(file)}</dd>
                    {rest > 0 && (
                      <>
                        <dt>Осталось в строках</dt>
                        <dd>{show(rest)}</dd>
                      </>
                    )}
                    {unread > 0 && (
                      <>
                        <dt>Не прочитано</dt>
                        <dd>{counted(unread, ['строка', 'строки', 'строк'])}</dd>
                      </>
                    )}
                    <dt>По нашему учёту</dt>
                    <dd className={classes.strong}>{show(here)}</dd>
                  </dl>
                  <Fine>{`${counted(people, nominative(kind))} в файлах, ${formatNumber(peopleHere)} у нас`}</Fine>
                </Block>
              )
            })}
          </ul>
        </section>
      )}
      <section aria-label="Строки таблиц">
        <HStack justify="space-between" wrap gap={8} mb={8}>
          <h2 className={sharedClasses.heading}>Строки</h2>
          <HStack gap={8} wrap>
            {both > 0 && (
              <ActionButton
                label={`Изменены с обеих сторон: ${formatNumber(both)}`}
                icon={IconDownload}
                variant="default"
                size="compact-md"
                onClick={() => save('both')}
              />
            )}
            {left > 0 && (
              <ActionButton
                label={`Оставшиеся строки: ${formatNumber(left)}`}
                icon={IconDownload}
                variant="default"
                size="compact-md"
                onClick={() => save('wrong')}
              />
            )}
          </HStack>
        </HStack>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
        <section className={sharedClasses.frame} aria-label="Таблицы переезда" tabIndex={0}>
          <table className={sharedClasses.table}>
            <thead>
              <tr>
                <th>Таблица</th>
                <th className={sharedClasses.number}>Строк в файлах</th>
                <th className={sharedClasses.number}>Загружено</th>
                <th className={sharedClasses.number}>Без изменений</th>
                <th className={sharedClasses.number}>Осталось</th>
                <th className={sharedClasses.number}>Записей у нас</th>
              </tr>
            </thead>
            <tbody>
              {tables.map(({ key, rows, taken, same, left: rest, here }) => (
                <tr key={key}>
                  <td>{moveTables.find((table) => table.key === key)?.title}</td>
                  <td className={sharedClasses.number}>{formatNumber(rows)}</td>
                  <td className={sharedClasses.number}>{formatNumber(taken)}</td>
                  <td className={sharedClasses.number}>{formatNumber(same)}</td>
                  <td className={sharedClasses.number}>
                    {rest > 0 ? <span className={sharedClasses.left}>{formatNumber(rest)}</span> : '0'}
                  </td>
                  <td className={sharedClasses.number}>{formatNumber(here)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <Muted fz={13}>Несколько строк одного визита или плана — одна запись у нас.</Muted>
      </section>
    </VStack>
  )
}

const one = {
  debt: 'пациент',
  advance: 'пациент',
  bonus: 'пациент',
  certificate: 'покупатель',
  visit: 'пациент',
  plan: 'пациент',
} as const
const nominative = (kind: keyof typeof moveSums): readonly [string, string, string] => [
  one[kind],
  moveSums[kind].of[0],
  moveSums[kind].of[1],
]
