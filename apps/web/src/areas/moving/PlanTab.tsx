import { Progress } from '@mantine/core'
import { isMoveBusy, type Move, moveFileStates } from '@ordinator/model/areas/moving/move'
import {
  type MovePart,
  type MoveTable,
  type MoveTableKey,
  moveParts,
  moveTables,
} from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import { counted, formatNumber, inSentence } from '@ordinator/model/format'
import { IconCheck, IconFileUpload, IconLoader2, IconTemplate } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { confirm } from '#kit/confirm.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import steps from '#kit/steps.module.css'
import { Fine, Muted } from '#kit/Words.tsx'
import { AddFile } from './AddFile.tsx'
import sharedClasses from './Moving.module.css'
import { type Plan, type PlanTable, saveLeft, saveTemplate, usePlan } from './movingCalls.ts'
import classes from './PlanTab.module.css'
import { UnknownNames } from './UnknownNames.tsx'
import { Holds, useRevert } from './useRevert.tsx'

const rowForms = ['строка', 'строки', 'строк'] as const
const declared: readonly MoveTable[] = moveTables

interface Props {
  move: Row<typeof Move>
  onOpen: (idFile: number) => void
}

/** The tables in their order: purpose, requirements and progress of each. */
export function PlanTab({ move, onOpen }: Props) {
  const plan = usePlan(move.id)
  const [adding, setAdding] = useState<MoveTable>()
  if (plan.isError && !plan.data)
    return <ErrorState title="План переезда не прочитан" error={plan.error} onRetry={() => void plan.refetch()} />
  if (!plan.data)
    return (
      <Block p="16px var(--ord-page)" maw={820}>
        <LinesSkeleton lines={10} />
      </Block>
    )
  const { tables } = plan.data
  const of = (key: MoveTableKey) => tables.find((one) => one.key === key) as PlanTable
  const next = declared.find(({ key, after }) => of(key).loaded === 0 && after.every((one) => of(one).loaded > 0))
  return (
    <div className={`${steps.page} ${classes.below}`}>
      <div>
        {(Object.keys(moveParts) as MovePart[]).map((part) => (
          <section key={part} className={steps.part} aria-label={moveParts[part]}>
            <h2 className={sharedClasses.heading}>{moveParts[part]}</h2>
            <Block component="ol" framed className={sharedClasses.steps}>
              {declared.map((table, at) =>
                table.part === part ? (
                  <Line
                    key={table.key}
                    table={table}
                    number={at + 1}
                    state={of(table.key)}
                    waits={table.after.filter((one) => of(one).loaded === 0)}
                    isNext={table === next}
                    onAdd={() => setAdding(table)}
                    onOpen={onOpen}
                  />
                ) : null,
              )}
            </Block>
          </section>
        ))}
      </div>
      <aside className={steps.side} aria-label="Как идёт переезд">
        <Summary move={move} plan={plan.data} />
        <UnknownNames move={move} unknown={plan.data.unknown} />
      </aside>
      {adding && (
        <AddFile
          idMove={move.id}
          table={adding}
          onClose={() => setAdding(undefined)}
          onSent={(id) => {
            setAdding(undefined)
            onOpen(id)
          }}
        />
      )}
    </div>
  )
}

interface LineProps {
  table: MoveTable
  number: number
  state: PlanTable
  waits: readonly MoveTableKey[]
  isNext: boolean
  onAdd: () => void
  onOpen: (idFile: number) => void
}

function Line({
  table: { key, title, why },
  number,
  state: { loaded, left, files },
  waits,
  isNext,
  onAdd,
  onOpen,
}: LineProps) {
  const busy = files.some((file) => isMoveBusy(file.state))
  const shown = files.filter((file) => file.state !== 'reverted')
  return (
    <li
      className={steps.step}
      data-done={loaded > 0 || undefined}
      data-next={isNext || undefined}
      aria-current={isNext ? 'step' : undefined}
    >
      <span className={steps.mark}>
        {busy ? (
          <IconLoader2 size={16} className={classes.spin} aria-label="Идёт работа" role="img" />
        ) : loaded > 0 ? (
          <IconCheck size={16} aria-label="Загружено" role="img" />
        ) : (
          number
        )}
      </span>
      <div className={classes.about}>
        <h3 className={sharedClasses.title}>{title}</h3>
        <Muted>{why}</Muted>
        {(loaded > 0 || left > 0 || waits.length > 0) && (
          <div className={classes.facts}>
            {loaded > 0 && <Fine>{`Загружено: ${counted(loaded, rowForms)}`}</Fine>}
            {left > 0 && <span className={classes.remaining}>{`Осталось: ${formatNumber(left)}`}</span>}
            {loaded === 0 && waits.length > 0 && (
              <Fine>{`Сначала: ${waits.map((one) => inSentence(declared.find((table) => table.key === one)?.title ?? '')).join(', ')}`}</Fine>
            )}
          </div>
        )}
        {shown.length > 0 && (
          <ul className={classes.files}>
            {shown.map((file) => (
              <li key={file.id}>
                <button type="button" className={classes.file} onClick={() => onOpen(file.id)}>
                  <span className={classes.name} title={file.fileName}>
                    {file.fileName}
                  </span>
                  <span className={classes.state} data-state={file.state}>
                    {file.state === 'failed' || (file.state === 'ready' && file.message)
                      ? 'Нужна правка'
                      : moveFileStates[file.state]}
                    {(file.state === 'checking' || file.state === 'running') &&
                      `: ${formatNumber(file.done)} из ${formatNumber(file.total)}`}
                  </span>
                </button>
                {(file.state === 'checking' || file.state === 'running') && (
                  <Progress
                    size={3}
                    value={(100 * file.done) / Math.max(1, file.total)}
                    aria-label={`Ход работы: ${file.fileName}`}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className={steps.actions}>
        <ActionButton
          label={shown.length > 0 ? 'Ещё файл' : 'Добавить файл'}
          aria-label={shown.length > 0 ? `Ещё файл: ${title}` : `Добавить файл: ${title}`}
          icon={IconFileUpload}
          variant={isNext ? 'filled' : 'default'}
          size="compact-md"
          onClick={onAdd}
        />
        <IconButton
          icon={IconTemplate}
          label={`Скачать шаблон: ${title}`}
          onClick={() => void saveTemplate(key, title).catch((error) => notify.error(errorMessage(error)))}
        />
      </div>
    </li>
  )
}

function Summary({ move, plan: { tables, busy } }: { move: Row<typeof Move>; plan: Plan }) {
  const done = tables.filter(({ loaded }) => loaded > 0).length
  const rows = tables.reduce((all, { loaded }) => all + loaded, 0)
  const left = tables.reduce((all, table) => all + table.left, 0)
  const { revert, holds } = useRevert(() => api('POST /moving/:id/revert', { params: { id: move.id } }))
  const ask = async () => {
    const sure = await confirm({
      title: 'Отменить переезд целиком',
      message:
        'Всё загруженное уйдёт в корзину в обратном порядке, остатки счетов будут сторнированы. Это возможно, пока с загруженным никто не работал.',
      confirm: 'Отменить переезд',
      cancel: 'Оставить',
      danger: true,
    })
    if (sure) revert.mutate(undefined)
  }
  return (
    <Block framed className={steps.summary} component="section" aria-label="Итог переезда">
      <span className={steps.figure}>
        {done} из {tables.length}
      </span>
      <Progress value={(100 * done) / tables.length} aria-label={`Загружено таблиц: ${done} из ${tables.length}`} />
      <Muted>
        {rows > 0
          ? `Загружено: ${counted(rows, rowForms)}. Таблицы, которых у вас не было, пропустите.`
          : 'Начните с первой таблицы, которая у вас есть.'}
      </Muted>
      {(left > 0 || rows > 0) && (
        <VStack gap={4}>
          {left > 0 && (
            <ActionButton
              label={`Оставшиеся строки: ${formatNumber(left)}`}
              variant="default"
              onClick={() => void saveLeft(move.id, 'wrong').catch((error) => notify.error(errorMessage(error)))}
            />
          )}
          {rows > 0 && (
            <ActionButton
              label="Отменить переезд…"
              reverse
              variant="subtle"
              color="red"
              disabled={busy}
              loading={revert.isPending}
              onClick={() => void ask()}
            />
          )}
        </VStack>
      )}
      <Holds holds={holds} />
      {busy && (
        <HStack gap={8} role="status">
          <IconLoader2 size={16} className={classes.spin} aria-hidden />
          <Fine>Работа идёт на сервере: страницу можно закрыть</Fine>
        </HStack>
      )}
    </Block>
  )
}
