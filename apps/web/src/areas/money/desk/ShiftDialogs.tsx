import { SegmentedControl, Text } from '@mantine/core'
import { CashShift } from '@ordinator/model/areas/money/desk'
import { fiscalKinds, fiscalStatuses } from '@ordinator/model/areas/money/fiscal'
import { paymentMethods } from '@ordinator/model/areas/money/methods'
import { differences, rubles } from '@ordinator/model/areas/money/rules'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PrintMenu } from '#areas/prints/index.ts'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { readMoney, useOperationKey } from '../reads.ts'
import { SumAndReason, wrongReason } from '../SumAndReason.tsx'
import classes from './Cash.module.css'
import { ShiftBreakdown } from './ShiftTotals.tsx'

interface Props {
  idShift: number
  onClose: () => void
}

const useReport = (id: number) =>
  useQuery({
    queryKey: ['records', CashShift.path, 'report', id],
    queryFn: ({ signal }) => api('GET /cash-shifts/:id/report', { params: { id } }, { signal, forbidden: 'silent' }),
  })

const means = { cash: 'наличные', electronically: 'безналичные' } as const
const kinds = { sell: 'приход', sellReturn: 'возврат' } as const

/** Report of a shift: X of an open one, the comparison of a closed one. */
function Report({ idShift }: { idShift: number }) {
  const report = useReport(idShift)
  if (report.isError) return <ErrorState error={report.error} onRetry={() => void report.refetch()} />
  if (!report.data) return <LinesSkeleton lines={6} />
  const {
    number,
    counted,
    difference,
    opening,
    methods,
    cashIn,
    cashOut,
    drawer,
    crm,
    kkt,
    terminal,
    card,
    waiting,
    unknown,
    corrections,
  } = report.data
  const wrong = kkt ? differences(crm, kkt) : []
  const cash = methods.find(({ method }) => method === 'cash')
  const others = methods.filter(({ method }) => method !== 'cash')
  return (
    <>
      {counted !== null && (
        <HStack wrap justify="space-between">
          <Text fw={600} className="tabular">
            Смена № {number}: посчитано {formatMoney(counted)}
            {difference !== 0 && (
              <Text span inherit c="var(--mantine-color-error)">
                {`, ${difference > 0 ? 'излишек' : 'недостача'} ${formatMoney(Math.abs(difference))}`}
              </Text>
            )}
          </Text>
          <PrintMenu entity={CashShift.path} id={idShift} />
        </HStack>
      )}
      <dl className={classes.figures}>
        <dt>В кассе на начало</dt>
        <dd>{formatMoney(opening)}</dd>
        {cash && <Figure label={paymentMethods.cash} taken={cash.taken} returned={cash.returned} />}
        {cashIn > 0 && <Figure label="Внесено" taken={cashIn} />}
        {cashOut > 0 && <Figure label="Изъято" taken={-cashOut} />}
        <dt className={classes.total}>Должно быть в кассе</dt>
        <dd className={classes.total}>{formatMoney(drawer)}</dd>
      </dl>
      {others.length > 0 && (
        <div>
          <Fine>Безналичные: в кассе их нет</Fine>
          <dl className={classes.figures}>
            {others.map(({ method, taken, returned }) => (
              <Figure key={method} label={paymentMethods[method]} taken={taken} returned={returned} />
            ))}
          </dl>
        </div>
      )}
      <ShiftBreakdown idShift={idShift} />
      {corrections.length > 0 && (
        <VStack component="ul" gap={4} aria-label="Чеки коррекции">
          {corrections.map(({ id, kind, sum, status, fd, date, number, reason }) => (
            <li key={id}>
              {fiscalKinds[kind]} <span className="tabular">{formatMoney(sum)}</span> ·{' '}
              {status === 'done' ? `ФД ${fd}` : fiscalStatuses[status].toLowerCase()}
              <Fine component="div">
                За {formatDay(date)}, документ № {number}: {reason}
              </Fine>
            </li>
          ))}
        </VStack>
      )}
      {(waiting > 0 || unknown > 0) && (
        <Text c="var(--mantine-color-error)" size="sm">
          {waiting > 0 && `Ждут печати чеков: ${waiting}. `}
          {unknown > 0 && `Неизвестно, пробиты ли чеки: ${unknown}.`}
        </Text>
      )}
      {terminal !== null && terminal !== card && (
        <Text c="var(--mantine-color-error)" size="sm" className="tabular">
          По терминалу {formatMoney(terminal)}, по учёту {formatMoney(card)}: разница{' '}
          {formatMoney((card - terminal).toFixed(2))}
        </Text>
      )}
      {wrong.map(({ kind, means: by, sum }) => (
        <Text key={`${kind} ${by}`} c="var(--mantine-color-error)" size="sm" className="tabular">
          С регистратором не сходится, {kinds[kind]}, {means[by]}: {formatMoney(rubles(sum))}
        </Text>
      ))}
      {kkt && wrong.length === 0 && (
        <Text size="sm" c="dimmed">
          С Z-отчётом сходится
        </Text>
      )}
    </>
  )
}

function Figure({ label, taken, returned = 0 }: { label: string; taken: number; returned?: number }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {formatMoney(taken)}
        {returned > 0 && ` − возврат ${formatMoney(returned)}`}
      </dd>
    </>
  )
}

export const ReportDialog = ({ idShift, title, onClose }: Props & { title: string }) => (
  <Dialog title={title} onClose={onClose}>
    <VStack gap={12}>
      <Report idShift={idShift} />
    </VStack>
  </Dialog>
)

export function CloseDialog({ idShift, onClose, onClosed }: Props & { onClosed: () => void }) {
  const cache = useQueryClient()
  const [key] = useOperationKey()
  const report = useReport(idShift)
  const [counted, setCounted] = useState<number | string | null>(null)
  const expected = report.data?.drawer
  const difference = typeof counted === 'number' && expected !== undefined ? counted - expected : 0
  return (
    <ActionDialog
      title="Закрыть смену"
      action="Закрыть смену"
      faults={{ counted: typeof counted !== 'number' && 'Посчитайте деньги в кассе' }}
      onClose={onClose}
      run={async () => {
        await api('POST /cash-shifts/:id/close', { params: { id: idShift }, body: { key, counted: counted as number } })
        await readMoney(cache)
        notify.success('Смена закрыта')
        onClosed()
      }}
    >
      {(errorOf) => (
        <>
          <NumberField
            label="Посчитано в кассе"
            required
            digits={2}
            unit="₽"
            value={counted}
            error={errorOf('counted')}
            onChange={setCounted}
          />
          {difference !== 0 && (
            <Text c="var(--mantine-color-error)" className="tabular" role="status">
              {difference > 0 ? 'Излишек' : 'Недостача'} {formatMoney(Math.abs(difference).toFixed(2))}
            </Text>
          )}
          <Report idShift={idShift} />
        </>
      )}
    </ActionDialog>
  )
}

const moves = { in: 'Внести', out: 'Изъять' } as const

export function CashMoveDialog({ idShift, onClose }: Props) {
  const cache = useQueryClient()
  const [key] = useOperationKey()
  return (
    <FormDialog
      title="Внесение и изъятие наличных"
      action={({ kind }) => moves[kind]}
      draft={{ kind: 'out' as keyof typeof moves, sum: null as number | null, reason: '' }}
      required={{ sum: 'Укажите сумму' }}
      faults={(draft) => ({ reason: wrongReason(draft) })}
      send={(move) => api('POST /cash-shifts/:id/cash', { params: { id: idShift }, body: { key, ...move } })}
      done={async ({ drawer }) => {
        await readMoney(cache)
        notify.success(`В кассе ${formatMoney(drawer)}`)
      }}
      onClose={onClose}
    >
      {({ number, value, choice }) => (
        <>
          <SegmentedControl
            aria-label="Внести или изъять"
            data={Object.entries(moves).map(([value, label]) => ({ value, label }))}
            {...choice('kind')}
          />
          <SumAndReason number={number} value={value} />
        </>
      )}
    </FormDialog>
  )
}
