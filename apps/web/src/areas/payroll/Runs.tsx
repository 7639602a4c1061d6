import { Alert, Badge, Progress } from '@mantine/core'
import { PayrollPeriod, PayrollRun, PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { runStatuses } from '@ordinator/model/areas/payroll/states'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { Matrix } from '#kit/Matrix.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useRecord } from '#records/reads.ts'
import classes from './Payroll.module.css'

type Run = Row<typeof PayrollRun>
const ended: ReadonlySet<Run['status']> = new Set(['done', 'failed', 'cancelled'])
/** Polling interval of a run in milliseconds, besides events. */
const LOOK = 700

const signed = (sum: number): string => `${sum > 0 ? '+' : ''}${formatMoney(sum)}`

/** Trial calculation: shows the differences, then optionally applies them to the sheet. */
export function RunDialog({ period, onClose }: { period: Row<typeof PayrollPeriod>; onClose: () => void }) {
  const cache = useQueryClient()
  const isFirst = period.status === 'open'
  const [idTrial, setTrial] = useState<number>()
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current || isFirst) return
    asked.current = true
    api('POST /payroll/periods/:id/calculate', { params: { id: period.id }, body: { trial: true } }).then(
      ({ id }) => setTrial(id),
      (error) => {
        notifyFailure(error)
        onClose()
      },
    )
  }, [period.id, isFirst, onClose])
  const trial = useRun(idTrial)
  const apply = async () => {
    await api('POST /payroll/periods/:id/calculate', { params: { id: period.id }, body: { trial: false } })
    await Promise.all(
      [PayrollRun.path, PayrollPeriod.path, PayrollSlip.path].map((path) => invalidateRecords(cache, path)),
    )
  }
  const ready = isFirst || trial?.status === 'done'
  return (
    <ActionDialog
      title={isFirst ? 'Рассчитать месяц' : 'Пересчитать месяц'}
      size="lg"
      action={isFirst ? 'Рассчитать' : 'Применить'}
      disabled={!ready}
      run={apply}
      onClose={onClose}
    >
      {isFirst ? (
        <p>
          Начисления сложатся из услуг, смен и схем оплаты. Ручные строки останутся. Правки закрытых месяцев попадут в
          этот.
        </p>
      ) : trial?.status === 'done' ? (
        <Difference run={trial} />
      ) : trial?.status === 'failed' ? (
        <Alert color="red" variant="light">
          {trial.error}
        </Alert>
      ) : (
        <VStack gap={8} role="status">
          <span>{trial?.stage ?? 'Считаем, что изменится'}</span>
          <Progress value={trial?.progress ?? 2} aria-label="Пробный расчёт" animated />
        </VStack>
      )}
    </ActionDialog>
  )
}

function useRun(id: number | undefined): Run | undefined {
  const [isOver, setOver] = useState(false)
  const answer = useRecord(PayrollRun, id, {}, { forbidden: 'silent' })
  const { refetch, data } = answer
  const over = data !== undefined && ended.has(data.status)
  useEffect(() => setOver(over), [over])
  useEffect(() => {
    if (id === undefined || isOver) return
    const timer = setInterval(() => void refetch(), LOOK)
    return () => clearInterval(timer)
  }, [id, isOver, refetch])
  return data
}

/** Differences that a calculation made, or would make. */
function Difference({ run }: { run: Run }) {
  const differences = run.differences ?? []
  return (
    <VStack gap={12}>
      <HStack wrap gap="4px 16px">
        <span className="tabular">
          {formatMoney(run.before)} → <b>{formatMoney(run.after)}</b>
        </span>
        <Muted>
          строк: новых {formatNumber(run.added)}, изменится {formatNumber(run.changed)}, уйдёт{' '}
          {formatNumber(run.removed)}
          {run.corrections ? `, исправлений закрытых месяцев ${formatNumber(run.corrections)}` : ''}
        </Muted>
      </HStack>
      {differences.length === 0 ? (
        <Fine>Ни у кого ничего не меняется</Fine>
      ) : (
        <div className={classes.differences}>
          <Matrix
            label="Разница по сотрудникам"
            rows={differences}
            keyOf={({ idUser }) => idUser}
            columns={[
              { key: 'name', label: 'Сотрудник', cell: ({ name }) => name },
              { key: 'before', label: 'Было', cell: ({ before }) => formatMoney(before) },
              { key: 'after', label: 'Стало', cell: ({ after }) => formatMoney(after) },
              {
                key: 'difference',
                label: 'Разница',
                cell: ({ before, after }) => (
                  <span className={after < before ? classes.less : classes.more}>
                    {signed(Math.round((after - before) * 100) / 100)}
                  </span>
                ),
              },
            ]}
          />
        </div>
      )}
    </VStack>
  )
}

/** A past calculation. */
export function RunLine({ run }: { run: Expanded<typeof PayrollRun, 'author'> }) {
  const [open, setOpen] = useState(false)
  const changed = (run.differences ?? []).length
  return (
    <div className={classes.runLine}>
      <HStack justify="space-between" wrap gap={8}>
        <span>
          {formatDateTime(run.dateCreate)} <Muted>{run.author?.shortFio}</Muted>
        </span>
        <HStack gap={8}>
          {run.isTrial && <Badge variant="default">Пробный</Badge>}
          <Badge variant="light" color={run.status === 'failed' ? 'red' : run.status === 'done' ? 'teal' : 'gray'}>
            {runStatuses[run.status]}
          </Badge>
        </HStack>
      </HStack>
      {run.status === 'done' && (
        <button type="button" className={classes.unfold} aria-expanded={open} onClick={() => setOpen(!open)}>
          {formatMoney(run.before)} → {formatMoney(run.after)}, изменилось у {changed}
        </button>
      )}
      {run.error && <Fine>{run.error}</Fine>}
      {open && <Difference run={run} />}
    </div>
  )
}
