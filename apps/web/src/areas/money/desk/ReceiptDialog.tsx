import { Text } from '@mantine/core'
import { FiscalTask, fiscalKinds, fiscalStatuses } from '@ordinator/model/areas/money/fiscal'
import { type Means, rubles } from '@ordinator/model/areas/money/rules'
import { formatMoney } from '@ordinator/model/format'
import { formatDateTime } from '#kit/clock.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import classes from './Cash.module.css'

const meansWords: Record<Means, string> = {
  cash: 'Наличными',
  electronically: 'Безналичными',
  prepaid: 'Зачтён аванс',
  credit: 'В долг',
}

/** Limit; a payment has few: its receipt, the offset, a correction. */
const MOST = 20

/** Receipts of a payment: printed ones, and pending ones with the reason. */
export function ReceiptDialog({ idPayment, onClose }: { idPayment: number; onClose: () => void }) {
  const list = useList(
    FiscalTask,
    { filter: { idPayment }, expand: ['desk.filial'], sort: '-id', limit: MOST },
    { forbidden: 'silent' },
  )
  return (
    <Dialog title={`Чек по платежу № ${idPayment}`} onClose={onClose}>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <LinesSkeleton lines={5} />
      ) : list.data.items.length === 0 ? (
        <Text>Чека у этого платежа нет.</Text>
      ) : (
        <VStack gap={20}>
          {list.data.items.map(({ id, kind, status, fd, fpd, fn, error, dateDone, task, desk }) => (
            <section key={id} aria-label={fiscalKinds[kind]}>
              <HStack justify="space-between" wrap>
                <Text fw={600}>{fiscalKinds[kind]}</Text>
                <Text size="sm" role="status" c={error ? 'var(--mantine-color-error)' : undefined}>
                  {status === 'done' && dateDone
                    ? `Пробит ${formatDateTime(dateDone, desk?.filial?.timeZone)}`
                    : (error ?? fiscalStatuses[status])}
                </Text>
              </HStack>
              {fd !== null && (
                <Fine component="p" className="tabular">
                  ФД {fd}
                  {fpd && ` · ФПД ${fpd}`}
                  {fn && ` · ФН ${fn}`}
                </Fine>
              )}
              {task && (
                <dl className={classes.figures}>
                  {task.items.map((item, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a printed receipt does not change
                    <Figure key={at} label={item.name} sum={item.amount} />
                  ))}
                  <dt className={classes.total}>Итого</dt>
                  <dd className={classes.total}>{formatMoney(rubles(task.total))}</dd>
                  {task.payments.map(({ type, sum }) => (
                    <Figure key={type} label={meansWords[type]} sum={sum} />
                  ))}
                </dl>
              )}
            </section>
          ))}
        </VStack>
      )}
    </Dialog>
  )
}

/** @param sum kopecks */
const Figure = ({ label, sum }: { label: string; sum: number }) => (
  <>
    <dt>{label}</dt>
    <dd>{formatMoney(rubles(sum))}</dd>
  </>
)
