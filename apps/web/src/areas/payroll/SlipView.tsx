import { Badge } from '@mantine/core'
import { PayrollAdjustment, PayrollLine, PayrollPayout, PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { adjustmentKinds, payoutKinds, payoutSources } from '@ordinator/model/areas/payroll/states'
import type { Row } from '@ordinator/model/entity'
import { counted, formatDay, formatMoney, formatNumber } from '@ordinator/model/format'
import { IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import { AdjustDialog } from './AdjustDialog.tsx'
import classes from './Payroll.module.css'
import { formulaText, monthName } from './words.ts'

/** Maximum lines of a slip. */
const MAX_LINES = 500

type Line = Row<typeof PayrollLine>

/** A slip for its person: total, and the calculation of each line. */
export function SlipView({ slip, mayEdit = false }: { slip: Row<typeof PayrollSlip>; mayEdit?: boolean }) {
  const facts: readonly (readonly [string, number])[] = [
    ['Оклад и смены', slip.salary],
    ['% и услуги', slip.percent],
    ['KPI и план', slip.kpi],
    ['Премии и доплаты', slip.bonus],
    ['Удержания', slip.deduction],
  ]
  return (
    <VStack gap={16}>
      <div className={classes.slipHead}>
        <div>
          <Fine component="p">
            {monthName(slip.month)} · {slip.nameFilial}
          </Fine>
          <p className={classes.slipTotal}>{formatMoney(slip.total)}</p>
          <Fine component="p">
            {[
              slip.hours > 0 && `${formatNumber(slip.hours)} ч за ${counted(slip.shifts, ['смену', 'смены', 'смен'])}`,
              slip.paid > 0 && `выплачено ${formatMoney(slip.paid)}`,
              slip.left > 0 && `осталось ${formatMoney(slip.left)}`,
            ]
              .filter(Boolean)
              .join(', ')}
          </Fine>
        </div>
        <dl className={classes.slipParts}>
          {facts
            .filter(([, sum]) => sum !== 0)
            .map(([label, sum]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="tabular">{formatMoney(sum)}</dd>
              </div>
            ))}
        </dl>
      </div>
      <Lines idSlip={slip.id} />
      <Adjustments idSlip={slip.id} mayEdit={mayEdit} />
      <Payouts idSlip={slip.id} />
    </VStack>
  )
}

/** Lines of one rule and one corrected month. */
interface LineGroup {
  key: string
  name: string
  ofMonth: string | null
  lines: Line[]
  sum: number
}

function groupsOf(lines: readonly Line[]): LineGroup[] {
  return [...Map.groupBy(lines, ({ rule, idScheme, idOfPeriod }) => `${idScheme}|${rule}|${idOfPeriod ?? ''}`)].map(
    ([key, some]) => ({
      key,
      name: some[0]?.name ?? '',
      ofMonth: some[0]?.ofMonth ?? null,
      lines: some,
      sum: some.reduce((all, { sum }) => all + Math.round(sum * 100), 0) / 100,
    }),
  )
}

function Lines({ idSlip }: { idSlip: number }) {
  const answer = useList(PayrollLine, { filter: { idSlip }, sort: 'localDate', limit: MAX_LINES, count: true })
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <LinesSkeleton lines={6} />
  const { items } = answer.data
  const total = answer.data._meta.totalCount ?? items.length
  return (
    <section className={classes.block} aria-label="Начисления">
      <h2>Начисления</h2>
      {items.length === 0 && <Fine>Начислений нет</Fine>}
      {groupsOf(items).map((group) => (
        <Group key={group.key} group={group} />
      ))}
      {total > items.length && (
        <Fine>
          Показаны первые {formatNumber(items.length)} строк из {formatNumber(total)}
        </Fine>
      )}
    </section>
  )
}

function Group({ group }: { group: LineGroup }) {
  const { name, ofMonth, lines, sum } = group
  const [single] = lines
  const byService = single?.idCouponService != null
  // A progressive line shows its services on demand.
  const ofMany = single?.type === 'progressive'
  const opens = byService || ofMany
  const [open, setOpen] = useState(byService && lines.length <= 12)
  return (
    <div className={classes.group}>
      <button
        type="button"
        className={classes.groupHead}
        aria-expanded={opens ? open : undefined}
        disabled={!opens}
        onClick={() => setOpen(!open)}
      >
        {opens && <IconChevronRight size={16} className={classes.turn} data-open={open || undefined} aria-hidden />}
        <span className={classes.groupName}>
          {name}
          {ofMonth && (
            <Badge variant="light" color="orange" ml={8}>
              исправление: {monthName(ofMonth).toLowerCase()}
            </Badge>
          )}
          {byService ? (
            <Muted> · {counted(lines.length, ['услуга', 'услуги', 'услуг'])}</Muted>
          ) : (
            single && (
              <Fine component="span" display="block">
                {formulaText(single)}
              </Fine>
            )
          )}
        </span>
        <span className="tabular">{formatMoney(sum)}</span>
      </button>
      {byService && open && (
        <ul className={classes.lines}>
          {lines.map((line) => (
            <li key={line.id}>
              <span className={classes.lineDay}>{line.localDate ? formatDay(line.localDate).slice(0, 5) : ''}</span>
              <span className={classes.lineName}>
                {line.service}
                {line.patient && <Muted> · {line.patient}</Muted>}
              </span>
              <Fine component="span" className={classes.lineMade}>
                {formulaText(line)}
              </Fine>
              <span className="tabular">{formatMoney(line.sum)}</span>
            </li>
          ))}
        </ul>
      )}
      {ofMany && open && single && <LineServices line={single} />}
    </div>
  )
}

/** Services that make up the base of a line. */
function LineServices({ line }: { line: Line }) {
  const answer = useQuery({
    queryKey: ['records', PayrollLine.path, line.id, 'services'],
    queryFn: ({ signal }) => api('GET /payroll/lines/:id/services', { params: { id: line.id } }, { signal }),
  })
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <LinesSkeleton lines={4} />
  const { base, services } = answer.data
  return (
    <>
      <ul className={classes.lines}>
        {services.map(({ id, day, service, patient, base: own }) => (
          <li key={id}>
            <span className={classes.lineDay}>{formatDay(day).slice(0, 5)}</span>
            <span className={classes.lineName}>
              {service}
              {patient && <Muted> · {patient}</Muted>}
            </span>
            <span />
            <span className="tabular">{formatMoney(own)}</span>
          </li>
        ))}
      </ul>
      {base !== line.base && (
        <Fine component="p" px={12} py={8}>
          С расчёта услуги изменились: сейчас их база {formatMoney(base)}, в строке {formatMoney(line.base)}. Разницу
          покажет пересчёт.
        </Fine>
      )}
    </>
  )
}

function Adjustments({ idSlip, mayEdit }: { idSlip: number; mayEdit: boolean }) {
  const [adding, setAdding] = useState(false)
  const list = useList(PayrollAdjustment, { filter: { idSlip }, sort: 'id', limit: 100, expand: ['author'] })
  const remove = useRemove(PayrollAdjustment, { message: 'Строка удалена' })
  const items = list.data?.items ?? []
  if (items.length === 0 && !mayEdit) return null
  return (
    <section className={classes.block} aria-label="Премии и удержания">
      <HStack justify="space-between">
        <h2>Премии и удержания</h2>
        {mayEdit && (
          <ActionButton
            label="Добавить"
            icon={IconPlus}
            variant="subtle"
            size="compact-sm"
            onClick={() => setAdding(true)}
          />
        )}
      </HStack>
      {items.length === 0 && <Fine>Ручных строк нет. Пересчёт их не меняет</Fine>}
      {mayEdit && <Violations idSlip={idSlip} />}
      {items.map((one) => (
        <div key={one.id} className={classes.hand}>
          <span>
            {adjustmentKinds[one.kind]}: {one.reason}
            <Fine component="span" display="block">
              {one.author?.shortFio}
            </Fine>
          </span>
          <span className="tabular">{formatMoney(one.amount)}</span>
          {mayEdit && (
            <IconButton
              icon={IconTrash}
              label={`Удалить: ${one.reason}`}
              size="sm"
              onClick={() => remove.mutate(one.id)}
            />
          )}
        </div>
      ))}
      {adding && <AdjustDialog idSlip={idSlip} onClose={() => setAdding(false)} />}
    </section>
  )
}

/** Confirmed violations of regulations without a reduction of the bonus yet. */
function Violations({ idSlip }: { idSlip: number }) {
  const cache = useQueryClient()
  const save = useSave(PayrollAdjustment, { toast: false })
  const found = useQuery({
    queryKey: ['records', PayrollAdjustment.path, 'violations', idSlip],
    queryFn: ({ signal }) => api('GET /payroll/slips/:id/violations', { params: { id: idSlip } }, { signal }),
  })
  const reduce = ({ id, day, description, deduction }: NonNullable<typeof found.data>[number]) =>
    save.mutate(
      {
        ...{ idSlip, idViolation: id, kind: 'reduction', sum: deduction },
        reason: `Нарушение от ${formatDay(day)}: ${description}`.slice(0, 500),
      },
      {
        onSuccess: () => {
          void invalidateRecords(cache, PayrollAdjustment.path)
          void invalidateRecords(cache, PayrollSlip.path)
        },
        onError: (error) => notify.error(errorMessage(error)),
      },
    )
  return found.data?.map((one) => (
    <div key={one.id} className={classes.hand}>
      <span>
        Нарушение: {one.description}
        <Fine component="span" display="block">
          {formatDay(one.day)} · {one.regulation}
        </Fine>
      </span>
      <span className="tabular">{formatMoney(-one.deduction)}</span>
      <ActionButton
        label="Снизить премию"
        size="compact-sm"
        variant="default"
        loading={save.isPending}
        onClick={() => reduce(one)}
      />
    </div>
  ))
}

function Payouts({ idSlip }: { idSlip: number }) {
  const list = useList(PayrollPayout, { filter: { idSlip }, sort: 'id', limit: 100 })
  const items = list.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section className={classes.block} aria-label="Выплаты">
      <h2>Выплаты</h2>
      {items.map((one) => (
        <div key={one.id} className={classes.hand}>
          <span>
            {payoutKinds[one.kind]} <Muted>{payoutSources[one.payFrom].toLowerCase()}</Muted>
            <Fine component="span" display="block">
              {formatDay(one.localDate)}
            </Fine>
          </span>
          <span className="tabular">{formatMoney(one.sum)}</span>
        </div>
      ))}
    </section>
  )
}
