import { Text } from '@mantine/core'
import { CashShift } from '@ordinator/model/areas/money/desk'
import { paymentMethods } from '@ordinator/model/areas/money/methods'
import { Payment } from '@ordinator/model/areas/money/payment'
import { formatMoney } from '@ordinator/model/format'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { usePreference } from '#base/preferences.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Block, HStack, Tiles, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import classes from './Cash.module.css'

type Totals = Answer<'GET /cash-shifts/:id/totals'>

/** Rows before «Ещё». */
const FEW = 8
const TILE = 260

const useTotals = (id: number) =>
  useQuery({
    queryKey: ['records', Payment.path, 'totals', id],
    queryFn: ({ signal }) => api('GET /cash-shifts/:id/totals', { params: { id } }, { signal, forbidden: 'silent' }),
    meta: { live: [Payment.path, CashShift.path] },
  })

const readOpen = (stored: unknown): { open: boolean } => ({
  open: (stored as { open?: unknown } | undefined)?.open === true,
})

/** Totals of the open shift: by payment method in one line, by service and doctor on demand. */
export function ShiftTotals({ idShift, number }: { idShift: number; number: number }) {
  const totals = useTotals(idShift)
  const [{ open }, keep] = usePreference('shift-totals', readOpen, 'device')
  const id = useId()
  useRevealDelay(totals.isPending)
  if (totals.isError) return <ErrorState error={totals.error} onRetry={() => void totals.refetch()} />
  if (!totals.data || totals.data.methods.length === 0) return null
  const { methods, total } = totals.data
  return (
    <Block component="section" framed p={12} aria-label={`Итоги смены № ${number}`}>
      <HStack wrap gap={16} justify="space-between">
        <HStack wrap gap="4px 20px" className="tabular">
          <strong>
            За смену № {number}: {formatMoney(total)}
          </strong>
          {methods.map(({ method, sum }) => (
            <span key={method} className="nowrap">
              <Muted>{paymentMethods[method]}</Muted> {formatMoney(sum)}
            </span>
          ))}
        </HStack>
        <ActionButton
          label="По услугам и врачам"
          icon={IconChevronDown}
          variant="subtle"
          size="compact-sm"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => keep({ open: !open })}
        />
      </HStack>
      <div id={id} hidden={!open}>
        {open && <Breakdown totals={totals.data} />}
      </div>
    </Block>
  )
}

/** The same for a shift's report, complete. */
export function ShiftBreakdown({ idShift }: { idShift: number }) {
  const totals = useTotals(idShift)
  return totals.data && totals.data.services.length > 0 ? <Breakdown totals={totals.data} /> : null
}

const Breakdown = ({ totals: { services, doctors, rest } }: { totals: Totals }) => (
  <Tiles tile={TILE} gap={24} mt={12} fit>
    <List
      title="По услугам"
      rows={[
        ...services.map((one) => ({ ...one, key: one.idService })),
        ...(rest !== 0 ? [{ key: 0, name: 'Не за услуги: авансы, сертификаты, возвраты', sum: rest, count: 0 }] : []),
      ]}
    />
    <List title="По врачам" rows={doctors.map((one) => ({ ...one, key: one.idUser }))} />
  </Tiles>
)

function List({ title, rows }: { title: string; rows: { key: number; name: string; sum: number; count: number }[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, FEW)
  return (
    <VStack component="section" gap={4} aria-label={title}>
      <Text fw={600}>{title}</Text>
      {rows.length === 0 ? (
        <Muted>Пока ничего</Muted>
      ) : (
        <dl className={classes.figures}>
          {shown.map(({ key, name, sum, count }) => (
            <Row key={key} label={count > 1 ? `${name} × ${count}` : name} sum={sum} />
          ))}
        </dl>
      )}
      {rows.length > shown.length && (
        <ActionButton
          label={`Показать ещё ${rows.length - shown.length}`}
          variant="subtle"
          size="compact-sm"
          style={{ alignSelf: 'start' }}
          onClick={() => setAll(true)}
        />
      )}
    </VStack>
  )
}

const Row = ({ label, sum }: { label: string; sum: number }) => (
  <>
    <dt>{label}</dt>
    <dd>{formatMoney(sum)}</dd>
  </>
)
